"""Whether an argument of a file system is of the right kind, told before anything else looks at it."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
from epochwise.checks.file_system_settings import AutoImportPolicy, LogLevel, ReadCacheMode
from epochwise.checks.finding import Finding, Level

LARGEST_NUMBER = 2**31 - 1
"""FSx's numbers are 32-bit integers (FSx API, StorageCapacity)."""
SETTING_KINDS: Mapping[str, type] = {
    "deployment_type": DeploymentType,
    "storage_type": StorageType,
    "storage_capacity_gib": int,
    "per_unit_storage_throughput": int,
    "efa_enabled": bool,
    "metadata_iops": int,
    "automatic_backup_retention_days": int,
    "throughput_capacity_mbps": int,
    "drive_cache_type": DriveCacheType,
    "read_cache_mode": ReadCacheMode,
    "read_cache_gib": int,
    "metadata_mode": MetadataMode,
    "lustre_version": str,
    "data_compression": bool,
    "daily_automatic_backup_start_time": str,
    "copy_tags_to_backups": bool,
    "weekly_maintenance_start_time": str,
    "log_level": LogLevel,
    "import_path": str,
    "export_path": str,
    "auto_import_policy": AutoImportPolicy,
    "imported_file_chunk_size_mib": int,
    "backup_id": str,
}
"""What each setting is."""
ALWAYS_SAID = frozenset({"storage_type", "efa_enabled", "data_compression", "copy_tags_to_backups", "lustre_version"})
"""Settings with a default, where None means nothing."""


def wrong_kinds(given: Mapping[str, object]) -> Iterator[Finding]:
    """Yield a remark about every setting of the wrong kind."""
    for name, value in given.items():
        if value is not None or name in ALWAYS_SAID:
            yield from setting_of_wrong_kind(name, value, SETTING_KINDS[name])


def setting_of_wrong_kind(name: str, value: object, kind: type) -> Iterator[Finding]:
    """A setting is of its kind: a whole number, text, true or false, or one of a few words.

    Source: FSx API, CreateFileSystem.
    """
    if kind is int:
        right = type(value) is int and abs(value) <= LARGEST_NUMBER
        kinds = f"a whole number up to {LARGEST_NUMBER}"
    elif kind is bool:
        right, kinds = type(value) is bool, "True or False, known when the app runs"
    elif issubclass(kind, StrEnum):
        right, kinds = isinstance(value, str) and value in list(kind), " or ".join(kind)
    elif kind is list:
        right, kinds = isinstance(value, list | tuple), "a list"
    else:
        right, kinds = isinstance(value, str), "text"
    if not right:
        near = get_close_matches(str(value).upper(), [str(each) for each in kind]) if issubclass(kind, StrEnum) else []
        yield Finding(
            "SETTING_OF_WRONG_KIND",
            Level.ERROR,
            f"{name} must be {kinds}, got {value!r:.60}",
            f"nearest legal: {near[0]}" if near else "write it as such; numbers without quotes or a fraction",
        )


def construct_of_wrong_kind(name: str, value: object, *, attribute: str, kind: str) -> Iterator[Finding]:
    """An argument that stands for a resource is that resource, known by the attribute that is needed of it."""
    if type(value) in {list, tuple} or not hasattr(value, attribute):
        yield Finding(
            "CONSTRUCT_OF_WRONG_KIND",
            Level.ERROR,
            f"{name} must be {kind}, got {type(value).__name__}",
            "create or import one and pass it",
        )
