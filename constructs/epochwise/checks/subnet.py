"""Whether every node, file server and endpoint finds an address in the one private subnet."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from epochwise.catalog.fsx_lustre import DEFAULT_STORAGE_QUOTA_GIB, automatic_metadata_iops, mds_count
from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.checks.finding import Finding, Level

VPC_PREFIX_LENGTH = 16
"""EFA clients and an EFA-enabled file system must share one /16 (User Guide, efa-file-systems), so the VPC is one."""
WIDEST_SUBNET_PREFIX_LENGTH = VPC_PREFIX_LENGTH + 1
"""The private subnet leaves room in the VPC for the public one."""
DEFAULT_SUBNET_PREFIX_LENGTH = 18
"""Wide whatever the number of nodes, since another size is another subnet, and so another file system."""
LARGEST_SUBNET_PREFIX_LENGTH = 16
"""Amazon VPC's largest subnet, of a VPC that others made."""
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


@dataclass(frozen=True)
class AddressBudget:
    """Who takes the addresses of the private subnet.

    >>> print(AddressBudget(nodes=4, instance_type="ml.p4d.24xlarge", file_system_servers=3))
    4 nodes of ml.p4d.24xlarge at 5 each and 3 file servers need 23
    """

    nodes: int
    instance_type: str
    file_system_servers: int
    interface_endpoints: int = 0
    """One address each, since there is one subnet."""

    @property
    def addresses_per_node(self) -> int:
        """Addresses set aside for one node."""
        return addresses_of_node(self.instance_type)

    @property
    def needed(self) -> int:
        """Addresses of all together."""
        return self.nodes * self.addresses_per_node + self.file_system_servers + self.interface_endpoints

    @property
    def narrowest_prefix_length(self) -> int | None:
        """The smallest subnet that holds all; None when the widest does not."""
        lengths = range(NARROWEST_SUBNET_PREFIX_LENGTH, WIDEST_SUBNET_PREFIX_LENGTH - 1, -1)
        return next((length for length in lengths if subnet_addresses(length) >= self.needed), None)

    @property
    def default_prefix_length(self) -> int:
        """The size of a subnet that nobody chose: the usual one, or the widest where that is too small."""
        narrowest = self.narrowest_prefix_length
        usual = narrowest is not None and narrowest >= DEFAULT_SUBNET_PREFIX_LENGTH
        return DEFAULT_SUBNET_PREFIX_LENGTH if usual else WIDEST_SUBNET_PREFIX_LENGTH

    def most_that_fit(self, available: int) -> str:
        """Say how many nodes fit into so many addresses, or else file servers beside one node."""
        beside_nodes = self.file_system_servers + self.interface_endpoints
        most = (available - beside_nodes) // self.addresses_per_node
        if most > 0:
            return f"{most} nodes"
        servers = max(available - self.addresses_per_node - self.interface_endpoints, 0)
        return f"{servers} file_system_servers beside 1 node"

    def __str__(self) -> str:
        """Render the budget as part of a sentence."""
        parts = [f"{self.nodes} nodes of {self.instance_type} at {self.addresses_per_node} each"]
        parts += [f"{self.interface_endpoints} interface endpoints"] if self.interface_endpoints else []
        return f"{', '.join(parts)} and {self.file_system_servers} file servers need {self.needed}"


def nodes_not_positive(nodes: int) -> Iterator[Finding]:
    """There is at least one node, and their number is known when the network is laid out."""
    if nodes < 1:
        yield Finding(
            "NODES_NOT_POSITIVE",
            Level.ERROR,
            f"nodes must be 1 or more, got {nodes}",
            "nearest legal: 1",
        )


def file_system_servers_negative(servers: int) -> Iterator[Finding]:
    """No file server is a number of file servers, fewer is not."""
    if servers < 0:
        yield Finding(
            "FILE_SYSTEM_SERVERS_NEGATIVE",
            Level.ERROR,
            f"file_system_servers must be 0 or more, got {servers}",
            "nearest legal: 0",
        )


def subnet_prefix_length_out_of_range(prefix_length: int | None) -> Iterator[Finding]:
    """The private subnet lies within the VPC, beside the public one; None leaves its size to the nodes.

    Source: VPC User Guide, subnet-sizing: a subnet is /16 to /28.
    """
    widest, narrowest = WIDEST_SUBNET_PREFIX_LENGTH, NARROWEST_SUBNET_PREFIX_LENGTH
    if prefix_length is not None and not widest <= prefix_length <= narrowest:
        yield Finding(
            "SUBNET_PREFIX_OUT_OF_RANGE",
            Level.ERROR,
            f"subnet_prefix_length must be {widest} to {narrowest}, got {prefix_length}",
            f"nearest legal: {min(max(prefix_length, widest), narrowest)}",
        )


def subnet_too_small(budget: AddressBudget, prefix_length: int) -> Iterator[Finding]:
    """Every node, file server and interface endpoint finds an address in the private subnet.

    Source: SageMaker Developer Guide (addresses per training instance); FSx User Guide (one per file server).
    """
    there = subnet_addresses(prefix_length)
    if budget.needed <= there:
        return
    fitting = budget.narrowest_prefix_length
    most = budget.most_that_fit(subnet_addresses(WIDEST_SUBNET_PREFIX_LENGTH))
    yield Finding(
        "SUBNET_TOO_SMALL",
        Level.ERROR,
        f"subnet of /{prefix_length} has {there} addresses, {budget}",
        f"nearest legal: {most}" if fitting is None else f"nearest legal: subnet_prefix_length {fitting}",
    )


def given_subnet_too_small(budget: AddressBudget, name: str, prefix_length: int) -> Iterator[Finding]:
    """A subnet that exists holds every node, file server and interface endpoint, at the least while it is empty.

    Source: SageMaker Developer Guide (addresses per training instance); FSx User Guide (one per file server).
    """
    there = subnet_addresses(prefix_length)
    if budget.needed > there:
        fitting = budget.narrowest_prefix_length
        wider = "" if fitting is None else f"take a subnet of /{fitting} or wider, or "
        yield Finding(
            "GIVEN_SUBNET_TOO_SMALL",
            Level.ERROR,
            f"subnet {name} of /{prefix_length} has {max(there, 0)} addresses, {budget}",
            f"{wider}nearest legal: {budget.most_that_fit(max(there, 0))}",
        )


def nodes_above_any_subnet(budget: AddressBudget) -> Iterator[Finding]:
    """A subnet whose size is not known is no larger than Amazon VPC makes them.

    Source: VPC User Guide, subnet-sizing: a subnet is /16 to /28.
    """
    there = subnet_addresses(LARGEST_SUBNET_PREFIX_LENGTH)
    if budget.needed > there:
        yield Finding(
            "NODES_ABOVE_ANY_SUBNET",
            Level.ERROR,
            f"the largest subnet there is, a /{LARGEST_SUBNET_PREFIX_LENGTH}, has {there} addresses, {budget}",
            f"nearest legal: {budget.most_that_fit(there)}",
        )


def subnet_full(budget: AddressBudget, name: str, free: int) -> Iterator[Finding]:
    """A subnet has enough free addresses at this moment for every node, file server and interface endpoint.

    Source: EC2 API, DescribeSubnets; SageMaker Developer Guide (addresses per training instance); FSx User Guide (one
    per file server).
    """
    if budget.needed > free:
        yield Finding(
            "SUBNET_FULL",
            Level.ERROR,
            f"subnet {name} has {free} free addresses, {budget}",
            f"free some, take another subnet, or nearest legal: {budget.most_that_fit(free)}",
        )
