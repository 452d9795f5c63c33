"""Whether a file system that exists can be mounted by the nodes."""

from typing import Any

from epochwise.checks.existing_file_system import ExistingFileSystem, file_system_elsewhere, file_system_unusable
from epochwise.checks.preflight import Preflight, judged
from epochwise.live.answer_fields import first_of
from epochwise.live.by_hand import aws_command
from epochwise.live.failure import NotFoundError
from epochwise.live.given_network import has_subnet, subnet_of
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject


def is_named(subject: Subject) -> bool:
    """Tell whether a file system that exists is named."""
    return subject.named.file_system is not None


def described_file_system(subject: Subject) -> dict[str, Any]:
    """Return FSx's description of the named file system.

    Raises:
        AwsError: it does not exist, or AWS does not answer.
    """
    wanted = str(subject.named.file_system)
    found = subject.account.ask("fsx", "describe_file_systems", FileSystemIds=[wanted])["FileSystems"]
    if not found:
        raise NotFoundError(f"file system {wanted} does not exist")
    described: dict[str, Any] = found[0]
    return described


def existing_file_system(found: dict[str, Any]) -> ExistingFileSystem:
    """Read one of DescribeFileSystems' descriptions."""
    return ExistingFileSystem(
        id=str(found["FileSystemId"]),
        kind=str(found.get("FileSystemType")),
        lifecycle=str(found.get("Lifecycle")),
        failure=" ".join(str(found.get("FailureDetails", {}).get("Message", "")).split()).rstrip("."),
        vpc=str(found.get("VpcId", "")),
        subnet=str((found.get("SubnetIds") or [""])[0]),
    )


def _file_system(subject: Subject) -> Preflight:
    """Look at the file system's state, and at its zone where the nodes' subnet is named."""
    existing = existing_file_system(described_file_system(subject))
    findings = list(file_system_unusable(existing))
    where = existing.subnet
    if has_subnet(subject):
        of_nodes = subnet_of(subject)
        own = first_of(subject.account.ask("ec2", "describe_subnets", SubnetIds=[existing.subnet]), "Subnets")
        where = str(own["AvailabilityZone"])
        findings += file_system_elsewhere(
            existing, vpc=str(of_nodes["VpcId"]), zone=where, zone_of_nodes=str(of_nodes["AvailabilityZone"])
        )
    return judged("file-system", f"{existing.id} is {existing.lifecycle} in {where}", findings)


def _by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to describe the file system."""
    return (
        aws_command(
            "fsx",
            "describe-file-systems",
            region=subject.region,
            file_system_ids=str(subject.named.file_system),
            query="FileSystems[].[Lifecycle,FailureDetails.Message,VpcId,SubnetIds]",
        ),
    )


CHECKS = (Check("file-system", _file_system, _by_hand, is_named),)
