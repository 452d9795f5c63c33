"""Remarks about the network of a training cluster. One rule, one function, one id."""

from collections.abc import Iterator
from math import ceil

from epochwise.catalog.fsx_lustre import DEFAULT_STORAGE_QUOTA_GIB, automatic_metadata_iops, mds_count
from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.catalog.instance_types import similar_instance_types
from epochwise.checks.finding import Finding, Level

VPC_PREFIX_LENGTH = 16
"""EFA clients and an EFA-enabled file system must share one /16 (User Guide, efa-file-systems), so the VPC is one."""
WIDEST_SUBNET_PREFIX_LENGTH = VPC_PREFIX_LENGTH + 1
"""The private subnet leaves room in the VPC for the public one."""
NARROWEST_SUBNET_PREFIX_LENGTH = 28
"""Amazon VPC's smallest subnet."""
RESERVED_ADDRESSES = 5
"""What Amazon VPC keeps of every subnet (VPC User Guide, subnet-sizing)."""
ADDRESSES_PER_NODE = 2
"""SageMaker Developer Guide: at least two addresses per training instance in a VPC."""
ADDRESSES_PER_EFA_NODE = 5
"""SageMaker Developer Guide: at least five addresses per training instance with EFA."""
LARGEST_FILE_SYSTEM_SERVERS = ceil(DEFAULT_STORAGE_QUOTA_GIB / 2400) + mds_count(
    automatic_metadata_iops(DEFAULT_STORAGE_QUOTA_GIB)
)
"""Servers, one address each, of the largest file system within the default quota; derived."""


def addresses_of_node(instance_type: str) -> int:
    """Return the addresses to set aside for one node: what AWS asks for, or one per EFA interface and one more.

    The second is assumed, for an interface on every network card: EFA-only interfaces take no address.

    >>> [addresses_of_node(name) for name in ("ml.m5.xlarge", "ml.p4d.24xlarge", "ml.p5.48xlarge")]
    [2, 5, 33]
    """
    row = catalog_row(instance_type)
    if row is None or not row.efa_interfaces:
        return ADDRESSES_PER_NODE
    return max(ADDRESSES_PER_EFA_NODE, row.efa_interfaces + 1)


def subnet_addresses(prefix_length: int) -> int:
    """Return the addresses that a subnet of that prefix length leaves to its users.

    >>> subnet_addresses(28)
    11
    """
    return int(2 ** (32 - prefix_length)) - RESERVED_ADDRESSES


def network_findings(
    *, nodes: int, instance_type: str, file_system_servers: int, subnet_prefix_length: int, nat_gateways: int
) -> Iterator[Finding]:
    """Yield every remark about a network that is to be created."""
    yield from nodes_not_positive(nodes)
    yield from instance_type_unknown(instance_type)
    yield from subnet_prefix_length_out_of_range(subnet_prefix_length)
    yield from subnet_too_small(nodes, instance_type, file_system_servers, subnet_prefix_length)
    yield from nat_gateways_out_of_range(nat_gateways)


def nodes_not_positive(nodes: int) -> Iterator[Finding]:
    """There is at least one node."""
    if nodes < 1:
        yield Finding("NODES_NOT_POSITIVE", Level.ERROR, f"nodes must be 1 or more, got {nodes}", "nearest legal: 1")


def instance_type_unknown(instance_type: str) -> Iterator[Finding]:
    """The instance type is one that the catalog knows."""
    if catalog_row(instance_type) is None:
        near = similar_instance_types(instance_type, sagemaker=instance_type.startswith("ml.")) or ["ml.p4d.24xlarge"]
        yield Finding(
            "INSTANCE_TYPE_UNKNOWN",
            Level.ERROR,
            f"instance_type must be one that exists, got {instance_type}",
            f"nearest: {', '.join(near)}",
        )


def subnet_prefix_length_out_of_range(prefix_length: int) -> Iterator[Finding]:
    """The private subnet lies within the VPC, beside the public one.

    Source: VPC User Guide, subnet-sizing: a subnet is /16 to /28.
    """
    widest, narrowest = WIDEST_SUBNET_PREFIX_LENGTH, NARROWEST_SUBNET_PREFIX_LENGTH
    if not widest <= prefix_length <= narrowest:
        yield Finding(
            "SUBNET_PREFIX_OUT_OF_RANGE",
            Level.ERROR,
            f"subnet_prefix_length must be {widest} to {narrowest}, got {prefix_length}",
            f"nearest legal: {min(max(prefix_length, widest), narrowest)}",
        )


def subnet_too_small(nodes: int, instance_type: str, file_system_servers: int, prefix_length: int) -> Iterator[Finding]:
    """Every node and every file server finds an address in the private subnet.

    Source: SageMaker Developer Guide (addresses per training instance); FSx User Guide (one per file server).
    """
    each = addresses_of_node(instance_type)
    needed, there = nodes * each + file_system_servers, subnet_addresses(min(prefix_length, 32))
    if needed <= there:
        return
    fitting = [
        length
        for length in range(WIDEST_SUBNET_PREFIX_LENGTH, NARROWEST_SUBNET_PREFIX_LENGTH + 1)
        if subnet_addresses(length) >= needed
    ]
    most = (subnet_addresses(WIDEST_SUBNET_PREFIX_LENGTH) - file_system_servers) // each
    yield Finding(
        "SUBNET_TOO_SMALL",
        Level.ERROR,
        f"subnet of /{prefix_length} has {there} addresses, {nodes} nodes of {instance_type} at {each} each and "
        f"{file_system_servers} file servers need {needed}",
        f"nearest legal: subnet_prefix_length {fitting[-1]}" if fitting else f"nearest legal: {most} nodes",
    )


def nat_gateways_out_of_range(nat_gateways: int) -> Iterator[Finding]:
    """One zone has one public subnet, and so at most one NAT gateway."""
    if nat_gateways not in {0, 1}:
        yield Finding(
            "NAT_GATEWAYS_OUT_OF_RANGE",
            Level.ERROR,
            f"nat_gateways must be 0 or 1, got {nat_gateways}",
            f"nearest legal: {min(max(nat_gateways, 0), 1)}",
        )
