"""What the servers of one file system deliver, whatever its kind."""

from functools import cache
from typing import NamedTuple

from epochwise.catalog import intelligent_tiering as tiering
from epochwise.catalog.fsx_lustre import Family
from epochwise.catalog.units import bytes_from_gib, fsx_tib_from_gib


class Delivery(NamedTuple):
    """Rates in MB/s, caches in bytes."""

    servers: int
    """Object storage servers, one address each."""
    disk_read: float
    disk_write: float
    network: float
    disk_read_burst: float
    """As disk_read where no burst is published."""
    network_burst: float
    ram_bytes: float
    ssd_cache_bytes: float = 0.0
    """SSD read cache in front of HDD."""
    ssd_cache_read: float = 0.0
    """MB/s that this cache answers beside the disks."""
    bursts: bool = False
    """Whether any burst is published."""


@cache
def provisioned_delivery(family: Family, capacity_gib: int, *, reduced_burst: bool) -> Delivery:
    """Return what a file system of a storage capacity delivers: its family's rates times its TiB of 1000 GiB."""
    tib = fsx_tib_from_gib(capacity_gib)
    burst = family.network_burst
    if reduced_burst and family.network_burst_reduced is not None:
        burst = family.network_burst_reduced
    return Delivery(
        servers=family.oss_count(capacity_gib),
        disk_read=tib * family.disk_read,
        disk_write=tib * family.disk_write,
        network=tib * family.network,
        disk_read_burst=tib * (family.disk_read_burst or family.disk_read),
        network_burst=tib * (burst or family.network),
        ram_bytes=bytes_from_gib(tib * family.ram_gib),
        ssd_cache_bytes=bytes_from_gib(tib * family.ssd_cache_gib),
        ssd_cache_read=tib * family.ssd_cache_read,
        bursts=bool(burst or family.disk_read_burst),
    )


def tiering_delivery(throughput_mbps: int) -> Delivery:
    """Return what Intelligent-Tiering delivers; its reads come from an SSD cache of the whole dataset."""
    disk, network = tiering.disk_mbps(throughput_mbps), tiering.network_mbps(throughput_mbps)
    return Delivery(
        servers=tiering.servers(throughput_mbps),
        disk_read=disk,
        disk_write=disk,
        network=network,
        disk_read_burst=disk,
        network_burst=network,
        ram_bytes=tiering.ram_bytes(throughput_mbps),
    )
