"""`ExistingFileSystem`: what FSx says of a file system, as a family and a size of the catalog."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    DriveCacheType,
    Family,
    MetadataMode,
    StorageType,
    automatic_metadata_iops,
)
from epochwise.catalog.intelligent_tiering import tiering_metadata_iops
from epochwise.catalog.legality import AnyFamily, Wanted, illegal_settings, matching_families
from epochwise.checks.tuning_refusals import tune_file_system_unknown, tune_not_lustre
from epochwise.sizing.candidate import Size
from epochwise.tuning.refusal import NotTunableError

_UPDATE = "FILE_SYSTEM_UPDATE"
_UNDER_WAY = {"PENDING", "IN_PROGRESS", "UPDATED_OPTIMIZING"}


@dataclass(frozen=True)
class ExistingFileSystem:
    """A file system that a job reads from."""

    file_system_id: str
    family: AnyFamily
    size: Size
    updated: datetime | None = None
    """When its last update was asked for; None where FSx knows of none."""
    updating: bool = False
    """Whether an update is still under way, the move of data to new servers included."""


def existing_file_system(description: Mapping[str, Any]) -> ExistingFileSystem:
    """Read what DescribeFileSystems says of one file system.

    Source: botocore 1.44.8, FileSystem and AdministrativeAction.

    Raises:
        NotTunableError: it is no FSx for Lustre file system, or none that the catalog knows.
    """
    name = str(description["FileSystemId"])
    if description.get("FileSystemType") != "LUSTRE":
        raise NotTunableError(tune_not_lustre(name, str(description.get("FileSystemType", "of no type"))))
    lustre: Mapping[str, Any] = description.get("LustreConfiguration") or {}
    wanted = _wanted(name, description, lustre)
    unlike = illegal_settings(wanted)
    families = [] if unlike else matching_families(wanted)
    if len(families) != 1:
        said = str(unlike[0]) if unlike else f"{len(families)} kinds of file system have its settings"
        raise NotTunableError(tune_file_system_unknown(name, said))
    updates = [each for each in description.get("AdministrativeActions", ()) if _is_update(each)]
    return ExistingFileSystem(
        name,
        families[0],
        _size(families[0], wanted, lustre),
        updated=max((each["RequestTime"] for each in updates if "RequestTime" in each), default=None),
        updating=any(each.get("Status") in _UNDER_WAY for each in updates),
    )


def _is_update(action: Mapping[str, Any]) -> bool:
    """Tell whether an administrative action is an update that was not refused."""
    return action.get("AdministrativeActionType") == _UPDATE and action.get("Status") not in {"FAILED", "CANCELLED"}


def _wanted(name: str, description: Mapping[str, Any], lustre: Mapping[str, Any]) -> Wanted:
    """Return its settings as the catalog's rules take them.

    Raises:
        NotTunableError: a word of it is none that the catalog knows.
    """
    try:
        storage_type = StorageType(description.get("StorageType") or StorageType.SSD)
        cache = lustre.get("DriveCacheType")
        elastic = storage_type is StorageType.INTELLIGENT_TIERING
        return Wanted(
            deployment_types=(DeploymentType(lustre.get("DeploymentType") or DeploymentType.SCRATCH_1),),
            storage_type=storage_type,
            # FSx states a storage capacity of elastic storage as well, which is no setting of it
            storage_capacity_gib=None if elastic else int(description.get("StorageCapacity") or 0),
            per_unit_storage_throughput=lustre.get("PerUnitStorageThroughput"),
            drive_cache_type=DriveCacheType(cache or DriveCacheType.NONE) if storage_type is StorageType.HDD else None,
            efa_enabled=bool(lustre.get("EfaEnabled")),
            throughput_capacity_mbps=lustre.get("ThroughputCapacity"),
        )
    except ValueError as error:
        raise NotTunableError(tune_file_system_unknown(name, str(error))) from None


def _size(family: AnyFamily, wanted: Wanted, lustre: Mapping[str, Any]) -> Size:
    """Return its size; metadata IOPS that FSx does not state are those of its capacity."""
    metadata: Mapping[str, Any] = lustre.get("MetadataConfiguration") or {}
    mode = MetadataMode(metadata["Mode"]) if metadata.get("Mode") else None
    match family:
        case Family():
            capacity_gib = wanted.storage_capacity_gib or 0
            iops = int(metadata.get("Iops") or automatic_metadata_iops(capacity_gib))
            return Size(capacity_gib, metadata_mode=mode, metadata_iops=iops)
        case _:
            cache: Mapping[str, Any] = lustre.get("DataReadCacheConfiguration") or {}
            return Size(
                throughput_capacity_mbps=wanted.throughput_capacity_mbps,
                read_cache_gib=int(cache.get("SizeGiB") or 0),
                metadata_mode=mode,
                metadata_iops=int(metadata.get("Iops") or tiering_metadata_iops()[0]),
            )
