"""Rules about which zones have an instance type, and which zone a subnet is in."""

from collections.abc import Iterator, Sequence

from epochwise.checks.finding import Finding, Level
from epochwise.checks.zone import ONE_ZONE


def instance_type_not_in_region(name: str, region: str, zones: Sequence[str]) -> Iterator[Finding]:
    """The Region has the instance type in at least one zone. Source: EC2 API, DescribeInstanceTypeOfferings."""
    if not zones:
        yield Finding(
            "INSTANCE_TYPE_NOT_IN_REGION",
            Level.ERROR,
            f"no zone of {region} offers {name} to this account",
            "choose another cluster.instance_type or region; `aws ec2 describe-instance-type-offerings --region` lists "
            "those of a Region",
        )


def instance_type_not_in_zone(name: str, zone: str | None, zones: Sequence[str]) -> Iterator[Finding]:
    """The zone of the nodes has their type, where a zone is chosen.

    Source: EC2 API, DescribeInstanceTypeOfferings.
    """
    if zone is not None and zones and zone not in zones:
        yield Finding(
            "INSTANCE_TYPE_NOT_IN_ZONE",
            Level.ERROR,
            f"{zone} does not offer {name}",
            f"take a zone that does: {', '.join(zones)}",
        )


def subnet_in_another_zone(subnet: str, zones: Sequence[str], zone: str | None) -> Iterator[Finding]:
    """The subnet is in the zone that is declared, where one is.

    Source: FSx API, CreateFileSystem (one subnet); EC2 User Guide, efa.

    Args:
        subnet: its id.
        zones: name and id of its zone.
        zone: the declared one, by name or by id.
    """
    if zone is not None and zone not in zones:
        yield Finding(
            "SUBNET_IN_ANOTHER_ZONE",
            Level.ERROR,
            f"subnet {subnet} is in {zones[0]}, and cluster.availability_zone is {zone}: {ONE_ZONE}",
            f"name a subnet of {zone}, or set cluster.availability_zone to {zones[0]}",
        )
