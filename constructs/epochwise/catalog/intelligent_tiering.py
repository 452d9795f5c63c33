"""FSx for Lustre Intelligent-Tiering: elastic storage behind a throughput capacity and an SSD read cache.

Source: Amazon FSx for Lustre User Guide, intelligent-tiering-file-systems; see `data/fsx_lustre.json`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from epochwise.catalog.data_file import load
from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.catalog.units import BYTES_PER_GB, BYTES_PER_GIB

_DATA = load("fsx_lustre")["intelligent_tiering"]
_STEP = _DATA["per_step"]

THROUGHPUT_STEP_MBPS: int = _DATA["throughput_step_mbps"]
"""Throughput capacity comes in multiples of this, MB/s."""
THROUGHPUT_MAX_MBPS: int = _DATA["throughput_max_mbps"]
"""Largest legal throughput capacity, MB/s."""
THROUGHPUT_QUOTA_MBPS: int = load("fsx_lustre")["quotas"]["intelligent_tiering_mbps"]
"""Default quota of throughput capacity per account and Region, MB/s."""
READ_CACHE_QUOTA_GIB: int = load("fsx_lustre")["quotas"]["intelligent_tiering_read_cache_gib"]
"""Default quota of SSD read cache per account and Region, GiB."""
READ_CACHE_HEADROOM: float = _DATA["read_cache_headroom"]
"""The read cache is provisioned for the dataset on disk times this."""


@dataclass(frozen=True, eq=False)
class TieringFamily:
    """Intelligent-Tiering file systems, which differ only in throughput capacity and read cache."""

    efa_enabled: bool
    deployment_type: DeploymentType = DeploymentType.PERSISTENT_2
    storage_type: StorageType = StorageType.INTELLIGENT_TIERING
    per_unit_storage_throughput: None = None
    drive_cache_type: None = None
    has_metadata_configuration: bool = True

    def throughputs_mbps(self, up_to_mbps: int = THROUGHPUT_QUOTA_MBPS) -> Iterator[int]:
        """Yield every legal throughput capacity up to and including a bound, ascending."""
        yield from range(THROUGHPUT_STEP_MBPS, min(up_to_mbps, THROUGHPUT_MAX_MBPS) + 1, THROUGHPUT_STEP_MBPS)

    @staticmethod
    def is_throughput(mbps: int) -> bool:
        """Tell whether FSx accepts this throughput capacity in MB/s."""
        return 0 < mbps <= THROUGHPUT_MAX_MBPS and mbps % THROUGHPUT_STEP_MBPS == 0


@cache
def tiering_families() -> tuple[TieringFamily, ...]:
    """Return the two families: without and with EFA."""
    return TieringFamily(efa_enabled=False), TieringFamily(efa_enabled=True)


@cache
def tiering_metadata_iops() -> tuple[int, ...]:
    """Return the legal metadata IOPS, always USER_PROVISIONED, ascending."""
    return tuple(_DATA["metadata_user_provisioned"])


def servers(throughput_mbps: int) -> int:
    """Return how many object storage servers a throughput capacity has."""
    return throughput_mbps // THROUGHPUT_STEP_MBPS


def disk_mbps(throughput_mbps: int) -> float:
    """Return MB/s that the SSD read cache answers."""
    return float(servers(throughput_mbps) * _STEP["disk"])


def network_mbps(throughput_mbps: int) -> float:
    """Return the servers' network, MB/s."""
    return float(servers(throughput_mbps) * _STEP["network"])


def ram_bytes(throughput_mbps: int) -> float:
    """Return the servers' RAM cache in bytes; AWS states it in GB."""
    return float(servers(throughput_mbps) * _STEP["ram_gb"] * BYTES_PER_GB)


def stored_limit_gib(throughput_mbps: int) -> int:
    """Return how much may be stored, GiB."""
    return int(servers(throughput_mbps) * _STEP["stored_max_tib"] * 1024)


def read_cache_gib(dataset_bytes_on_disk: float, throughput_mbps: int) -> int:
    """Return the SSD read cache for a dataset: ten percent above it, whole GiB, at least the legal minimum."""
    wanted = dataset_bytes_on_disk * READ_CACHE_HEADROOM
    whole = int(-(-wanted // BYTES_PER_GIB))
    return max(whole, read_cache_min_gib(throughput_mbps))


def read_cache_min_gib(throughput_mbps: int) -> int:
    """Return the smallest legal SSD read cache, GiB.

    >>> read_cache_min_gib(8000), read_cache_max_gib(8000)
    (64, 262144)
    """
    return int(servers(throughput_mbps) * _STEP["read_cache_min_gib"])


def read_cache_max_gib(throughput_mbps: int) -> int:
    """Return the largest legal SSD read cache, GiB."""
    return int(servers(throughput_mbps) * _STEP["read_cache_max_gib"])


def read_cache_limit_gib(throughput_mbps: int) -> int:
    """Return the largest legal SSD read cache, GiB, within the default quota."""
    return min(read_cache_max_gib(throughput_mbps), READ_CACHE_QUOTA_GIB)
