"""Remarks about the subnet of a VPC that exists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from epochwise.checks.finding import Finding, Level
from epochwise.checks.physical_id import in_command
from epochwise.checks.vpc import SeenVpc
from epochwise.checks.zone import ONE_ZONE


class SubnetKind(StrEnum):
    """What a subnet's routes are, as far as its VPC says."""

    PUBLIC = "public"
    PRIVATE = "private"
    ISOLATED = "isolated"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SeenSubnet:
    """What an app, or a look at the account, can see of a subnet that is given."""

    name: str
    """Its id, or its place in the app."""
    visible: bool
    """Whether all of it can be seen: the same app creates it, or its account is asked."""
    kind: SubnetKind = SubnetKind.UNKNOWN
    prefix_length: int | None = None
    """None where only the account knows."""
    of_other_vpc: bool = False
    """Whether it is seen to belong to another VPC."""


def subnets_not_one(names: Sequence[str]) -> Iterator[Finding]:
    """Nodes and file system share one subnet. Source: FSx API, CreateFileSystem; EC2 User Guide, efa."""
    if len(names) != 1:
        yield Finding(
            "SUBNETS_NOT_ONE",
            Level.ERROR,
            f"subnets must be exactly one, got {len(names)}: {ONE_ZONE}",
            f"nearest legal: {names[0]} alone" if names else "name one, or leave subnets out",
        )


def subnet_given_twice(*, subnet: bool, subnets: bool) -> Iterator[Finding]:
    """The subnet is given once."""
    if subnet and subnets:
        yield Finding(
            "SUBNET_GIVEN_TWICE",
            Level.ERROR,
            "subnet and subnets say the same, got both",
            "leave one out",
        )


def subnet_without_vpc(name: str | None) -> Iterator[Finding]:
    """A subnet belongs to a VPC that exists. Source: VPC User Guide, configure-subnets."""
    if name is not None:
        yield Finding(
            "SUBNET_WITHOUT_VPC",
            Level.ERROR,
            f"subnet belongs to a VPC that exists, got subnet {name} without vpc",
            "pass its vpc",
        )


def subnet_of_other_vpc(subnet: SeenSubnet, vpc: str) -> Iterator[Finding]:
    """The subnet is one of the VPC. Source: VPC User Guide, configure-subnets."""
    if subnet.of_other_vpc:
        yield Finding(
            "SUBNET_OF_OTHER_VPC",
            Level.ERROR,
            f"subnet must be one of vpc {vpc}, got {subnet.name} of another",
            "pass the vpc and the subnet that belong together",
        )


def no_private_subnet(vpc: str, count: int) -> Iterator[Finding]:
    """A VPC whose private subnets are not known needs one to be named.

    Source: SageMaker Developer Guide, train-vpc: training nodes belong in a private subnet.
    """
    if not count:
        yield Finding(
            "NO_PRIVATE_SUBNET",
            Level.ERROR,
            f"vpc {vpc} has no private subnet that can be seen here",
            "pass subnet, such as ec2.Subnet.from_subnet_id(...)",
        )


def subnet_not_chosen(names: Sequence[str]) -> Iterator[Finding]:
    """The first of several subnets need not be in the zone that has the nodes.

    Source: EC2 API, DescribeInstanceTypeOfferings.
    """
    if len(names) > 1:
        yield Finding(
            "SUBNET_NOT_CHOSEN",
            Level.WARNING,
            f"vpc has {len(names)} private subnets and subnet is not given; {names[0]} is taken",
            "pass the subnet in the zone that has the instance type",
        )


def subnet_is_public(subnet: SeenSubnet) -> Iterator[Finding]:
    """In a public subnet nodes have no public address, and no NAT gateway to leave by; file servers need neither.

    Source: SageMaker Developer Guide, train-vpc.
    """
    if subnet.kind is SubnetKind.PUBLIC:
        yield Finding(
            "SUBNET_IS_PUBLIC",
            Level.WARNING,
            f"subnet {subnet.name} is public: SageMaker's nodes have no way out there, as they get no public address",
            "pass a private subnet",
        )


def subnet_not_visible(subnet: SeenSubnet, needed: int) -> Iterator[Finding]:
    """How many addresses are free in a subnet that is imported is known to its account only.

    Source: EC2 API, DescribeSubnets.
    """
    if not subnet.visible:
        named = in_command(subnet.name, "subnet id")
        ask = f"aws ec2 describe-subnets --subnet-ids {named} --query Subnets[].AvailableIpAddressCount"
        yield Finding(
            "SUBNET_NOT_VISIBLE",
            Level.WARNING,
            f"whether subnet {subnet.name} has {needed} free addresses cannot be seen here",
            f"verify with `epochwise check`, or with `{ask}`",
        )


def routes_not_visible(subnet: SeenSubnet, vpc: SeenVpc) -> Iterator[Finding]:
    """A job without a way to S3 hangs, and the routes of an imported subnet are known to its account only.

    Source: SageMaker Developer Guide, train-vpc.
    """
    if not (vpc.visible and subnet.visible):
        named = in_command(subnet.name, "subnet id")
        routes = f"aws ec2 describe-route-tables --filters Name=association.subnet-id,Values={named}"
        yield Finding(
            "ROUTES_NOT_VISIBLE",
            Level.WARNING,
            f"whether subnet {subnet.name} leads to a NAT gateway or to S3's gateway endpoint cannot be seen here; "
            "without either jobs hang",
            f"verify with `epochwise check`, or with `{routes}`",
        )


def no_way_to_s3(subnet: SeenSubnet, vpc: SeenVpc) -> Iterator[Finding]:
    """Nodes in an isolated subnet reach S3 by its gateway endpoint alone.

    Source: SageMaker Developer Guide, train-vpc.
    """
    if vpc.visible and subnet.kind is SubnetKind.ISOLATED and not vpc.s3_endpoint:
        yield Finding(
            "NO_WAY_TO_S3",
            Level.WARNING,
            f"subnet {subnet.name} is isolated and vpc {vpc.name} has no gateway endpoint of S3 so far",
            'add one: vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)',
        )
