"""Configurations of file systems generated from the catalog, each with what is expected: built, or refused by an id."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    DriveCacheType,
    Family,
    StorageType,
    families,
    provisioned_metadata_iops,
)
from epochwise.catalog.intelligent_tiering import tiering_families, tiering_metadata_iops
from epochwise.catalog.legality import AnyFamily
from epochwise.checks.file_system_settings import LogLevel, ReadCacheMode


class Configuration(NamedTuple):
    """Arguments of a file system, what is put beside it, and the id that refuses it."""

    label: str
    settings: dict[str, Any]
    beside: frozenset[str]
    """Of: link, key, logs, groups, vpc (a new one)."""
    refused_by: str | None


def base(family: AnyFamily, step: int = 0) -> dict[str, Any]:
    """Return the arguments of a family's smallest size, or one of the next."""
    shape: dict[str, Any] = {
        "deployment_type": family.deployment_type,
        "storage_type": family.storage_type,
        "efa_enabled": family.efa_enabled,
    }
    if isinstance(family, Family):
        capacities = list(family.capacities_gib(family.capacity_step_gib * 4))
        shape["storage_capacity_gib"] = capacities[step]
        shape["per_unit_storage_throughput"] = family.per_unit_storage_throughput
        shape["drive_cache_type"] = family.drive_cache_type
    else:
        shape["throughput_capacity_mbps"] = list(family.throughputs_mbps())[step]
    return shape


def every_configuration() -> list[Configuration]:
    """Return the matrix: each family in two sizes, and beside each kind of thing that goes with a file system."""
    every: tuple[AnyFamily, ...] = (*families(), *tiering_families())
    return [
        configuration
        for family in every
        for configuration in (*_sizes(family), *_beside(family), *_metadata(family), *_of_one_family(family))
    ]


def _label(family: AnyFamily, *words: object) -> str:
    """Name a configuration."""
    cache = family.drive_cache_type
    parts = [family.deployment_type, family.storage_type, family.per_unit_storage_throughput, cache]
    return "-".join(str(part) for part in [*parts, "EFA" if family.efa_enabled else None, *words] if part is not None)


def _sizes(family: AnyFamily) -> Iterator[Configuration]:
    """The smallest size and the next are legal, and one beside the smallest is not."""
    for step in (0, 1):
        yield Configuration(_label(family, "size", step), base(family, step), frozenset(), None)
    size = "storage_capacity_gib" if isinstance(family, Family) else "throughput_capacity_mbps"
    between = base(family) | {size: base(family)[size] + 1}
    yield Configuration(_label(family, "between"), between, frozenset(), "FILE_SYSTEM_ILLEGAL")
    without = base(family) | {size: None}
    id_ = "CAPACITY_REQUIRED" if isinstance(family, Family) else "THROUGHPUT_CAPACITY_REQUIRED"
    yield Configuration(_label(family, "sizeless"), without, frozenset(), id_)


def _beside(family: AnyFamily) -> Iterator[Configuration]:
    """Links, backups, keys and logs, and existing or new networks."""
    scratch = family.deployment_type.is_scratch
    linkable = family.deployment_type is not DeploymentType.SCRATCH_1 and isinstance(family, Family)
    backups = {"automatic_backup_retention_days": 7, "daily_automatic_backup_start_time": "03:00"}
    for label, settings, beside, refused_by in (
        ("link", {}, {"link"}, None if linkable else "BUCKET_LINK_UNSUPPORTED"),
        ("backups", backups, set(), "BACKUPS_NEED_PERSISTENT" if scratch else None),
        ("backups and link", backups, {"link"}, _both(scratch, linkable)),
        ("key", {}, {"key"}, "KEY_NEEDS_PERSISTENT" if scratch else None),
        ("logs", {"log_level": LogLevel.WARN_ERROR}, set(), None),
        ("given groups", {"weekly_maintenance_start_time": "7:03:00"}, {"groups", "logs"}, None),
        ("new VPC", {"data_compression": True}, {"vpc"}, None),
        ("Lustre 2.10", {"lustre_version": "2.10"}, {"link"}, _oldest(family)),
    ):
        yield Configuration(_label(family, label), base(family) | settings, frozenset(beside), refused_by)


def _both(scratch: bool, linkable: bool) -> str:
    """Return what refuses backups beside a link."""
    if scratch:
        return "BACKUPS_NEED_PERSISTENT"
    return "BACKUPS_EXCLUDE_BUCKET_LINKS" if linkable else "BUCKET_LINK_UNSUPPORTED"


def _oldest(family: AnyFamily) -> str:
    """Return what refuses Lustre 2.10 beside a link."""
    persistent_2 = family.deployment_type is DeploymentType.PERSISTENT_2
    return "LUSTRE_VERSION_TOO_OLD" if persistent_2 else "BUCKET_LINK_UNSUPPORTED"


def _metadata(family: AnyFamily) -> Iterator[Configuration]:
    """Metadata IOPS on either side of what is legal."""
    tiering = not isinstance(family, Family)
    legal = tiering_metadata_iops() if tiering else provisioned_metadata_iops()
    for iops, refused_by in (
        (12000, None if family.has_metadata_configuration else "METADATA_NEEDS_PERSISTENT_2"),
        (12001, "METADATA_IOPS_ILLEGAL" if family.has_metadata_configuration else "METADATA_NEEDS_PERSISTENT_2"),
        (
            legal[0] if tiering else legal[-1],
            None if family.has_metadata_configuration else "METADATA_NEEDS_PERSISTENT_2",
        ),
    ):
        yield Configuration(
            _label(family, "metadata", iops), base(family) | {"metadata_iops": iops}, frozenset(), refused_by
        )


def _of_one_family(family: AnyFamily) -> Iterator[Configuration]:
    """What only some families have, asked of each."""
    tiering = family.storage_type is StorageType.INTELLIGENT_TIERING
    hdd = family.storage_type is StorageType.HDD
    persistent_2 = family.deployment_type is DeploymentType.PERSISTENT_2
    for label, settings, refused_by in (
        ("read cache", {"read_cache_gib": 64}, None if tiering else "READ_CACHE_NEEDS_TIERING"),
        (
            "no read cache",
            {"read_cache_mode": ReadCacheMode.NO_CACHE},
            None if tiering else "READ_CACHE_NEEDS_TIERING",
        ),
        ("drive cache", {"drive_cache_type": DriveCacheType.READ}, None if hdd else "FILE_SYSTEM_ILLEGAL"),
        ("import path", {"import_path": "s3://example-data"}, "IMPORT_PATH_UNSUPPORTED" if persistent_2 else None),
        ("efa", {"efa_enabled": True}, None if family.efa_enabled or tiering else "FILE_SYSTEM_ILLEGAL"),
    ):
        yield Configuration(_label(family, label), base(family) | settings, frozenset(), refused_by)
