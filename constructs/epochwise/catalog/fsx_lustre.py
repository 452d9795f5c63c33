"""Every kind of FSx for Lustre file system: legal capacities, throughput, caches and servers.

Source: Amazon FSx for Lustre User Guide; see `data/fsx_lustre.json` for pages, dates and what is assumed.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import ceil

from epochwise.catalog.data_file import load


class DeploymentType(StrEnum):
    """FSx's LustreDeploymentType."""

    SCRATCH_1 = "SCRATCH_1"
    SCRATCH_2 = "SCRATCH_2"
    PERSISTENT_1 = "PERSISTENT_1"
    PERSISTENT_2 = "PERSISTENT_2"

    @property
    def is_scratch(self) -> bool:
        """Whether data is lost with a file server: scratch types do not replicate."""
        return self in {DeploymentType.SCRATCH_1, DeploymentType.SCRATCH_2}


class StorageType(StrEnum):
    """FSx's StorageType."""

    SSD = "SSD"
    HDD = "HDD"
    INTELLIGENT_TIERING = "INTELLIGENT_TIERING"


class DriveCacheType(StrEnum):
    """FSx's DriveCacheType, which HDD file systems must have."""

    NONE = "NONE"
    READ = "READ"
    """An SSD cache for reads of a fifth of the storage capacity."""


class MetadataMode(StrEnum):
    """FSx's metadata configuration mode."""

    AUTOMATIC = "AUTOMATIC"
    USER_PROVISIONED = "USER_PROVISIONED"


@dataclass(frozen=True, eq=False)
class Family:
    """File systems that differ only in capacity; each family exists once, and is equal to itself alone.

    Rates are MB/s per TiB of 1000 GiB, RAM is GiB per TiB.
    """

    deployment_type: DeploymentType
    storage_type: StorageType
    per_unit_storage_throughput: int | None
    """MB/s/TiB as FSx takes it; None where it cannot be set."""
    drive_cache_type: DriveCacheType | None
    """None where the storage is not HDD."""
    efa_enabled: bool
    capacity_exact_gib: tuple[int, ...]
    """Legal capacities that are not a multiple of the step."""
    capacity_step_gib: int
    gib_per_oss: int
    """Storage capacity behind one object storage server."""
    network: float
    network_burst: float | None
    network_burst_reduced: float | None
    """In Regions with reduced burst, where it differs."""
    ram_gib: float
    disk_read: float
    disk_write: float
    disk_read_burst: float | None
    ssd_cache_gib: float
    """SSD read cache per TiB of HDD storage capacity; 0 without one."""
    ssd_cache_read: float
    """MB/s that the SSD read cache adds, per TiB of HDD storage capacity."""
    has_metadata_configuration: bool
    """Whether metadata IOPS can be configured: PERSISTENT_2 only."""

    @property
    def default_quota_gib(self) -> int:
        """Storage capacity that the default quotas allow."""
        return HDD_FILE_SYSTEM_QUOTA_GIB if self.storage_type is StorageType.HDD else DEFAULT_STORAGE_QUOTA_GIB

    @property
    def price_item(self) -> str:
        """The key of its storage price."""
        tier = self.per_unit_storage_throughput
        return f"{self.deployment_type}-{self.storage_type}" + ("" if tier is None else f"-{tier}")

    def is_capacity(self, capacity_gib: int) -> bool:
        """Tell whether FSx accepts this storage capacity in GiB."""
        whole_step = capacity_gib > 0 and capacity_gib % self.capacity_step_gib == 0
        return whole_step or capacity_gib in self.capacity_exact_gib

    def capacities_gib(self, up_to_gib: int) -> Iterator[int]:
        """Yield every legal storage capacity up to and including a bound, ascending."""
        steps = range(self.capacity_step_gib, up_to_gib + 1, self.capacity_step_gib)
        yield from sorted({*steps, *(exact for exact in self.capacity_exact_gib if exact <= up_to_gib)})

    def nearest_capacities_gib(self, capacity_gib: int) -> list[int]:
        """Return the legal capacities just below and just above, fewer where there is none below."""
        step = self.capacity_step_gib
        above = (max(capacity_gib, 0) // step + 1) * step
        legal = sorted({max(above - step, step), above, *self.capacity_exact_gib})
        place = bisect_right(legal, capacity_gib)
        return legal[max(place - 1, 0) : place + 1]

    def oss_count(self, capacity_gib: int) -> int:
        """Return how many object storage servers a file system of this capacity has."""
        return ceil(capacity_gib / self.gib_per_oss)


@cache
def families() -> tuple[Family, ...]:
    """Join layouts and performance rows into every family of file system."""
    data = load("fsx_lustre")
    performance = {
        (row["deployment_type"], row["storage_type"], row["tier"]): row for row in data["performance_per_tib"]
    }
    return tuple(
        Family(
            deployment_type=DeploymentType(layout["deployment_type"]),
            storage_type=StorageType(layout["storage_type"]),
            per_unit_storage_throughput=tier,
            drive_cache_type=None if drive_cache is None else DriveCacheType(drive_cache),
            efa_enabled=layout.get("efa", False),
            capacity_exact_gib=tuple(layout["capacity_exact_gib"]),
            capacity_step_gib=layout["capacity_step_gib"],
            gib_per_oss=layout["gib_per_oss"],
            network=row["network"],
            network_burst=row["network_burst"],
            network_burst_reduced=row.get("network_burst_reduced"),
            ram_gib=row["ram_gib"],
            disk_read=row["disk_read"],
            disk_write=row["disk_write"],
            disk_read_burst=row["disk_read_burst"],
            ssd_cache_gib=row["ssd_cache"]["gib_per_tib"] if drive_cache == DriveCacheType.READ else 0.0,
            ssd_cache_read=_cache_rate(row["ssd_cache"]) if drive_cache == DriveCacheType.READ else 0.0,
            has_metadata_configuration=layout["deployment_type"] == DeploymentType.PERSISTENT_2,
        )
        for layout in data["layouts"]
        for tier in layout["tiers"]
        for drive_cache in layout.get("drive_cache_types", [None])
        for row in [performance[layout["deployment_type"], layout["storage_type"], tier]]
    )


def _cache_rate(ssd_cache: dict[str, float]) -> float:
    """Return what the SSD read cache gives per TiB of HDD: AWS states it per TiB of cache."""
    return ssd_cache["disk_read"] * ssd_cache["gib_per_tib"] / 1000


@cache
def automatic_metadata_iops(capacity_gib: int) -> int:
    """Return the metadata IOPS that AUTOMATIC mode includes at a storage capacity.

    Above 48 000 GiB AWS gives 12 000 per 24 000 GiB; rounding down there is derived from the table's own edges.

    >>> [automatic_metadata_iops(gib) for gib in (1200, 2400, 7200, 45600, 48000)]
    [1500, 3000, 6000, 12000, 24000]
    """
    rule = load("fsx_lustre")["metadata"]
    step: dict[str, int] = rule["automatic_ssd_step"]
    if capacity_gib >= step["from_gib"]:
        return min(capacity_gib // step["per_gib"] * step["iops"], provisioned_metadata_iops()[-1])
    thresholds: list[tuple[int, int]] = rule["automatic_ssd"]
    place = bisect_right([gib for gib, _ in thresholds], capacity_gib)
    return int(thresholds[max(place - 1, 0)][1])


@cache
def provisioned_metadata_iops() -> tuple[int, ...]:
    """Return the legal USER_PROVISIONED metadata IOPS, ascending."""
    return tuple(load("fsx_lustre")["metadata"]["user_provisioned"])


OPENS_PER_METADATA_IOPS: float = load("fsx_lustre")["metadata"]["opens_per_iops"]
"""File opens per second that one metadata IOPS allows."""

USABLE_SHARE: float = load("fsx_lustre")["usable_share"]
"""Share of storage capacity that holds data; derived from a sample in the User Guide."""

DEFAULT_STORAGE_QUOTA_GIB: int = load("fsx_lustre")["quotas"]["storage_capacity_gib"]
"""Default quota of storage capacity per account, Region and group of types."""

HDD_FILE_SYSTEM_QUOTA_GIB: int = load("fsx_lustre")["quotas"]["hdd_file_system_gib"]
"""Default quota of storage capacity of one HDD file system."""


IOPS_PER_MDS: int = load("fsx_lustre")["metadata"]["iops_per_mds"]
"""Metadata IOPS that one metadata server gives."""


def mds_count(metadata_iops: int) -> int:
    """Return how many metadata servers (one address each) a metadata rate takes."""
    return max(1, ceil(metadata_iops / IOPS_PER_MDS))
