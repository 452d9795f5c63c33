"""What a file system costs, a month and a campaign."""

from typing import NamedTuple

from epochwise.catalog.fsx_lustre import DriveCacheType, Family, automatic_metadata_iops
from epochwise.catalog.intelligent_tiering import TieringFamily
from epochwise.catalog.legality import AnyFamily
from epochwise.catalog.prices import Price, PriceTable, catalog_prices, item_unit
from epochwise.catalog.units import BYTES_PER_GB
from epochwise.sizing.prediction import EpochSeconds
from epochwise.workload import Workload

HOURS_PER_MONTH = 730
"""AWS's month for prices quoted a month."""
SECONDS_PER_HOUR = 3600

METADATA_ITEM = "METADATA-IOPS"
HDD_CACHE_ITEM = "HDD-READ-CACHE"
TIERING_ITEMS = ("INTELLIGENT_TIERING-THROUGHPUT", "INTELLIGENT_TIERING-READ-CACHE", "INTELLIGENT_TIERING-STORAGE")

NOT_IN_ESTIMATE = (
    "accelerators where cluster.price_per_node_hour is not declared",
    "NAT gateway and interface endpoints",
    "transfer between zones and out of AWS",
    "S3 storage and requests",
    "backups",
    "requests, monitoring and metadata IOPS of Intelligent-Tiering",
    "logs, keys and taxes",
)


def prices_of(workload: Workload, prices: PriceTable | None = None) -> PriceTable:
    """Return the prices that count for a workload: those that it declares, then the given ones, else the catalog's."""
    return (prices or catalog_prices()).overridden_by(
        Price(workload.region, item, usd, item_unit(item), "declared", "the workload file", verified=False)
        for item, usd in workload.prices.items()
    )


def family_prices(table: PriceTable, region: str, family: AnyFamily) -> tuple[Price, ...]:
    """Return the prices of a family, storage or throughput first.

    Raises:
        LookupError: the table lacks one, which is a defect of the data.
    """
    found = [(item, table.price(region, item)) for item in _items(family)]
    lacking = [item for item, price in found if price is None]
    if lacking:
        raise LookupError(f"prices lack {', '.join(lacking)}")
    return tuple(price for _, price in found if price is not None)


def _items(family: AnyFamily) -> tuple[str, ...]:
    """Return the priced items of a family."""
    match family:
        case TieringFamily():
            return TIERING_ITEMS
        case Family(drive_cache_type=DriveCacheType.READ):
            return family.price_item, HDD_CACHE_ITEM
        case Family(has_metadata_configuration=True):
            return family.price_item, METADATA_ITEM
        case _:
            return (family.price_item,)


def provisioned_monthly_usd(prices: tuple[Price, ...], family: Family, capacity_gib: int, metadata_iops: int) -> float:
    """Return USD a month, to the cent: storage, its SSD read cache, and metadata IOPS above what is included.

    GiB are billed as GB, which is inferred from AWS's price list.
    """
    usd = capacity_gib * prices[0].usd + metadata_monthly_usd(prices, family, capacity_gib, metadata_iops)
    if family.drive_cache_type is DriveCacheType.READ:
        usd += capacity_gib * family.ssd_cache_gib / 1000 * prices[1].usd
    return round(usd, 2)


def metadata_monthly_usd(
    prices: tuple[Price, ...], family: AnyFamily, capacity_gib: int | None, metadata_iops: int
) -> float:
    """Return USD a month of metadata IOPS above what the capacity includes."""
    if capacity_gib is None or not family.has_metadata_configuration:
        return 0.0
    return max(0, metadata_iops - automatic_metadata_iops(capacity_gib)) * prices[1].usd


def tiering_monthly_usd(
    prices: tuple[Price, ...], throughput_mbps: int, read_cache_gib: int, stored_bytes: float
) -> float:
    """Return USD a month, to the cent: throughput capacity, SSD read cache and what is stored."""
    throughput, read_cache, storage = prices
    usd = throughput_mbps * throughput.usd + read_cache_gib * read_cache.usd + stored_bytes / BYTES_PER_GB * storage.usd
    return round(usd, 2)


class Campaign(NamedTuple):
    """All epochs of a workload on one file system."""

    hours: float
    """The first epoch cold, the others steady."""
    file_system_usd: float
    """For as long as the file system lives."""
    cluster_usd: float | None
    """All nodes for those hours; None where their price is not declared."""
    waiting_usd: float | None
    """The part of it in which accelerators wait for data; None where price or compute time are not declared."""

    @property
    def usd(self) -> float:
        """File system and, where its price is known, cluster."""
        return self.file_system_usd + (self.cluster_usd or 0.0)


def campaign_of(workload: Workload, monthly_usd: float, epoch_s: EpochSeconds) -> Campaign:
    """Price all epochs of a workload."""
    epoch, cluster = workload.epoch, workload.cluster
    seconds = epoch_s.cold + (epoch.count - 1) * epoch_s.steady
    lifetime_s = max(workload.file_system.lifetime or 0.0, seconds)
    hourly = None if cluster.price_per_node_hour is None else cluster.nodes * cluster.price_per_node_hour
    waiting_s = None if epoch.compute is None else max(0.0, seconds - epoch.count * epoch.compute)
    return Campaign(
        hours=seconds / SECONDS_PER_HOUR,
        file_system_usd=round(monthly_usd * lifetime_s / SECONDS_PER_HOUR / HOURS_PER_MONTH, 2),
        cluster_usd=None if hourly is None else round(hourly * seconds / SECONDS_PER_HOUR, 2),
        waiting_usd=None if hourly is None or waiting_s is None else round(hourly * waiting_s / SECONDS_PER_HOUR, 2),
    )
