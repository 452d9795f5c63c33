"""Rules about a file system that exists and is to be used."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.checks.finding import Finding, Level
from epochwise.checks.zone import ONE_ZONE

_USABLE = {"AVAILABLE", "UPDATING"}


@dataclass(frozen=True)
class ExistingFileSystem:
    """A file system as FSx's DescribeFileSystems has it."""

    id: str
    kind: str
    """FSx's FileSystemType."""
    lifecycle: str
    failure: str
    """What FSx says of its failure; empty where it did not fail."""
    vpc: str
    subnet: str


def file_system_unusable(found: ExistingFileSystem) -> Iterator[Finding]:
    """A file system that is to be mounted is there, and Lustre.

    Source: FSx API, FileSystemLifecycle and FailureDetails.
    """
    if found.kind != "LUSTRE" or found.lifecycle not in _USABLE:
        why = f": {found.failure}" if found.failure else ""
        yield Finding(
            "FILE_SYSTEM_UNUSABLE",
            Level.ERROR,
            f"file system {found.id} must be LUSTRE and {' or '.join(sorted(_USABLE))}, got {found.kind} and "
            f"{found.lifecycle}{why}",
            "wait for it or make another; FSx's message says what was wrong",
        )


def file_system_elsewhere(found: ExistingFileSystem, *, vpc: str, zone: str, zone_of_nodes: str) -> Iterator[Finding]:
    """Nodes and the file system that they mount are in one VPC and one zone.

    Source: FSx for Lustre User Guide, efa-file-systems and mount-troubleshooting; SageMaker Developer Guide, which
    wants the job's subnet in the file system's zone.
    """
    if vpc != found.vpc or zone != zone_of_nodes:
        yield Finding(
            "FILE_SYSTEM_ELSEWHERE",
            Level.ERROR,
            f"file system {found.id} is in {found.vpc} and {zone}, the nodes in {vpc} and {zone_of_nodes}: {ONE_ZONE}",
            f"take the file system's own subnet, {found.subnet}, for the nodes",
        )
