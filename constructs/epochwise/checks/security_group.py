"""Remarks about the security groups of the training nodes."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level
from epochwise.checks.physical_id import in_command

MOST_SECURITY_GROUPS = 5
"""SageMaker API, VpcConfig."""


def security_groups_out_of_range(count: int) -> Iterator[Finding]:
    """A job has one to five groups. Source: SageMaker API, VpcConfig."""
    if not 1 <= count <= MOST_SECURITY_GROUPS:
        yield Finding(
            "SECURITY_GROUPS_OUT_OF_RANGE",
            Level.ERROR,
            f"security_groups must be 1 to {MOST_SECURITY_GROUPS}, got {count}",
            f"nearest legal: the first {MOST_SECURITY_GROUPS}" if count else "leave it out for a group of its own",
        )


def security_groups_without_vpc(count: int) -> Iterator[Finding]:
    """A group belongs to a VPC, and none can belong to one that is not there yet.

    Source: VPC User Guide, vpc-security-groups.
    """
    if count:
        yield Finding(
            "SECURITY_GROUPS_WITHOUT_VPC",
            Level.ERROR,
            f"security_groups belong to a VPC that exists, got {count} without vpc",
            "pass their vpc, or leave security_groups out for a group of its own",
        )


def efa_group_not_visible(group_id: str, *, created_here: bool) -> Iterator[Finding]:
    """The rules of an imported group cannot be seen, and EFA works only where it has the two to itself.

    They are not added unasked: EC2 refuses a rule that is there. Source: EC2 User Guide, efa-start.
    """
    if created_here:
        return
    ask = f"aws ec2 describe-security-group-rules --filters Name=group-id,Values={in_command(group_id, 'group id')}"
    yield Finding(
        "EFA_GROUP_NOT_VISIBLE",
        Level.WARNING,
        f"whether security group {group_id} allows all traffic from itself and to itself cannot be seen here; without "
        "both rules jobs stall",
        f"verify with `epochwise check`, or with `{ask}`; allow_efa_peer of the group adds them where they are absent",
    )


def efa_peer_not_a_group(kind: str, *, is_group: bool) -> Iterator[Finding]:
    """A peer of EFA is a security group, named by its id.

    Rules by address do not count, even 0.0.0.0/0. Source: FSx User Guide, limit-access-security-groups.
    """
    if not is_group:
        yield Finding(
            "EFA_PEER_NOT_A_GROUP",
            Level.ERROR,
            f"the peer must be a security group, got {kind}: rules by address or prefix list do not satisfy EFA",
            "pass the peer's security group, such as ec2.SecurityGroup.from_security_group_id(...)",
        )


def efa_peer_not_writable(group_id: str, *, written: bool) -> Iterator[Finding]:
    """A group that is imported as immutable gets no rules, and EFA needs them on both groups.

    Source: EC2 User Guide, efa-start.
    """
    if not written:
        yield Finding(
            "EFA_PEER_NOT_WRITABLE",
            Level.WARNING,
            f"security group {group_id} is imported as immutable, so that only the nodes' own group got its rules",
            "import it with mutable=True, or let its owner allow all traffic from and to the nodes' group by id",
        )
