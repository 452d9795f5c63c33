"""Remarks about the shape of a file system that is to be created. One rule, one function, one id.

Which deployment type, capacity, throughput, drive cache and EFA go together is known to `epochwise.catalog.legality`
alone; here its answer becomes a finding. The rules about metadata, versions, backups, logs and the like have files of
their own and are gathered here.
"""

from collections.abc import Iterator

from epochwise.catalog.legality import Wanted, illegal_settings
from epochwise.checks.file_system_backups import backup_findings, destroy_not_allowed
from epochwise.checks.file_system_logs import log_findings
from epochwise.checks.file_system_metadata import metadata_findings
from epochwise.checks.file_system_schedule import schedule_findings
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.file_system_version import version_findings
from epochwise.checks.finding import Finding, Level
from epochwise.checks.import_path import import_path_findings
from epochwise.checks.read_cache import read_cache_findings

__all__ = ["FileSystemSettings", "destroy_not_allowed", "file_system_findings"]


def file_system_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about the settings."""
    yield from illegal_file_system(settings)
    yield from capacity_required(settings)
    yield from throughput_required(settings)
    yield from throughput_capacity_required(settings)
    yield from read_cache_findings(settings)
    yield from metadata_findings(settings)
    yield from version_findings(settings)
    yield from backup_findings(settings)
    yield from schedule_findings(settings)
    yield from log_findings(settings)
    yield from import_path_findings(settings)


def wanted_of(settings: FileSystemSettings) -> Wanted:
    """Return the settings that decide whether there is such a file system, as the catalog's rules take them."""
    return Wanted(
        deployment_types=(settings.deployment_type,),
        storage_type=settings.storage_type,
        storage_capacity_gib=settings.storage_capacity_gib,
        per_unit_storage_throughput=settings.per_unit_storage_throughput,
        drive_cache_type=settings.drive_cache_type,
        efa_enabled=settings.efa_enabled,
        throughput_capacity_mbps=settings.throughput_capacity_mbps,
    )


def illegal_file_system(settings: FileSystemSettings) -> Iterator[Finding]:
    """Some kind of FSx for Lustre file system has all of these settings.

    Source: FSx API, CreateFileSystemLustreConfiguration; FSx User Guide, using-fsx-lustre and getting-started.
    """
    for illegal in illegal_settings(wanted_of(settings)):
        yield Finding("FILE_SYSTEM_ILLEGAL", Level.ERROR, str(illegal), "let the plan choose with size=plan.choice")


def size_not_alone(label: str, others: list[str]) -> Iterator[Finding]:
    """What a plan chose is taken whole: a setting beside it would be another file system than the one predicted."""
    if others:
        yield Finding(
            "SIZE_NOT_ALONE",
            Level.ERROR,
            f"size must be alone, got {', '.join(others)} beside {label}",
            "leave them out, or leave size out",
        )


def size_missing(deployment_type: object) -> Iterator[Finding]:
    """A file system needs the choice of a plan, or its deployment type.

    Source: FSx API, LustreDeploymentType, whose own default is SCRATCH_1.
    """
    if deployment_type is None:
        yield Finding(
            "SIZE_MISSING",
            Level.ERROR,
            "size, or deployment_type, must be given, got neither",
            "pass size=plan.choice; a plan without a choice says why in its findings",
        )


def capacity_required(settings: FileSystemSettings) -> Iterator[Finding]:
    """Every type but Intelligent-Tiering has a storage capacity; one restored from a backup has the backup's.

    Source: CloudFormation, AWS::FSx::FileSystem StorageCapacity.
    """
    if not settings.is_tiering and not settings.gives("storage_capacity_gib") and not settings.gives("backup_id"):
        every = illegal_settings(
            Wanted(
                deployment_types=(settings.deployment_type,),
                storage_type=settings.storage_type,
                per_unit_storage_throughput=settings.per_unit_storage_throughput,
                efa_enabled=settings.efa_enabled,
                storage_capacity_gib=1,
            )
        )
        allowed = every[0].allowed if every and every[0].setting == "storage_capacity_gib" else "must be given"
        yield Finding("CAPACITY_REQUIRED", Level.ERROR, f"storage_capacity_gib {allowed}, got None", "pass it, in GiB")


def throughput_required(settings: FileSystemSettings) -> Iterator[Finding]:
    """Persistent types of SSD and HDD take a throughput per unit of storage, and have no default for it.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    if settings.deployment_type.is_scratch or settings.is_tiering or settings.gives("backup_id"):
        return
    if not settings.gives("per_unit_storage_throughput"):
        wanted = Wanted(
            deployment_types=(settings.deployment_type,),
            storage_type=settings.storage_type,
            per_unit_storage_throughput=-1,
        )
        every = illegal_settings(wanted)
        allowed = f" and {every[0].allowed}" if every and every[0].setting == "per_unit_storage_throughput" else ""
        yield Finding(
            "THROUGHPUT_REQUIRED",
            Level.ERROR,
            f"per_unit_storage_throughput is required{allowed}, got None",
            "pass it, in MB/s/TiB",
        )


def throughput_capacity_required(settings: FileSystemSettings) -> Iterator[Finding]:
    """Intelligent-Tiering takes a throughput capacity, which is its size.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    if settings.is_tiering and not settings.gives("throughput_capacity_mbps") and not settings.gives("backup_id"):
        yield Finding(
            "THROUGHPUT_CAPACITY_REQUIRED",
            Level.ERROR,
            "throughput_capacity_mbps is required and must be a multiple of 4000 with INTELLIGENT_TIERING, got None",
            "nearest legal: 4000",
        )
