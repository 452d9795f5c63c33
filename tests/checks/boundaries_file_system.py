"""Boundaries of what is said about a file system's settings."""

from functools import partial
from typing import Any

from epochwise.catalog.fsx_lustre import DeploymentType, MetadataMode, StorageType
from epochwise.checks.file_system import (
    FileSystemSettings,
    destroy_not_allowed,
    file_system_findings,
    size_missing,
    size_not_alone,
)
from epochwise.checks.file_system_backups import removal_policy_unsupported
from epochwise.checks.file_system_logs import GENERATED_NAME
from epochwise.checks.file_system_settings import LogLevel, ReadCacheMode
from epochwise.checks.finding import Finding
from tests.checks.boundaries import Row

SCRATCH = {"deployment_type": DeploymentType.SCRATCH_2, "per_unit_storage_throughput": None}
TIERING = {
    "storage_type": StorageType.INTELLIGENT_TIERING,
    "storage_capacity_gib": None,
    "per_unit_storage_throughput": None,
    "throughput_capacity_mbps": 4000,
}
OLD = {"lustre_version": "2.12"}
BACKUP = {"backup_id": "backup-0123456789abcdef0"}
DAYS = "automatic_backup_retention_days"
IMPORT = SCRATCH | {"import_path": "s3://bucket/data"}


def _settings(**changes: Any) -> list[Finding]:
    settings: dict[str, Any] = {
        "deployment_type": DeploymentType.PERSISTENT_2,
        "storage_type": StorageType.SSD,
        "storage_capacity_gib": 4800,
        "per_unit_storage_throughput": 250,
        "efa_enabled": False,
    }
    return list(file_system_findings(FileSystemSettings(**settings | changes)))


CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("FILE_SYSTEM_ILLEGAL", {"storage_capacity_gib": 4799}, "got 4799"),
    ("FILE_SYSTEM_ILLEGAL", {"storage_capacity_gib": 4801}, "nearest legal: 4800 or 7200"),
    ("FILE_SYSTEM_ILLEGAL", {}, None),
    ("CAPACITY_REQUIRED", {"storage_capacity_gib": None}, "storage_capacity_gib must be"),
    ("CAPACITY_REQUIRED", {"storage_capacity_gib": None} | BACKUP, None),
    ("CAPACITY_REQUIRED", TIERING, None),
    ("THROUGHPUT_REQUIRED", {"per_unit_storage_throughput": None}, "per_unit_storage_throughput is required"),
    ("THROUGHPUT_REQUIRED", {"per_unit_storage_throughput": 125}, None),
    ("THROUGHPUT_REQUIRED", SCRATCH, None),
    (
        "THROUGHPUT_CAPACITY_REQUIRED",
        TIERING | {"throughput_capacity_mbps": None},
        "throughput_capacity_mbps is required",
    ),
    ("THROUGHPUT_CAPACITY_REQUIRED", TIERING, None),
    # metadata
    ("METADATA_NEEDS_PERSISTENT_2", SCRATCH | {"metadata_iops": 6000}, "SCRATCH_2, got 6000"),
    ("METADATA_NEEDS_PERSISTENT_2", {"metadata_iops": 6000}, None),
    ("METADATA_NEEDS_LUSTRE_2_15", OLD | {"metadata_iops": 6000}, "got 2.12"),
    ("METADATA_NEEDS_LUSTRE_2_15", {"lustre_version": "2.15", "metadata_iops": 6000}, None),
    ("EFA_NEEDS_METADATA", OLD | {"efa_enabled": True}, "lustre_version 2.12"),
    ("EFA_NEEDS_METADATA", {"efa_enabled": True}, None),
    ("METADATA_LEFT_OUT", OLD, "lustre_version 2.12"),
    ("METADATA_LEFT_OUT", {}, None),
    (
        "METADATA_MODE_CONTRADICTS_IOPS",
        {"metadata_mode": MetadataMode.AUTOMATIC, "metadata_iops": 6000},
        "AUTOMATIC, got 6000",
    ),
    ("METADATA_MODE_CONTRADICTS_IOPS", {"metadata_mode": MetadataMode.USER_PROVISIONED}, "got None"),
    (
        "METADATA_MODE_CONTRADICTS_IOPS",
        {"metadata_mode": MetadataMode.USER_PROVISIONED, "metadata_iops": 6000},
        None,
    ),
    ("METADATA_MODE_OF_TIERING", TIERING | {"metadata_mode": MetadataMode.AUTOMATIC}, "got AUTOMATIC"),
    ("METADATA_MODE_OF_TIERING", {"metadata_mode": MetadataMode.AUTOMATIC}, None),
    ("METADATA_IOPS_ILLEGAL", {"metadata_iops": 6001}, "got 6001"),
    ("METADATA_IOPS_ILLEGAL", {"metadata_iops": 6000}, None),
    ("METADATA_IOPS_BELOW_AUTOMATIC", {"metadata_iops": 3000}, "got 3000"),
    ("METADATA_IOPS_BELOW_AUTOMATIC", {"metadata_iops": 6000}, None),
    # version
    ("LUSTRE_VERSION_UNKNOWN", {"lustre_version": "2.14"}, "got '2.14'"),
    ("LUSTRE_VERSION_UNKNOWN", OLD, None),
    ("LUSTRE_VERSION_TOO_OLD", {"lustre_version": "2.10"}, "PERSISTENT_2, got 2.10"),
    ("LUSTRE_VERSION_TOO_OLD", TIERING | OLD, "INTELLIGENT_TIERING, got 2.12"),
    ("LUSTRE_VERSION_TOO_OLD", OLD, None),
    ("LUSTRE_2_10_CLIENTS", SCRATCH | {"lustre_version": "2.10"}, "lustre_version 2.10"),
    ("LUSTRE_2_10_CLIENTS", SCRATCH | OLD, None),
    # read cache
    ("READ_CACHE_NEEDS_TIERING", {"read_cache_gib": 32}, "SSD, got 32"),
    ("READ_CACHE_NEEDS_TIERING", TIERING | {"read_cache_gib": 32}, None),
    (
        "READ_CACHE_MODE_CONTRADICTS_SIZE",
        TIERING | {"read_cache_mode": ReadCacheMode.NO_CACHE, "read_cache_gib": 32},
        "NO_CACHE, got 32",
    ),
    ("READ_CACHE_MODE_CONTRADICTS_SIZE", TIERING | {"read_cache_mode": ReadCacheMode.USER_PROVISIONED}, "got None"),
    ("READ_CACHE_MODE_CONTRADICTS_SIZE", TIERING | {"read_cache_mode": ReadCacheMode.NO_CACHE}, None),
    ("READ_CACHE_OUT_OF_RANGE", TIERING | {"read_cache_gib": 31}, "got 31"),
    ("READ_CACHE_OUT_OF_RANGE", TIERING | {"read_cache_gib": 32}, None),
    ("READ_CACHE_ABOVE_QUOTA", TIERING | {"read_cache_gib": 100_801}, "100801"),
    ("READ_CACHE_ABOVE_QUOTA", TIERING | {"read_cache_gib": 100_800}, None),
    # keys and backups
    ("KEY_NEEDS_PERSISTENT", SCRATCH | {"customer_key": True}, "encryption_key must be absent for SCRATCH_2"),
    ("KEY_NEEDS_PERSISTENT", {"customer_key": True}, None),
    ("BACKUPS_NEED_PERSISTENT", SCRATCH | {DAYS: 1}, "got 1"),
    ("BACKUPS_NEED_PERSISTENT", {DAYS: 1}, None),
    ("BACKUPS_NEED_PERSISTENT", SCRATCH | {DAYS: 0}, None),
    ("BACKUP_RETENTION_OUT_OF_RANGE", {DAYS: 91}, "got 91"),
    ("BACKUP_RETENTION_OUT_OF_RANGE", {DAYS: -1}, "got -1"),
    ("BACKUP_RETENTION_OUT_OF_RANGE", {DAYS: 90}, None),
    ("BACKUP_ID_INVALID", {"backup_id": "backup-0123456"}, "got 'backup-0123456'"),
    ("BACKUP_ID_INVALID", {"backup_id": "backup-01234567"}, None),
    ("RESTORED_AS_IT_WAS", BACKUP, "backup-0123456789abcdef0"),
    ("RESTORED_AS_IT_WAS", {}, None),
    ("BACKUP_TIME_INVALID", {"daily_automatic_backup_start_time": "24:00"}, "got '24:00'"),
    ("BACKUP_TIME_INVALID", {"daily_automatic_backup_start_time": "23:59"}, None),
    ("BACKUP_TIME_WITHOUT_BACKUPS", {"daily_automatic_backup_start_time": "03:00", DAYS: 0}, "got '03:00'"),
    ("BACKUP_TIME_WITHOUT_BACKUPS", {"daily_automatic_backup_start_time": "03:00", DAYS: 1}, None),
    ("MAINTENANCE_TIME_INVALID", {"weekly_maintenance_start_time": "8:03:00"}, "got '8:03:00'"),
    ("MAINTENANCE_TIME_INVALID", {"weekly_maintenance_start_time": "7:03:00"}, None),
    # logs
    ("LOG_GROUP_NAME_ILLEGAL", {"log_group_name": "/aws/other"}, "got '/aws/other'"),
    ("LOG_GROUP_NAME_ILLEGAL", {"log_group_name": GENERATED_NAME}, "got one without a name"),
    ("LOG_GROUP_NAME_ILLEGAL", {"log_group_name": "/aws/fsx/lustre"}, None),
    (
        "LOG_GROUP_WITHOUT_LOGS",
        {"log_group_name": "/aws/fsx/lustre", "log_level": LogLevel.DISABLED},
        "DISABLED",
    ),
    ("LOG_GROUP_WITHOUT_LOGS", {"log_group_name": "/aws/fsx/lustre", "log_level": LogLevel.WARN_ERROR}, None),
    # a path of S3 to import from
    ("IMPORT_PATH_UNSUPPORTED", {"import_path": "s3://bucket/data"}, "got 's3://bucket/data'"),
    ("IMPORT_PATH_UNSUPPORTED", IMPORT, None),
    ("IMPORT_SETTING_WITHOUT_PATH", SCRATCH | {"export_path": "s3://bucket/out"}, "got 's3://bucket/out'"),
    ("IMPORT_SETTING_WITHOUT_PATH", IMPORT | {"export_path": "s3://bucket/out"}, None),
    ("S3_PATH_INVALID", IMPORT | {"import_path": "bucket/data"}, "got 'bucket/data'"),
    ("S3_PATH_INVALID", IMPORT, None),
    ("EXPORT_PATH_ELSEWHERE", IMPORT | {"export_path": "s3://other/out"}, "got 's3://other/out'"),
    ("EXPORT_PATH_ELSEWHERE", IMPORT | {"export_path": "s3://bucket/out"}, None),
    ("CHUNK_SIZE_OUT_OF_RANGE", IMPORT | {"imported_file_chunk_size_mib": 512_001}, "got 512001"),
    ("CHUNK_SIZE_OUT_OF_RANGE", IMPORT | {"imported_file_chunk_size_mib": 512_000}, None),
    ("BACKUPS_EXCLUDE_IMPORT_PATH", IMPORT | {DAYS: 1}, "got 1"),
    ("BACKUPS_EXCLUDE_IMPORT_PATH", IMPORT | {DAYS: 0}, None),
    ("COPIED_TAGS_NEED_BACKUPS", IMPORT | {"copy_tags_to_backups": True}, "copy_tags_to_backups must be False"),
    ("COPIED_TAGS_NEED_BACKUPS", {"copy_tags_to_backups": True}, None),
]

ROWS = (
    *(Row(finding_id, partial(_settings, **changes), says) for finding_id, changes, says in CASES),
    Row("DESTROY_NOT_ALLOWED", destroy_not_allowed, "removal_policy DESTROY"),
    Row("REMOVAL_POLICY_UNSUPPORTED", partial(removal_policy_unsupported, "SNAPSHOT"), "got SNAPSHOT"),
    Row("REMOVAL_POLICY_UNSUPPORTED", partial(removal_policy_unsupported, "RETAIN"), None),
    Row("SIZE_NOT_ALONE", partial(size_not_alone, "4800 GiB", ["efa_enabled"]), "got efa_enabled beside 4800 GiB"),
    Row("SIZE_NOT_ALONE", partial(size_not_alone, "4800 GiB", []), None),
    Row("SIZE_MISSING", partial(size_missing, None), "size, or deployment_type"),
    Row("SIZE_MISSING", partial(size_missing, DeploymentType.SCRATCH_2), None),
)
