"""What one candidate delivers to one workload: ceilings and epochs."""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from epochwise.catalog.fsx_lustre import OPENS_PER_METADATA_IOPS
from epochwise.catalog.lustre_clients import ENA_MBPS_PER_OSS
from epochwise.sizing.cache import lru_hit_share
from epochwise.sizing.delivery import Delivery
from epochwise.sizing.reading import HydrationWaits, Reading

if TYPE_CHECKING:
    from collections.abc import Callable


class Ceilings(NamedTuple):
    """Each limit of a candidate, infinite where nothing limits: MB/s of dataset bytes unless a name says else."""

    disk: float
    network: float
    client: float
    metadata_opens_per_s: float
    write: float
    hydration: float
    """Assumed rate at which linked S3 data arrives in the first epoch."""
    preprocessing: float
    compute: float
    capacity_gib: float
    """What it may hold."""
    quota_gib: float
    """What the account may provision."""
    addresses: float
    """IP addresses of the subnet."""


class EpochSeconds(NamedTuple):
    """Predicted seconds of one epoch."""

    cold: float
    """First epoch; of linked S3 data with an assumed rate of hydration."""
    steady: float
    """Later epochs at baseline rates with caches; this one decides."""
    without_cache: float
    burst: float
    """As steady with burst rates where they are published; never relied on."""


class Prediction(NamedTuple):
    """Ceilings, epochs and what binds the steady one."""

    ceilings: Ceilings
    epoch_s: EpochSeconds
    binding: str
    """disk, network, client, metadata, preprocessing or compute."""
    hit_share: float
    """Share of the reads that reach the servers which their RAM answers in steady state."""


class Limits(NamedTuple):
    """Limits of a candidate that no rate decides."""

    capacity_gib: float
    quota_gib: float
    addresses: float


def predict(reading: Reading, delivery: Delivery, metadata_iops: int, *, efa: bool, limits: Limits) -> Prediction:
    """Predict ceilings and epochs of one file system; `efa` tells whether it is EFA-enabled."""
    dataset_mb, pages = reading.dataset_mb, reading.page_cache
    # who answers: a node's page cache, then the servers' RAM, then an SSD read cache in front of HDD, then the disks
    to_servers: float = 1.0
    hits: Callable[[float], float] = lru_hit_share
    if pages is not None:
        to_servers, hits = 1 - pages.hit_share, pages.server_hit_share
    hit_share = hits(delivery.ram_bytes / reading.working_set_bytes)
    from_disk, from_ssd = to_servers * (1 - hit_share), 0.0
    if delivery.ssd_cache_bytes:
        # the SSD read cache holds what the RAM holds as well
        both = max(hit_share, hits(delivery.ssd_cache_bytes / reading.working_set_bytes))
        from_disk, from_ssd = to_servers * (1 - both), to_servers * (both - hit_share)

    client = _client_mbps(reading, delivery, efa=efa)
    opens = OPENS_PER_METADATA_IOPS * metadata_iops
    disk = delivery.disk_read / from_disk if from_disk > 0 else inf
    ssd = delivery.ssd_cache_read / from_ssd if from_ssd > 0 else inf
    network, behind_client = delivery.network, client
    if to_servers < 1:
        network, behind_client = _behind_page_cache(network, to_servers), _behind_page_cache(client, to_servers)
    disk = min(ssd, disk)
    # seconds, not rates, are compared: a rate made from seconds and turned back is not always the same number
    seconds = (
        dataset_mb / disk,
        dataset_mb / network,
        dataset_mb / behind_client,
        reading.preprocessing_s,
        reading.compute_s,
    )
    steady = max(seconds)
    binding = _BINDINGS[seconds.index(steady)]

    # what holds for every epoch, whatever the file system
    floor_s = reading.floor_s
    if reading.files is not None:
        opens_s = reading.files / opens
        floor_s = max(floor_s, opens_s)
        if opens_s > steady:
            binding, steady = "metadata", opens_s
    without_cache = max(dataset_mb / min(delivery.disk_read, delivery.network, client), floor_s)
    burst = steady
    if delivery.bursts:
        burst_disk = min(delivery.disk_read_burst / from_disk if from_disk > 0 else inf, ssd)
        burst_mbps = min(burst_disk, _behind_page_cache(delivery.network_burst, to_servers), behind_client)
        burst = max(dataset_mb / burst_mbps, floor_s)
    hydration_s = 0.0 if reading.hydration is None else _hydration_s(reading, reading.hydration, delivery.disk_write)
    return Prediction(
        Ceilings(
            disk,
            network,
            behind_client,
            opens,
            min(delivery.disk_write, delivery.network, client),
            dataset_mb / hydration_s if hydration_s else inf,
            reading.preprocessing_mbps,
            reading.compute_mbps,
            *limits,
        ),
        EpochSeconds(max(without_cache, hydration_s), steady, without_cache, burst),
        binding,
        hit_share,
    )


_BINDINGS = ("disk", "network", "client", "preprocessing", "compute")
"""In the order of the seconds that are compared; of equal ones the first binds."""


def _behind_page_cache(mbps: float, to_servers: float) -> float:
    """Return MB/s of dataset bytes when only a share of the reads gets past the nodes' page caches."""
    return mbps / to_servers if to_servers > 0 else inf


def _client_mbps(reading: Reading, delivery: Delivery, *, efa: bool) -> float:
    """Return MB/s that all nodes together can take from the file system."""
    if efa and reading.efa_mbps_per_node is not None:
        return reading.nodes * reading.efa_mbps_per_node
    return reading.nodes * min(reading.ena_mbps_per_node, ENA_MBPS_PER_OSS * delivery.servers)


def _hydration_s(reading: Reading, waits: HydrationWaits, disk_write_mbps: float) -> float:
    """Return seconds that linked S3 data takes to arrive when it is read lazily.

    Arriving bytes are written to disk, and each cold file costs one reader one wait: assumed, AWS publishes no rate.
    """
    return max(reading.dataset_mb / min(disk_write_mbps, waits.mbps), waits.lazy_wait_s)


def preload_s(reading: Reading, delivery: Delivery) -> float | None:
    """Return seconds of a parallel preload of linked S3 data, assumed like the lazy rate; None without a link."""
    hydration = reading.hydration
    if hydration is None:
        return None
    return max(reading.dataset_mb / min(delivery.disk_write, hydration.mbps), hydration.preload_wait_s)
