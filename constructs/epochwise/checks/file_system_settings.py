"""`FileSystemSettings`: what is asked of FSx for one file system, and what follows from it where nothing is said."""

from dataclasses import dataclass
from enum import StrEnum

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
from epochwise.catalog.intelligent_tiering import tiering_metadata_iops

LUSTRE_VERSIONS = ("2.10", "2.12", "2.15")
"""FileSystemTypeVersion of FSx for Lustre."""
NEWEST_LUSTRE = LUSTRE_VERSIONS[-1]
"""The only version with a metadata configuration, and one that every current client mounts."""


class LogLevel(StrEnum):
    """Which events of linked buckets FSx logs."""

    DISABLED = "DISABLED"
    WARN_ONLY = "WARN_ONLY"
    ERROR_ONLY = "ERROR_ONLY"
    WARN_ERROR = "WARN_ERROR"


class ReadCacheMode(StrEnum):
    """How the SSD read cache of Intelligent-Tiering is sized."""

    NO_CACHE = "NO_CACHE"
    USER_PROVISIONED = "USER_PROVISIONED"
    PROPORTIONAL_TO_THROUGHPUT_CAPACITY = "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"
    """5 GiB for each MB/s of throughput capacity."""


class AutoImportPolicy(StrEnum):
    """What a file system with an import path imports by itself."""

    NONE = "NONE"
    NEW = "NEW"
    NEW_CHANGED = "NEW_CHANGED"
    NEW_CHANGED_DELETED = "NEW_CHANGED_DELETED"


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
    throughput_capacity_mbps: int | None = None
    """MB/s of Intelligent-Tiering."""
    drive_cache_type: DriveCacheType | None = None
    read_cache_mode: ReadCacheMode | None = None
    read_cache_gib: int | None = None
    metadata_mode: MetadataMode | None = None
    lustre_version: str | None = NEWEST_LUSTRE
    data_compression: bool = False
    daily_automatic_backup_start_time: str | None = None
    copy_tags_to_backups: bool = False
    weekly_maintenance_start_time: str | None = None
    log_level: LogLevel | None = None
    log_group_name: str | None = None
    import_path: str | None = None
    export_path: str | None = None
    auto_import_policy: AutoImportPolicy | None = None
    imported_file_chunk_size_mib: int | None = None
    backup_id: str | None = None
    metadata_left_out: bool = False
    """Whether whoever made the file system left the metadata configuration out, which our constructs never do."""
    unknown: frozenset[str] = frozenset()
    """Settings that are given, and whose value only the deploy knows."""

    def gives(self, setting: str) -> bool:
        """Tell whether a setting is given, be it with a value that only the deploy knows."""
        return setting in self.unknown or getattr(self, setting) is not None

    @property
    def is_tiering(self) -> bool:
        """Whether it is Intelligent-Tiering."""
        return self.storage_type is StorageType.INTELLIGENT_TIERING

    @property
    def has_metadata_configuration(self) -> bool:
        """Whether FSx gets a metadata configuration, which must be there from the start or can never be added.

        Source: FSx User Guide, managing-metadata-performance: PERSISTENT_2 with Lustre 2.15.
        """
        newest = self.lustre_version in {None, NEWEST_LUSTRE}
        return self.deployment_type is DeploymentType.PERSISTENT_2 and newest and not self.metadata_left_out

    @property
    def metadata(self) -> tuple[MetadataMode, int | None] | None:
        """Mode and IOPS that FSx is told; Intelligent-Tiering has no automatic mode and takes its least by default."""
        if not self.has_metadata_configuration:
            return None
        if self.metadata_iops is not None:
            return MetadataMode.USER_PROVISIONED, self.metadata_iops
        if self.is_tiering:
            return MetadataMode.USER_PROVISIONED, tiering_metadata_iops()[0]
        return MetadataMode.AUTOMATIC, None

    @property
    def drive_cache(self) -> DriveCacheType | None:
        """Drive cache that FSx is told: it must be said with HDD, and without a word there is none."""
        if self.drive_cache_type is None and self.storage_type is StorageType.HDD:
            return DriveCacheType.NONE
        return self.drive_cache_type

    @property
    def read_cache(self) -> tuple[ReadCacheMode, int | None] | None:
        """Mode and GiB of the SSD read cache that FSx is told, which it requires with Intelligent-Tiering."""
        if not self.is_tiering:
            return None
        if self.read_cache_gib is not None:
            return ReadCacheMode.USER_PROVISIONED, self.read_cache_gib
        return self.read_cache_mode or ReadCacheMode.PROPORTIONAL_TO_THROUGHPUT_CAPACITY, None

    @property
    def logs(self) -> LogLevel | None:
        """Level that FSx is told; None leaves it to FSx."""
        if self.log_level is None and self.log_group_name is not None:
            return LogLevel.WARN_ERROR
        return self.log_level
