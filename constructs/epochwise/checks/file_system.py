"""Remarks about the settings of a file system that is to be created. One rule, one function, one id.

Which deployment type, capacity, throughput and EFA go together is known to `epochwise.catalog.legality` alone; here its
answer becomes a finding, beside the rules about metadata, keys, backups and retention.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    StorageType,
    automatic_metadata_iops,
    provisioned_metadata_iops,
)
from epochwise.catalog.legality import Wanted, illegal_settings
from epochwise.checks.finding import Finding, Level

BACKUP_RETENTION_DAYS = range(91)
"""AutomaticBackupRetentionDays that FSx takes."""


@dataclass(frozen=True, slots=True)
class FileSystemSettings:
    """What is asked of FSx; None for what is absent or not known before a deploy."""

    deployment_type: DeploymentType
    storage_type: StorageType
    storage_capacity_gib: int | None
    per_unit_storage_throughput: int | None
    efa_enabled: bool
    metadata_iops: int | None = None
    """Provisioned metadata IOPS; None for automatic, or for a type without metadata configuration."""
    customer_key: bool = False
    automatic_backup_retention_days: int | None = None
    throughput_known: bool = True
    """False when the throughput is a token."""


def file_system_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about the settings."""
    yield from illegal_file_system(settings)
    yield from throughput_required(settings)
    yield from metadata_needs_persistent_2(settings)
    yield from metadata_iops_illegal(settings)
    yield from metadata_iops_below_automatic(settings)
    yield from key_needs_persistent(settings)
    yield from backups_need_persistent(settings)
    yield from backup_retention_out_of_range(settings)


def illegal_file_system(settings: FileSystemSettings) -> Iterator[Finding]:
    """Some kind of FSx for Lustre file system has all of these settings."""
    wanted = Wanted(
        deployment_types=(settings.deployment_type,),
        storage_type=settings.storage_type,
        storage_capacity_gib=settings.storage_capacity_gib,
        per_unit_storage_throughput=settings.per_unit_storage_throughput,
        efa_enabled=settings.efa_enabled,
    )
    for illegal in illegal_settings(wanted):
        yield Finding("FILE_SYSTEM_ILLEGAL", Level.ERROR, str(illegal), "let the plan choose with size=plan.choice")


def throughput_required(settings: FileSystemSettings) -> Iterator[Finding]:
    """Persistent types take a throughput per unit of storage, and have no default for it.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    if (
        settings.throughput_known
        and not settings.deployment_type.is_scratch
        and settings.per_unit_storage_throughput is None
    ):
        every = illegal_settings(Wanted(deployment_types=(settings.deployment_type,), per_unit_storage_throughput=-1))
        allowed = f" and {every[0].allowed}" if every else ""
        yield Finding(
            "THROUGHPUT_REQUIRED",
            Level.ERROR,
            f"per_unit_storage_throughput is required{allowed}, got None",
            "pass it, in MB/s/TiB",
        )


def metadata_needs_persistent_2(settings: FileSystemSettings) -> Iterator[Finding]:
    """Only PERSISTENT_2 has a metadata configuration.

    Source: FSx User Guide, managing-metadata-performance.
    """
    if settings.metadata_iops is not None and settings.deployment_type is not DeploymentType.PERSISTENT_2:
        yield Finding(
            "METADATA_NEEDS_PERSISTENT_2",
            Level.ERROR,
            f"metadata_iops must be absent for {settings.deployment_type}, got {settings.metadata_iops}",
            "leave it out, or use PERSISTENT_2",
        )


def metadata_iops_illegal(settings: FileSystemSettings) -> Iterator[Finding]:
    """Metadata IOPS come in steps.

    Source: FSx API, CreateFileSystemLustreMetadataConfiguration.
    """
    iops, legal = settings.metadata_iops, provisioned_metadata_iops()
    if iops is not None and iops not in legal:
        below = [value for value in legal if value < iops][-1:]
        above = [value for value in legal if value > iops][:1]
        yield Finding(
            "METADATA_IOPS_ILLEGAL",
            Level.ERROR,
            f"metadata_iops must be 1500, 3000, 6000 or a multiple of 12000 up to {legal[-1]}, got {iops}",
            f"nearest legal: {' or '.join(str(value) for value in below + above)}",
        )


def metadata_iops_below_automatic(settings: FileSystemSettings) -> Iterator[Finding]:
    """Nobody can provision fewer metadata IOPS than automatic mode includes.

    Source: FSx API, CreateFileSystemLustreMetadataConfiguration; FSx User Guide, performance.
    """
    if settings.metadata_iops is None or settings.storage_capacity_gib is None:
        return
    included = automatic_metadata_iops(settings.storage_capacity_gib)
    if settings.metadata_iops < included:
        yield Finding(
            "METADATA_IOPS_BELOW_AUTOMATIC",
            Level.ERROR,
            f"metadata_iops must be {included} or more at {settings.storage_capacity_gib} GiB, "
            f"got {settings.metadata_iops}",
            "leave it out: automatic mode includes them at no charge",
        )


def key_needs_persistent(settings: FileSystemSettings) -> Iterator[Finding]:
    """Scratch file systems are encrypted with a key of the service.

    Source: FSx API, CreateFileSystem KmsKeyId.
    """
    if settings.customer_key and settings.deployment_type.is_scratch:
        yield Finding(
            "KEY_NEEDS_PERSISTENT",
            Level.ERROR,
            f"encryption_key must be absent for {settings.deployment_type}, which FSx encrypts with its own",
            "leave it out, or use PERSISTENT_2",
        )


def backups_need_persistent(settings: FileSystemSettings) -> Iterator[Finding]:
    """Scratch file systems have no backups.

    Source: FSx User Guide, using-backups-fsx.
    """
    if settings.automatic_backup_retention_days and settings.deployment_type.is_scratch:
        yield Finding(
            "BACKUPS_NEED_PERSISTENT",
            Level.ERROR,
            f"automatic_backup_retention_days must be absent for {settings.deployment_type}, "
            f"got {settings.automatic_backup_retention_days}",
            "leave it out, or use PERSISTENT_2",
        )


def backup_retention_out_of_range(settings: FileSystemSettings) -> Iterator[Finding]:
    """Automatic backups are kept for 0 (none) to 90 days.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    days = settings.automatic_backup_retention_days
    if days is not None and days not in BACKUP_RETENTION_DAYS:
        yield Finding(
            "BACKUP_RETENTION_OUT_OF_RANGE",
            Level.ERROR,
            f"automatic_backup_retention_days must be 0 to {BACKUP_RETENTION_DAYS[-1]}, got {days}",
            f"nearest legal: {min(max(days, 0), BACKUP_RETENTION_DAYS[-1])}",
        )


def destroy_not_allowed() -> Finding:
    """A persistent file system is destroyed only when the app says so as well as the construct."""
    return Finding(
        "DESTROY_NOT_ALLOWED",
        Level.WARNING,
        "removal_policy DESTROY of a persistent file system is not followed, it will be retained",
        "set the context epochwise:allow-destroy to true as well",
    )
