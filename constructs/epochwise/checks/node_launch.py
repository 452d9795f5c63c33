"""Remarks about how EC2 nodes are launched. One rule, one function, one id."""

import re
from collections.abc import Iterator
from dataclasses import replace

from epochwise.catalog.instance_families import takes_cluster_placement
from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.checks.finding import Finding, Level
from epochwise.checks.network import instance_type_unknown, instance_type_without_efa
from epochwise.checks.subnet import LARGEST_SUBNET_PREFIX_LENGTH, AddressBudget, subnet_addresses


def node_launch_findings(
    *,
    instance_type: str,
    capacity_reservation_id: str | None,
    capacity_block: bool,
    node_group: bool = False,
    instance_profile: bool = False,
    image: bool = False,
    user_data: bool = False,
    multipart: bool = False,
    powershell: bool = False,
) -> Iterator[Finding]:
    """Yield every remark about a launch template.

    Args:
        instance_type: of the nodes.
        capacity_reservation_id: None where none is given.
        capacity_block: whether that is a Capacity Block.
        node_group: whether a managed node group of EKS takes the template.
        instance_profile: whether the template names one.
        image: likewise.
        user_data: likewise.
        multipart: whether the user data is a multipart archive.
        powershell: whether it is a script of Windows.
    """
    yield from instance_type_unknown(instance_type)
    yield from instance_type_not_clustered(instance_type)
    if node_group:
        yield from node_group_has_own_profile(instance_profile=instance_profile)
        yield from node_group_user_data_not_multipart(user_data=user_data and not image, multipart=multipart)
    yield from node_user_data_of_windows(powershell=powershell)
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


def instance_type_not_clustered(instance_type: str) -> Iterator[Finding]:
    """Nodes start in a cluster placement group, which burstable types and some others do not.

    Source: EC2 API, DescribeInstanceTypes PlacementGroupInfo SupportedStrategies.
    """
    row = catalog_row(instance_type)
    if row is not None and not takes_cluster_placement(row):
        yield Finding(
            "INSTANCE_TYPE_NOT_CLUSTERED",
            Level.ERROR,
            f"instance_type must be one that starts in a cluster placement group, got {instance_type}",
            "take one such as m7i.large, or a type with EFA such as p5.48xlarge; burstable ones have no such groups",
        )


def nodes_of_other_type(planned: AddressBudget, instance_type: str, prefix_length: int | None) -> Iterator[Finding]:
    """A network is laid out for nodes of one type, and others set more addresses aside; None for an unknown subnet.

    Source: SageMaker Developer Guide (addresses per training instance); one per interface of EC2 nodes is assumed,
    though EFA-only interfaces take none.
    """
    budget = replace(planned, instance_type=instance_type)
    there = subnet_addresses(LARGEST_SUBNET_PREFIX_LENGTH if prefix_length is None else prefix_length)
    if budget.needed > there:
        size = "the largest subnet" if prefix_length is None else f"its subnet of /{prefix_length}"
        yield Finding(
            "NODES_OF_OTHER_TYPE",
            Level.WARNING,
            f"the network was planned for {planned.nodes} nodes of {planned.instance_type}, and {size} has "
            f"{max(there, 0)} addresses: {budget}",
            f"plan the network for {instance_type}, or launch fewer: nearest legal: {budget.most_that_fit(there)}",
        )


def node_group_has_own_profile(*, instance_profile: bool) -> Iterator[Finding]:
    """A managed node group makes the instance profile of its node role by itself.

    Source: EKS User Guide, launch-templates (settings that a template must not have); unverified since.
    """
    if instance_profile:
        yield Finding(
            "NODE_GROUP_HAS_OWN_PROFILE",
            Level.ERROR,
            "instance_profile must be absent with node_group=True, got one",
            "leave it out, and give the node group a node_role",
        )


def node_group_user_data_not_multipart(*, user_data: bool, multipart: bool) -> Iterator[Finding]:
    """EKS adds a part to the user data of a managed node group, which is multipart then, unless the image is named.

    Source: EKS User Guide, launch-templates (user data); unverified since.
    """
    if user_data and not multipart:
        yield Finding(
            "NODE_GROUP_USER_DATA_NOT_MULTIPART",
            Level.ERROR,
            "user_data must be multipart with node_group=True and no image, since EKS adds a part, got another format",
            "make it a part of ec2.MultipartUserData: add_user_data_part(linux, ec2.MultipartBody.SHELL_SCRIPT, True)",
        )


def node_user_data_of_windows(*, powershell: bool) -> Iterator[Finding]:
    """Nodes run Linux, where nothing runs a script of Windows, so that nothing is mounted and nobody is told.

    Source: EC2 User Guide, user-data (shell scripts and cloud-init directives); FSx User Guide, lustre-client-matrix.
    """
    if powershell:
        yield Finding(
            "NODE_USER_DATA_OF_WINDOWS",
            Level.ERROR,
            "user_data must be of Linux, as the nodes are, got a script of Windows",
            "pass the file system's user_data(…), or begin with ec2.UserData.for_linux()",
        )
