"""Configurations of file systems generated from the catalog, each with what is expected: built, or refused by ids."""

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

BACKUPS: dict[str, Any] = {"automatic_backup_retention_days": 7, "daily_automatic_backup_start_time": "03:00"}
LOGS: dict[str, Any] = {"log_level": LogLevel.WARN_ERROR}


class Configuration(NamedTuple):
    """Arguments of a file system, what is put beside it, and the ids that refuse it."""

    label: str
    settings: dict[str, Any]
    beside: frozenset[str]
    """Of: link, key, logs, groups, network (a new VPC, and its nodes as clients)."""
    refused_by: frozenset[str]
    """All that must be told together; empty where it is legal."""


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
    """Return the matrix: each family in two sizes, with each thing that goes with it, and with those crossed."""
    every: tuple[AnyFamily, ...] = (*families(), *tiering_families())
    return [
        configuration
        for family in every
        for configuration in (
            *_sizes(family),
            *_beside(family),
            *_metadata(family),
            *_of_one_family(family),
            *_crossed(family),
        )
    ]


def _refused(*ids: str | None) -> frozenset[str]:
    """Return the ids that are there."""
    return frozenset(each for each in ids if each is not None)


def _label(family: AnyFamily, *words: object) -> str:
    """Name a configuration."""
    cache = family.drive_cache_type
    parts = [family.deployment_type, family.storage_type, family.per_unit_storage_throughput, cache]
    return "-".join(str(part) for part in [*parts, "EFA" if family.efa_enabled else None, *words] if part is not None)


def _sizes(family: AnyFamily) -> Iterator[Configuration]:
    """The smallest size and the next are legal, and one beside the smallest is not."""
    for step in (0, 1):
        yield Configuration(_label(family, "size", step), base(family, step), frozenset(), _refused())
    size = "storage_capacity_gib" if isinstance(family, Family) else "throughput_capacity_mbps"
    between = base(family) | {size: base(family)[size] + 1}
    yield Configuration(_label(family, "between"), between, frozenset(), _refused("FILE_SYSTEM_ILLEGAL"))
    without = base(family) | {size: None}
    id_ = "CAPACITY_REQUIRED" if isinstance(family, Family) else "THROUGHPUT_CAPACITY_REQUIRED"
    yield Configuration(_label(family, "sizeless"), without, frozenset(), _refused(id_))


def _beside(family: AnyFamily) -> Iterator[Configuration]:
    """Links, backups, keys and logs, and existing or new networks."""
    for label, settings, beside, refused_by in (
        ("link", {}, {"link"}, _refused_link(family, backups=False)),
        ("backups", BACKUPS, set(), _refused(_persistent_only(family, "BACKUPS_NEED_PERSISTENT"))),
        ("key", {}, {"key"}, _refused(_persistent_only(family, "KEY_NEEDS_PERSISTENT"))),
        ("logs", LOGS, set(), _refused()),
        ("given groups", {"weekly_maintenance_start_time": "7:03:00"}, {"groups", "logs"}, _refused()),
        ("new VPC", {"data_compression": True}, {"network"}, _refused()),
        ("Lustre 2.10", {"lustre_version": "2.10"}, {"link"}, _refused_oldest(family)),
    ):
        yield Configuration(_label(family, label), base(family) | settings, frozenset(beside), refused_by)


def _crossed(family: AnyFamily) -> Iterator[Configuration]:
    """Metadata, link, backups, key, logs, network and compression, so that each two of them meet on and off.

    Seven switches in eight rows are an orthogonal array: row and switch share an odd number of bits, or they do not.
    The row with all off is the bare size.
    """
    names = ("metadata", "link", "backups", "key", "logs", "network", "compression")
    for row in range(1, 8):
        on = {name for place, name in enumerate(names, start=1) if (row & place).bit_count() % 2}
        settings = base(family)
        settings |= {"metadata_iops": 12000} if "metadata" in on else {}
        settings |= BACKUPS if "backups" in on else {}
        settings |= LOGS if "logs" in on else {}
        settings |= {"data_compression": True} if "compression" in on else {}
        first = _refused(
            "METADATA_NEEDS_PERSISTENT_2" if "metadata" in on and not family.has_metadata_configuration else None,
            _persistent_only(family, "BACKUPS_NEED_PERSISTENT") if "backups" in on else None,
            _persistent_only(family, "KEY_NEEDS_PERSISTENT") if "key" in on else None,
        )
        then = _refused_link(family, backups="backups" in on) if "link" in on else _refused()
        beside = frozenset(on & {"link", "key", "network"})
        yield Configuration(_label(family, *sorted(on)), settings, beside, first or then)


def _persistent_only(family: AnyFamily, finding_id: str) -> str | None:
    """Return an id that refuses what scratch does not have."""
    return finding_id if family.deployment_type.is_scratch else None


def _refused_link(family: AnyFamily, *, backups: bool) -> frozenset[str]:
    """Return what refuses a link of a file system that is legal by itself."""
    linkable = family.deployment_type is not DeploymentType.SCRATCH_1 and isinstance(family, Family)
    return _refused(
        None if linkable else "BUCKET_LINK_UNSUPPORTED", "BACKUPS_EXCLUDE_BUCKET_LINKS" if backups else None
    )


def _refused_oldest(family: AnyFamily) -> frozenset[str]:
    """Return what refuses Lustre 2.10 beside a link."""
    if family.deployment_type is not DeploymentType.PERSISTENT_2:
        return _refused("BUCKET_LINK_UNSUPPORTED")
    return _refused("LUSTRE_VERSION_TOO_OLD", "EFA_NEEDS_METADATA" if family.efa_enabled else None)


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
            _label(family, "metadata", iops), base(family) | {"metadata_iops": iops}, frozenset(), _refused(refused_by)
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
        yield Configuration(_label(family, label), base(family) | settings, frozenset(), _refused(refused_by))
