"""Everything that is remarked about the network of a training cluster, new or given. One rule, one function, one id."""

from collections.abc import Iterator, Sequence

from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.catalog.instance_types import similar_instance_types
from epochwise.checks.finding import Finding, Level
from epochwise.checks.given_subnet import (
    SeenSubnet,
    no_way_to_s3,
    routes_not_visible,
    subnet_is_public,
    subnet_not_visible,
    subnet_of_other_vpc,
)
from epochwise.checks.subnet import (
    LARGEST_FILE_SYSTEM_SERVERS,
    AddressBudget,
    addresses_of_node,
    file_system_servers_negative,
    given_subnet_too_small,
    nodes_above_any_subnet,
    nodes_not_positive,
    subnet_addresses,
    subnet_prefix_length_out_of_range,
    subnet_too_small,
)
from epochwise.checks.vpc import (
    DEFAULT_ENDPOINTS,
    DEFAULT_VPC_CIDR,
    SeenVpc,
    endpoints_left_out,
    nat_gateways_out_of_range,
    no_way_out,
    vpc_cidr_illegal,
    vpc_cidr_of_docker,
    vpc_not_visible,
    vpc_without_dns,
)
from epochwise.checks.zone import (
    zone_malformed,
    zone_not_chosen,
    zone_not_in_account,
    zone_of_other_region,
    zone_of_unknown_account,
)

__all__ = [
    "LARGEST_FILE_SYSTEM_SERVERS",
    "addresses_of_node",
    "cluster_findings",
    "given_network_findings",
    "network_findings",
    "subnet_addresses",
    "zone_findings",
]


def cluster_findings(*, nodes: int, instance_type: str, file_system_servers: int) -> Iterator[Finding]:
    """Yield every remark about who needs addresses."""
    yield from nodes_not_positive(nodes)
    yield from instance_type_unknown(instance_type)
    yield from file_system_servers_negative(file_system_servers)


def network_findings(
    *,
    nodes: int,
    instance_type: str,
    file_system_servers: int,
    subnet_prefix_length: int | None,
    nat_gateways: int,
    vpc_cidr: str = DEFAULT_VPC_CIDR,
    interface_endpoints: Sequence[str] | None = None,
) -> Iterator[Finding]:
    """Yield every remark about a network that is to be created; sizes only once each number is legal by itself."""
    refused = [
        *cluster_findings(nodes=nodes, instance_type=instance_type, file_system_servers=file_system_servers),
        *subnet_prefix_length_out_of_range(subnet_prefix_length),
        *nat_gateways_out_of_range(nat_gateways),
        *vpc_cidr_illegal(vpc_cidr),
    ]
    yield from refused
    if refused:
        return
    endpoints = endpoints_of(nat_gateways, interface_endpoints)
    budget = AddressBudget(nodes, instance_type, file_system_servers, len(endpoints))
    yield from subnet_too_small(budget, subnet_prefix_length or budget.default_prefix_length)
    yield from vpc_cidr_of_docker(vpc_cidr)
    yield from no_way_out(nat_gateways, endpoints)
    yield from endpoints_left_out(nat_gateways, endpoints)
    yield from instance_type_without_efa(nodes, instance_type)


def endpoints_of(nat_gateways: int, interface_endpoints: Sequence[str] | None) -> Sequence[str]:
    """Return the interface endpoints of a new network: those asked for, or without a NAT gateway the usual ones.

    >>> endpoints_of(1, None), endpoints_of(0, ["logs"]), len(endpoints_of(0, None))
    ((), ['logs'], 6)
    """
    if interface_endpoints is not None:
        return interface_endpoints
    return () if nat_gateways else DEFAULT_ENDPOINTS


def zone_findings(
    zone: str | None, *, instance_type: str, region: str | None, account_known: bool, known_zones: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield every remark about the zone of a network that is to be created.

    Args:
        zone: as it is given.
        instance_type: of the nodes.
        region: the stack's, None where it is not known.
        account_known: whether the stack's account is.
        known_zones: the account's, as far as an earlier look at it is at hand.
    """
    refused = [*zone_malformed(zone)]
    yield from refused
    if refused:
        return
    elsewhere = [*zone_of_other_region(zone, region)]
    yield from elsewhere or zone_not_in_account(zone, known_zones)
    yield from zone_of_unknown_account(zone, account_known=account_known)
    yield from zone_not_chosen(zone, instance_type)


def given_network_findings(
    *,
    nodes: int,
    instance_type: str,
    file_system_servers: int,
    vpc: SeenVpc,
    subnet: SeenSubnet,
    interface_endpoints: Sequence[str] = (),
) -> Iterator[Finding]:
    """Yield every remark about a VPC and its subnet that exist, as far as the app can see them."""
    refused = [*cluster_findings(nodes=nodes, instance_type=instance_type, file_system_servers=file_system_servers)]
    yield from refused
    yield from subnet_of_other_vpc(subnet, vpc.name)
    yield from vpc_without_dns(vpc)
    yield from vpc_not_visible(vpc)
    yield from subnet_is_public(subnet)
    yield from routes_not_visible(subnet, vpc)
    yield from no_way_to_s3(subnet, vpc)
    if refused:
        return
    budget = AddressBudget(nodes, instance_type, file_system_servers, len(interface_endpoints))
    if subnet.prefix_length is None:
        yield from nodes_above_any_subnet(budget)
    else:
        yield from given_subnet_too_small(budget, subnet.name, subnet.prefix_length)
    yield from subnet_not_visible(subnet, budget.needed)
    yield from instance_type_without_efa(nodes, instance_type)


def instance_type_unknown(instance_type: str) -> Iterator[Finding]:
    """The instance type is one that the catalog knows."""
    if catalog_row(instance_type) is None:
        near = similar_instance_types(instance_type, sagemaker=instance_type.startswith("ml.")) or ["ml.p4d.24xlarge"]
        yield Finding(
            "INSTANCE_TYPE_UNKNOWN",
            Level.ERROR,
            f"instance_type must be one that exists, got {instance_type!r:.60}",
            f"nearest: {', '.join(near)}",
        )


def instance_type_without_efa(nodes: int, instance_type: str) -> Iterator[Finding]:
    """Nodes of a type without EFA talk over TCP, which libraries that look for EFA may wait on without an end.

    Source: EC2 User Guide, efa (supported instance types).
    """
    row = catalog_row(instance_type)
    if nodes > 1 and row is not None and not row.efa_interfaces:
        yield Finding(
            "INSTANCE_TYPE_WITHOUT_EFA",
            Level.WARNING,
            f"{nodes} nodes of {instance_type} talk over TCP at {row.ena_gbps:g} Gbit/s each: the type has no EFA",
            "take a type with EFA, or make sure that the image does not ask for EFA",
        )
