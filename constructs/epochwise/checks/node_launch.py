"""Remarks about how EC2 nodes are launched. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level
from epochwise.checks.network import instance_type_unknown, instance_type_without_efa


def node_launch_findings(
    *, instance_type: str, capacity_reservation_id: str | None, capacity_block: bool
) -> Iterator[Finding]:
    """Yield every remark about a launch template; None for a reservation that is not given."""
    yield from instance_type_unknown(instance_type)
    yield from instance_type_without_efa(2, instance_type)
    yield from capacity_reservation_id_invalid(capacity_reservation_id)
    yield from capacity_block_without_id(capacity_reservation_id, capacity_block=capacity_block)
    yield from capacity_reservation_not_visible(capacity_reservation_id, instance_type)


def capacity_reservation_id_invalid(reservation_id: str | None) -> Iterator[Finding]:
    """A capacity reservation has an id of EC2.

    Source: EC2 API, CapacityReservationTarget.
    """
    if reservation_id is not None and not re.fullmatch(r"cr-[0-9a-f]{8,17}", reservation_id):
        yield Finding(
            "CAPACITY_RESERVATION_ID_INVALID",
            Level.ERROR,
            f"capacity_reservation_id must be cr- and 8 to 17 of 0-9 a-f, got {reservation_id!r:.60}",
            "take it from `aws ec2 describe-capacity-reservations`",
        )


def capacity_block_without_id(reservation_id: str | None, *, capacity_block: bool) -> Iterator[Finding]:
    """A Capacity Block is bought ahead, and instances name the one they are launched into.

    Source: EC2 User Guide, capacity-blocks-launch.
    """
    if capacity_block and reservation_id is None:
        yield Finding(
            "CAPACITY_BLOCK_WITHOUT_ID",
            Level.ERROR,
            "capacity_block needs capacity_reservation_id, got None",
            "pass the id of the Capacity Block, or leave capacity_block out",
        )


def capacity_reservation_not_visible(reservation_id: str | None, instance_type: str) -> Iterator[Finding]:
    """Whether a reservation is of the instance type and in the zone of the subnet is known to its account only.

    Source: EC2 API, DescribeCapacityReservations.
    """
    if reservation_id is not None:
        ask = f"aws ec2 describe-capacity-reservations --capacity-reservation-ids {reservation_id}"
        yield Finding(
            "CAPACITY_RESERVATION_NOT_VISIBLE",
            Level.WARNING,
            f"whether capacity reservation {reservation_id} is for {instance_type}, targeted, and in the zone of the "
            "subnet cannot be seen here",
            f"verify with `{ask} --query CapacityReservations[].[InstanceType,AvailabilityZoneId,State]`",
        )
