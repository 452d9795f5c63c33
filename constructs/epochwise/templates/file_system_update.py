"""What CloudFormation and FSx make of a changed property of a file system that is deployed."""

from collections.abc import Mapping
from typing import Any

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    DriveCacheType,
    MetadataMode,
    StorageType,
    automatic_metadata_iops,
)
from epochwise.catalog.legality import Illegal, Wanted, illegal_settings
from epochwise.catalog.replacement import LUSTRE, UpdateRule
from epochwise.checks.file_system_metadata import metadata_iops_below_automatic, metadata_iops_illegal
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding
from epochwise.checks.update import (
    update_can_only_fail,
    update_growth_step_illegal,
    update_in_place,
    update_shrinks,
    update_unknown,
)
from epochwise.templates.intrinsics import holds_intrinsic

READ_CACHE_LEAST_CHANGE = 0.1
"""Share by which an SSD read cache must change (FSx User Guide, managing-ssd-read-cache)."""
_SHAPE = (
    "StorageCapacity",
    "StorageType",
    *(
        f"{LUSTRE}.{name}"
        for name in ("DeploymentType", "DriveCacheType", "EfaEnabled", "PerUnitStorageThroughput", "ThroughputCapacity")
    ),
)
"""What decides which sizes are legal."""
_JUDGED = (
    "StorageCapacity",
    "ThroughputCapacity",
    "PerUnitStorageThroughput",
    "MetadataConfiguration",
    "FileSystemTypeVersion",
    "DataReadCacheConfiguration",
)
"""What is updated in place only within limits."""

Properties = Mapping[str, Any]
"""Properties by path, with a dot below LustreConfiguration, in canonical form: numbers and booleans are text."""


def in_place_update(rule: UpdateRule, old: Properties, new: Properties, place: str, cause: str) -> Finding:
    """Return what is to be said about a property that CloudFormation updates and FSx can change."""
    before, after = old.get(rule.name), new.get(rule.name)
    name = rule.name.removeprefix(f"{LUSTRE}.")
    if name in _JUDGED:
        unseen = [each for each in (rule.name, *_SHAPE) if any(holds_intrinsic(side.get(each)) for side in (old, new))]
        if unseen:
            return update_unknown(place, cause=cause, doubt=f"{unseen[0]} is known to the deploy only")
    failure: Finding | str | None = None
    match name:
        case "StorageCapacity" | "ThroughputCapacity":
            failure = _growth(before, after, old, new, place)
        case "PerUnitStorageThroughput":
            failure = _tier(old, new)
        case "MetadataConfiguration":
            failure = _metadata(before, after, old, new, place)
        case "FileSystemTypeVersion":
            if before is not None and _version(after) < _version(before):
                failure = "a file system's Lustre version only becomes newer"
        case "DataReadCacheConfiguration":
            failure = _read_cache(before, after)
    if isinstance(failure, str):
        return update_can_only_fail(place, cause=cause, note=failure)
    return failure or update_in_place(place, cause=cause, note=rule.note)


def _growth(before: Any, after: Any, old: Properties, new: Properties, place: str) -> Finding | str | None:
    """Return what is wrong with a growth of storage or throughput capacity."""
    was, becomes = _number(before), _number(after)
    if was is None or becomes is None:
        return "a file system has it from its creation, and keeps it"
    if becomes < was:
        return update_shrinks(place, was=was, becomes=becomes)
    if old.get(f"{LUSTRE}.DeploymentType") in (None, DeploymentType.SCRATCH_1):
        return "SCRATCH_1, which is FSx's default, cannot grow"
    illegal = _illegal(new)
    return update_growth_step_illegal(place, was=was, illegal=str(illegal[0])) if illegal else None


def _tier(old: Properties, new: Properties) -> str | None:
    """Return what is wrong with a change of throughput per unit of storage."""
    if old.get(f"{LUSTRE}.EfaEnabled") == "true":
        return "an EFA-enabled file system keeps its throughput per unit of storage; grow its storage instead"
    persistent = old.get(f"{LUSTRE}.DeploymentType") in (DeploymentType.PERSISTENT_1, DeploymentType.PERSISTENT_2)
    if not persistent or old.get("StorageType", StorageType.SSD) != StorageType.SSD:
        return "only persistent file systems on SSD change their throughput"
    illegal = _illegal(new)
    return str(illegal[0]) if illegal else None


def _metadata(before: Any, after: Any, old: Properties, new: Properties, place: str) -> Finding | str | None:
    """Return what is wrong with a change of the metadata configuration."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return "a metadata configuration is given at creation or never, and stays"
    included = automatic_metadata_iops(_number(old.get("StorageCapacity")) or 0)
    was, becomes = _number(before.get("Iops")) or included, _number(after.get("Iops"))
    if after.get("Mode") == MetadataMode.AUTOMATIC:
        enough = was <= automatic_metadata_iops(_number(new.get("StorageCapacity")) or 0)
        return None if enough else f"automatic mode would give fewer metadata IOPS than the {was} it has"
    if becomes is None:
        return "mode USER_PROVISIONED needs Iops"
    if becomes < was:
        return update_shrinks(place, was=was, becomes=becomes)
    settings = _settings(new, becomes)
    for finding in (
        ()
        if settings is None
        else (
            *metadata_iops_illegal(settings),
            *metadata_iops_below_automatic(settings),
        )
    ):
        return f"{finding.message}; {finding.fix}"
    return None


def _read_cache(before: Any, after: Any) -> str | None:
    """Return what is wrong with a change of the SSD read cache."""
    sizes = [_number(each.get("SizeGiB")) if isinstance(each, dict) else None for each in (before, after)]
    match sizes:
        case [int(was), int(becomes)] if abs(becomes - was) < was * READ_CACHE_LEAST_CHANGE:
            return f"an SSD read cache of {was} GiB changes by 10 % or more, got {becomes}"
    return None


def _wanted(properties: Properties) -> Wanted | None:
    """Return a template's file system as the catalog's rules take it; None where it has words they do not know."""
    try:
        deployment_type = DeploymentType(properties.get(f"{LUSTRE}.DeploymentType", DeploymentType.SCRATCH_1))
        drive_cache = properties.get(f"{LUSTRE}.DriveCacheType")
        return Wanted(
            deployment_types=(deployment_type,),
            storage_type=StorageType(properties.get("StorageType", StorageType.SSD)),
            storage_capacity_gib=_number(properties.get("StorageCapacity")),
            per_unit_storage_throughput=_number(properties.get(f"{LUSTRE}.PerUnitStorageThroughput")),
            drive_cache_type=None if drive_cache is None else DriveCacheType(drive_cache),
            efa_enabled=properties.get(f"{LUSTRE}.EfaEnabled") == "true",
            throughput_capacity_mbps=_number(properties.get(f"{LUSTRE}.ThroughputCapacity")),
        )
    except (ValueError, TypeError):
        return None


def _illegal(properties: Properties) -> list[Illegal]:
    """Return why no legal file system has a template's settings; empty where that cannot be seen."""
    wanted = _wanted(properties)
    return [] if wanted is None else illegal_settings(wanted)


def _settings(properties: Properties, metadata_iops: int) -> FileSystemSettings | None:
    """Return a template's file system as the rules about metadata take it."""
    wanted = _wanted(properties)
    if wanted is None or wanted.deployment_types is None or wanted.storage_type is None:
        return None
    return FileSystemSettings(
        deployment_type=next(iter(wanted.deployment_types)),
        storage_type=wanted.storage_type,
        storage_capacity_gib=wanted.storage_capacity_gib,
        per_unit_storage_throughput=wanted.per_unit_storage_throughput,
        efa_enabled=bool(wanted.efa_enabled),
        metadata_iops=metadata_iops,
    )


def _number(value: Any) -> int | None:
    """Return a whole number that stands in a template, None for anything else."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def _version(value: Any) -> tuple[int, ...]:
    """Return a version's numbers; none for what is no version."""
    parts = str(value).split(".")
    return tuple(int(part) for part in parts) if all(part.isascii() and part.isdecimal() for part in parts) else ()
