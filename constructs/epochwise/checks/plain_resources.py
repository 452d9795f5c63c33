"""Remarks about resources of any CDK app or template, which our constructs did not make. One rule, one id."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from epochwise.checks.finding import Finding, Level


def property_unknown_word(path: str, value: object, words: Sequence[str]) -> Iterator[Finding]:
    """A property of few words holds one of them.

    Source: FSx API, CreateFileSystem and CreateFileSystemLustreConfiguration.
    """
    if value not in words:
        near = get_close_matches(str(value).upper(), words, n=1)
        yield Finding(
            "PROPERTY_UNKNOWN_WORD",
            Level.ERROR,
            f"{path} must be {' or '.join(words)}, got {value!r:.60}",
            f"nearest legal: {(near or words)[0]}",
        )


def retained_without_its_group(file_system: str, group: str) -> Iterator[Finding]:
    """A file system that outlives its stack keeps the group that lets clients in, or the stack cannot be deleted.

    EC2 does not delete a group that a network interface uses, and a file system keeps its interfaces. Source: EC2 User
    Guide, delete a security group; that the deletion of the stack then fails is unverified.
    """
    yield Finding(
        "RETAINED_WITHOUT_ITS_GROUP",
        Level.ERROR,
        f"{file_system} is retained and its security group {group} is not: the stack cannot delete a group in use",
        f"set DeletionPolicy and UpdateReplacePolicy of {group} and of its rules to Retain as well",
    )


def lustre_ports_open(group: str, *, address: str, ports: Sequence[int]) -> Iterator[Finding]:
    """File servers are reached by their clients, not by anyone.

    Lustre has no passwords: who reaches TCP 988 mounts the file system. Source: FSx User Guide,
    limit-access-security-groups.
    """
    if ports:
        yield Finding(
            "LUSTRE_PORTS_OPEN",
            Level.ERROR,
            f"{group} lets {address} reach file servers on TCP {ports[0]}{' and others' if len(ports) > 1 else ''}",
            "name the clients' security group as the source instead",
        )


def multi_node_job_without_vpc(state: str, *, nodes: int | None, has_vpc: bool) -> Iterator[Finding]:
    """A job of several nodes outside a VPC has no file system, and no group of its own for EFA.

    Source: SageMaker API, VpcConfig; SageMaker Developer Guide, model access training data from FSx.
    """
    if nodes is not None and nodes > 1 and not has_vpc:
        yield Finding(
            "MULTI_NODE_JOB_WITHOUT_VPC",
            Level.WARNING,
            f"state {state} starts a training job of {nodes} nodes without VpcConfig",
            "give it VpcConfig with the subnet of the file system and a group that allows all traffic with itself",
        )


def training_subnet_in_another_zone(state: str, *, zone: str, file_systems: Mapping[str, str]) -> Iterator[Finding]:
    """Nodes train in the zone of their file system.

    Traffic between zones is slower, is billed in both directions, and EFA does not cross. Source: FSx User Guide,
    efa-file-systems and performance-tips.

    Args:
        state: the state that starts the job.
        zone: where its nodes are.
        file_systems: the app's file systems by their zone.
    """
    if zone not in file_systems:
        where = ", ".join(f"{name} in {other}" for other, name in file_systems.items())
        yield Finding(
            "TRAINING_SUBNET_IN_ANOTHER_ZONE",
            Level.WARNING,
            f"state {state} starts its nodes in {zone}, and the app's file systems are elsewhere: {where}",
            "use the subnet of the file system",
        )


def acknowledgement_matches_nothing(finding_id: str, path: str) -> Finding:
    """An acknowledgement that matches no finding hides the next one that it happens to match."""
    return Finding(
        "ACKNOWLEDGEMENT_MATCHES_NOTHING",
        Level.WARNING,
        f"{path} acknowledges {finding_id}, and nothing there is found under that id",
        "remove the acknowledgement, or correct its id",
    )
