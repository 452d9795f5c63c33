"""Read the settings of an FSx for Lustre file system from a template."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
from epochwise.catalog.replacement import LUSTRE
from epochwise.checks.file_system_settings import (
    LUSTRE_VERSIONS,
    AutoImportPolicy,
    FileSystemSettings,
    LogLevel,
    ReadCacheMode,
)
from epochwise.checks.finding import Finding
from epochwise.checks.plain_resources import property_unknown_word
from epochwise.policy.app_resources import Resource
from epochwise.templates.intrinsics import is_intrinsic

_WORDS: Mapping[str, type[StrEnum]] = {
    "deployment_type": DeploymentType,
    "storage_type": StorageType,
    "drive_cache_type": DriveCacheType,
    "read_cache_mode": ReadCacheMode,
    "metadata_mode": MetadataMode,
    "log_level": LogLevel,
    "auto_import_policy": AutoImportPolicy,
}
_NUMBERS = {
    "storage_capacity_gib",
    "per_unit_storage_throughput",
    "metadata_iops",
    "automatic_backup_retention_days",
    "throughput_capacity_mbps",
    "read_cache_gib",
    "imported_file_chunk_size_mib",
}
_FLAGS = {"efa_enabled", "copy_tags_to_backups"}
_PATHS: Mapping[str, tuple[str, ...]] = {
    "deployment_type": (LUSTRE, "DeploymentType"),
    "storage_type": ("StorageType",),
    "storage_capacity_gib": ("StorageCapacity",),
    "per_unit_storage_throughput": (LUSTRE, "PerUnitStorageThroughput"),
    "efa_enabled": (LUSTRE, "EfaEnabled"),
    "metadata_iops": (LUSTRE, "MetadataConfiguration", "Iops"),
    "metadata_mode": (LUSTRE, "MetadataConfiguration", "Mode"),
    "automatic_backup_retention_days": (LUSTRE, "AutomaticBackupRetentionDays"),
    "throughput_capacity_mbps": (LUSTRE, "ThroughputCapacity"),
    "drive_cache_type": (LUSTRE, "DriveCacheType"),
    "read_cache_mode": (LUSTRE, "DataReadCacheConfiguration", "SizingMode"),
    "read_cache_gib": (LUSTRE, "DataReadCacheConfiguration", "SizeGiB"),
    "lustre_version": ("FileSystemTypeVersion",),
    "daily_automatic_backup_start_time": (LUSTRE, "DailyAutomaticBackupStartTime"),
    "copy_tags_to_backups": (LUSTRE, "CopyTagsToBackups"),
    "weekly_maintenance_start_time": (LUSTRE, "WeeklyMaintenanceStartTime"),
    "log_level": (LUSTRE, "LogConfiguration", "Level"),
    "import_path": (LUSTRE, "ImportPath"),
    "export_path": (LUSTRE, "ExportPath"),
    "auto_import_policy": (LUSTRE, "AutoImportPolicy"),
    "imported_file_chunk_size_mib": (LUSTRE, "ImportedFileChunkSize"),
    "backup_id": ("BackupId",),
}
"""Where CloudFormation has each setting."""
_DEFAULTS: Mapping[str, object] = {
    "deployment_type": DeploymentType.SCRATCH_1,
    "storage_type": StorageType.SSD,
    "efa_enabled": False,
    "copy_tags_to_backups": False,
}
"""What FSx takes where nothing is said (FSx API, CreateFileSystem)."""


def settings_of(resource: Resource) -> tuple[FileSystemSettings | None, list[Finding]]:
    """Read the settings of a file system; None where it has words that FSx does not know, each a finding."""
    written = {name: _at(resource.properties, path) for name, path in _PATHS.items()}
    mistakes = [
        finding
        for name, words in _WORDS.items()
        if isinstance(written[name], str)
        for finding in property_unknown_word("/".join(_PATHS[name]), written[name], [str(word) for word in words])
    ]
    unknown = frozenset(name for name, value in written.items() if is_intrinsic(value))
    if mistakes or "deployment_type" in unknown:
        return None, mistakes
    values: dict[str, Any] = {name: None if name in unknown else _typed(name, value) for name, value in written.items()}
    values |= {name: default for name, default in _DEFAULTS.items() if values[name] is None}
    if values["lustre_version"] is None and "lustre_version" not in unknown:
        values["lustre_version"] = _default_version(values["deployment_type"], resource)
    lustre = resource.mapping(LUSTRE)
    return FileSystemSettings(
        **values,
        customer_key=resource.value("KmsKeyId") is not None,
        data_compression=lustre.get("DataCompressionType") == "LZ4",
        metadata_left_out="MetadataConfiguration" not in lustre,
        unknown=unknown,
    ), []


def _typed(name: str, value: Any) -> Any:
    """Return a property as the rules take it: CloudFormation has numbers and flags as text too."""
    if value is None:
        return None
    if name in _WORDS:
        return _WORDS[name](value)
    if name in _FLAGS:
        return str(value).lower() == "true"
    return _number(value) if name in _NUMBERS else str(value)


def _default_version(deployment_type: DeploymentType, resource: Resource) -> str | None:
    """Return the Lustre version that FSx takes where none is said.

    Source: FSx API, FileSystemTypeVersion: 2.10, on PERSISTENT_2 2.12, and 2.15 with a metadata configuration.
    """
    if deployment_type is not DeploymentType.PERSISTENT_2:
        return LUSTRE_VERSIONS[0]
    return None if "MetadataConfiguration" in resource.mapping(LUSTRE) else LUSTRE_VERSIONS[1]


def _at(properties: Any, path: tuple[str, ...]) -> Any:
    """Return the property at a path: what is a function above it, or None where a part is absent."""
    value = properties
    for name in path:
        if is_intrinsic(value):
            return value
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _number(value: Any) -> int | None:
    """Return a whole number, which CloudFormation also takes as text; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return int(str(value))
    except ValueError:
        return None
