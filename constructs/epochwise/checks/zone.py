"""Remarks about the one Availability Zone of a new network."""

from collections.abc import Iterator, Sequence

from epochwise.catalog.instance_types import SAGEMAKER_PREFIX
from epochwise.catalog.zones import ZONE_HELP, is_of_region, is_zone, is_zone_id, zone_in_region
from epochwise.checks.finding import Finding, Level
from epochwise.checks.hint_kinds import shown

ONE_ZONE = "FSx for Lustre takes one subnet and EFA does not cross zones"
SCARCE_FAMILIES = frozenset({"p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn2"})
"""Types that EC2 also sells ahead as Capacity Blocks, since they are short: taken as scarce, which is assumed."""


def zone_malformed(zone: object) -> Iterator[Finding]:
    """A zone is given by name or by id, not by its place in a list that differs between accounts.

    Source: AWS RAM User Guide, working-with-az-ids.
    """
    if zone is None or isinstance(zone, list | tuple):
        return
    if not isinstance(zone, str) or not is_zone(zone):
        yield Finding(
            "ZONE_MALFORMED",
            Level.ERROR,
            f"availability_zone must be {ZONE_HELP}, got {shown(zone)}",
            "list them with `aws ec2 describe-availability-zones`",
        )


def zones_not_one(zones: object) -> Iterator[Finding]:
    """Nodes and file system are in one zone. Source: FSx User Guide, CreateFileSystem; EC2 User Guide, efa."""
    if isinstance(zones, list | tuple):
        yield Finding(
            "ZONES_NOT_ONE",
            Level.ERROR,
            f"availability_zone must be one zone, got {len(zones)} in a list: {ONE_ZONE}",
            "name one of them" if zones else "leave it out",
        )


def zone_of_other_region(zone: str | None, region: str | None) -> Iterator[Finding]:
    """A zone is one of the stack's Region, where that is known, be it written by name or by id.

    Source: EC2 User Guide, using-regions-availability-zones; AWS Regions and Availability Zones, az-ids.
    """
    if zone and region and not is_of_region(zone, region):
        yield Finding(
            "ZONE_OF_OTHER_REGION",
            Level.ERROR,
            f"availability_zone must be one of {region}, where the stack is, got {zone}",
            f"nearest legal: {zone_in_region(zone, region)}, if the account has it",
        )


def zone_not_in_account(zone: str | None, known: Sequence[str]) -> Iterator[Finding]:
    """A named zone is one that the account has, where an earlier look at the account is at hand.

    Source: EC2 User Guide, using-regions-availability-zones.
    """
    if zone and known and not is_zone_id(zone) and zone not in known:
        yield Finding(
            "ZONE_NOT_IN_ACCOUNT",
            Level.ERROR,
            f"availability_zone must be one that the account has, {', '.join(known)}, got {zone}",
            f"nearest legal: {known[0]}",
        )


def zone_of_unknown_account(zone: str | None, *, account_known: bool) -> Iterator[Finding]:
    """A zone's name means another zone in another account, so that a named one wants a named account.

    Source: AWS RAM User Guide, working-with-az-ids.
    """
    if zone and not is_zone_id(zone) and not account_known:
        yield Finding(
            "ZONE_OF_UNKNOWN_ACCOUNT",
            Level.WARNING,
            f"availability_zone {zone} is taken as it is: the stack's account is not known",
            "check with `aws ec2 describe-availability-zones` that the account has it, or give its zone id",
        )


def zone_not_chosen(zone: str | None, instance_type: str) -> Iterator[Finding]:
    """A type that is short is not in every zone, and the first one in the account's list need not have it.

    Source: EC2 API, DescribeInstanceTypeOfferings; that Capacity Blocks mean shortage is assumed.
    """
    name = instance_type.removeprefix(SAGEMAKER_PREFIX)
    if zone is None and name.partition(".")[0] in SCARCE_FAMILIES:
        ask = "aws ec2 describe-instance-type-offerings --location-type availability-zone-id"
        yield Finding(
            "ZONE_NOT_CHOSEN",
            Level.WARNING,
            f"availability_zone is not given, and not every zone has {name}; the first in the account's list is taken",
            f"set it to a zone id that `{ask} --filters Name=instance-type,Values={name}` lists",
        )


def one_zone_by_design(*, new_vpc: bool) -> Iterator[Finding]:
    """A second zone of a new VPC would hold nothing.

    Source: FSx API, CreateFileSystem (one subnet); EC2 User Guide, efa.
    """
    if new_vpc:
        yield Finding(
            "ONE_ZONE_BY_DESIGN",
            Level.INFO,
            f"the network has one zone by design: {ONE_ZONE}",
            "what other zones want, such as a load balancer, goes into a VPC of its own",
        )
