"""What one candidate delivers to one workload: ceilings and epochs."""

from math import inf
from typing import NamedTuple

from epochwise.catalog.fsx_lustre import OPENS_PER_METADATA_IOPS
from epochwise.catalog.lustre_clients import ENA_MBPS_PER_OSS
from epochwise.sizing.cache import lru_hit_share
from epochwise.sizing.delivery import Delivery
from epochwise.sizing.reading import Reading


class Ceilings(NamedTuple):
    """Each limit of a candidate: MB/s of dataset bytes unless its name says otherwise, infinite where nothing limits."""

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
    to_servers, hits = 1.0, lru_hit_share
    if pages is not None:
        to_servers, hits = 1 - pages.hit_share, pages.server_hit_share
    hit_share = hits(delivery.ram_bytes / reading.dataset_bytes)
    from_disk, from_ssd = to_servers * (1 - hit_share), 0.0
    if delivery.ssd_cache_bytes:
        # the SSD read cache holds what the RAM holds as well
        both = max(hit_share, hits(delivery.ssd_cache_bytes / reading.dataset_bytes))
        from_disk, from_ssd = to_servers * (1 - both), to_servers * (both - hit_share)

    client = _client_mbps(reading, delivery, efa=efa)
    opens = OPENS_PER_METADATA_IOPS * metadata_iops
    opens_s = 0.0 if reading.files is None else reading.files / opens
    disk = _rate(delivery.disk_read, from_disk)
    ssd = _rate(delivery.ssd_cache_read, from_ssd)
    network, behind_client = _rate(delivery.network, to_servers), _rate(client, to_servers)
    rates = (
        min(disk, ssd),
        network,
        behind_client,
        _rate(dataset_mb, reading.preprocessing_s),
        _rate(dataset_mb, reading.compute_s),
    )
    mbps = min(rates)
    binding, steady = _BINDINGS[rates.index(mbps)], dataset_mb / mbps
    if opens_s > steady:
        binding, steady = "metadata", opens_s

    # what holds for every epoch, whatever the file system
    floor_s = max(opens_s, reading.preprocessing_s, reading.compute_s)
    without_cache = max(dataset_mb / min(delivery.disk_read, delivery.network, client), floor_s)
    burst = steady
    if delivery.bursts:
        burst_disk = min(_rate(delivery.disk_read_burst, from_disk), ssd)
        burst_mbps = min(burst_disk, _rate(delivery.network_burst, to_servers), behind_client)
        burst = max(dataset_mb / burst_mbps, floor_s)
    hydration_s = _hydration_s(reading, delivery.disk_write)
    return Prediction(
        Ceilings(
            rates[0],
            network,
            behind_client,
            opens,
            min(delivery.disk_write, delivery.network, client),
            _rate(dataset_mb, hydration_s),
            rates[3],
            rates[4],
            *limits,
        ),
        EpochSeconds(max(without_cache, hydration_s), steady, without_cache, burst),
        binding,
        hit_share,
    )


_BINDINGS = ("disk", "network", "client", "preprocessing", "compute")
"""In the order of the rates that bind; of equal ones the first binds."""


def _rate(amount: float, share: float) -> float:
    """Return amount over share, infinite where there is no share."""
    return amount / share if share > 0 else inf


def _client_mbps(reading: Reading, delivery: Delivery, *, efa: bool) -> float:
    """Return MB/s that all nodes together can take from the file system."""
    if efa and reading.efa_mbps_per_node is not None:
        return reading.nodes * reading.efa_mbps_per_node
    return reading.nodes * min(reading.ena_mbps_per_node, ENA_MBPS_PER_OSS * delivery.servers)


def _hydration_s(reading: Reading, disk_write_mbps: float) -> float:
    """Return seconds that linked S3 data takes to arrive when it is read lazily; 0 without a link.

    Arriving bytes are written to disk, and each cold file costs one reader one wait: assumed, AWS publishes no rate.
    """
    hydration = reading.hydration
    if hydration is None:
        return 0.0
    return max(reading.dataset_mb / min(disk_write_mbps, hydration.mbps), hydration.lazy_wait_s)


def preload_s(reading: Reading, delivery: Delivery) -> float | None:
    """Return seconds of a parallel preload of linked S3 data, assumed like the lazy rate; None without a link."""
    hydration = reading.hydration
    if hydration is None:
        return None
    return max(reading.dataset_mb / min(delivery.disk_write, hydration.mbps), hydration.preload_wait_s)
