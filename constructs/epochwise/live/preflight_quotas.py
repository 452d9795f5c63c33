"""Whether the planned file system fits into the account's quotas of FSx, beside those that are there."""

from dataclasses import replace
from typing import Any

from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.catalog.service_quotas import LustreSize, file_system_quotas
from epochwise.checks.preflight import Preflight, judged
from epochwise.checks.quota import QuotaUse, file_system_quota_exceeded
from epochwise.live.account_quotas import AccountQuota, account_quotas, quotas_by_hand
from epochwise.live.by_hand import aws_command
from epochwise.live.failure import NotFoundError
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject
from epochwise.sizing.candidate import Candidate


def _is_created(subject: Subject) -> bool:
    """Tell whether the deploy makes a file system."""
    return subject.named.file_system is None


def size_of(candidate: Candidate) -> LustreSize:
    """Return what of a candidate counts against quotas."""
    return LustreSize(
        candidate.deployment_type,
        candidate.storage_type,
        candidate.storage_capacity_gib or 0,
        candidate.throughput_capacity_mbps or 0,
        candidate.read_cache_gib or 0,
    )


def size_of_existing(found: dict[str, Any]) -> LustreSize | None:
    """Return what of a file system counts against quotas; None where it is of a kind that is not known."""
    lustre = found.get("LustreConfiguration", {})
    try:
        deployment_type = DeploymentType(lustre.get("DeploymentType", ""))
        storage_type = StorageType(found.get("StorageType", StorageType.SSD))
    except ValueError:
        return None
    return LustreSize(
        deployment_type,
        storage_type,
        int(found.get("StorageCapacity") or 0),
        int(lustre.get("ThroughputCapacity") or 0),
        int(lustre.get("DataReadCacheConfiguration", {}).get("SizeGiB") or 0),
    )


def _quotas(subject: Subject) -> Preflight:
    """Compare what is used and allowed with what is planned, and name what else is planned and would fit."""
    choice = subject.choice
    wanted = [each.quota for each in file_system_quotas(size_of(choice))]
    there = account_quotas(subject.account, wanted)
    existing = _existing(subject)
    uses = quota_uses(size_of(choice), existing, there)
    findings = [finding for use in uses for finding in file_system_quota_exceeded(use)]
    absent = [quota.name for quota in wanted if quota.name not in there]
    unknown = f"Service Quotas lists no quota called {', '.join(absent)}" if absent else ""
    instead = _others(subject, existing) if findings else ""
    return judged("file-system-quota", "; ".join(map(str, uses)), findings, unknown=unknown, instead=instead)


def quota_uses(size: LustreSize, existing: list[LustreSize], there: dict[str, AccountQuota]) -> list[QuotaUse]:
    """Return every quota that the account lists of those that a file system counts against, with what is used."""
    return [
        QuotaUse(
            replace(each.quota, code=there[each.quota.name].named.code),
            there[each.quota.name].limit,
            needed=each.counts(size),
            used=0 if each.per_file_system else sum(map(each.counts, existing)),
        )
        for each in file_system_quotas(size)
        if each.quota.name in there
    ]


def _existing(subject: Subject) -> list[LustreSize]:
    """Return the Lustre file systems that are there, less those of the stack that is to be updated."""
    own = _of_stack(subject)
    found = subject.account.listed("fsx", "describe_file_systems", "FileSystems")
    sizes = [
        size_of_existing(each)
        for each in found
        if each.get("FileSystemType") == "LUSTRE" and each.get("FileSystemId") not in own
    ]
    return [size for size in sizes if size is not None]


def _of_stack(subject: Subject) -> set[str]:
    """Return the ids of the file systems of the stack that is to be updated."""
    if subject.named.stack is None:
        return set()
    try:
        resources = subject.account.listed(
            "cloudformation", "list_stack_resources", "StackResourceSummaries", StackName=subject.named.stack
        )
    except NotFoundError:
        return set()
    return {str(each.get("PhysicalResourceId")) for each in resources if each["ResourceType"] == "AWS::FSx::FileSystem"}


def _others(subject: Subject, existing: list[LustreSize]) -> str:
    """Name the plan's alternatives that meet the target and fit into their quotas."""
    fitting = []
    for candidate, _, misses in subject.plan.alternatives:
        size = size_of(candidate)
        there = account_quotas(subject.account, [each.quota for each in file_system_quotas(size)])
        uses = quota_uses(size, existing, there)
        if not misses and uses and all(use.fits for use in uses):
            fitting.append(f"{candidate.label} ({candidate.monthly_usd:.2f} USD a month)")
    return f"what would fit: {', '.join(fitting)}" if fitting else ""


def _by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look up the quotas, and the file systems that count against them."""
    choice = subject.plan.choice
    quotas = [] if choice is None else [each.quota for each in file_system_quotas(size_of(choice))]
    return (
        *(quotas_by_hand(quotas, subject.region) if quotas else ()),
        aws_command(
            "fsx",
            "describe-file-systems",
            region=subject.region,
            query="FileSystems[?FileSystemType=='LUSTRE']"
            ".[FileSystemId,LustreConfiguration.DeploymentType,StorageType,StorageCapacity]",
        ),
    )


CHECKS = (Check("file-system-quota", _quotas, _by_hand, _is_created),)
