"""One file system of a given size as a candidate: one that exists, or that somebody names."""

from math import inf

from epochwise.catalog import intelligent_tiering as tiering
from epochwise.catalog.fsx_lustre import USABLE_SHARE, Family
from epochwise.catalog.intelligent_tiering import TieringFamily
from epochwise.catalog.legality import AnyFamily
from epochwise.catalog.prices import PriceTable
from epochwise.sizing.candidate import Candidate, Size
from epochwise.sizing.cost import family_prices, prices_of, provisioned_monthly_usd, tiering_monthly_usd
from epochwise.sizing.delivery import provisioned_delivery, tiering_delivery
from epochwise.sizing.prediction import Limits, predict
from epochwise.sizing.reading import reading_of
from epochwise.workload import Workload


def candidate_of_size(workload: Workload, family: AnyFamily, size: Size, prices: PriceTable | None = None) -> Candidate:
    """Predict and price one file system for a workload, whatever a search would make of it.

    Args:
        workload: what reads it.
        family: its kind.
        size: its size; `metadata_iops` holds what it has, or what is assumed of it.
        prices: replaces the prices that ship with the library.
    """
    table = prices_of(workload, prices)
    rows = family_prices(table, workload.region, family)
    addresses = workload.cluster.free_addresses or inf
    match family:
        case TieringFamily():
            mbps, read_cache = size.throughput_capacity_mbps or 0, size.read_cache_gib or 0
            delivery = tiering_delivery(mbps)
            on_disk, quota = workload.dataset.size / workload.dataset.compression_ratio, tiering.THROUGHPUT_QUOTA_MBPS
            # what is predicted of it counts on a read cache of all that is read
            enough = read_cache >= tiering.read_cache_gib(on_disk, mbps)
            holds_gib = float(tiering.stored_limit_gib(mbps) if enough else read_cache)
            monthly_usd = tiering_monthly_usd(rows, mbps, read_cache, on_disk + workload.checkpoint_bytes_kept)
        case Family():
            capacity_gib = size.storage_capacity_gib or 0
            reduced_burst = workload.region_offer.reduced_network_burst
            delivery = provisioned_delivery(family, capacity_gib, reduced_burst=reduced_burst)
            holds_gib = capacity_gib * USABLE_SHARE
            quota = workload.file_system.storage_quota_gib or family.default_quota_gib
            monthly_usd = provisioned_monthly_usd(rows, family, capacity_gib, size.metadata_iops)
    prediction = predict(
        reading_of(workload),
        delivery,
        size.metadata_iops,
        efa=family.efa_enabled,
        limits=Limits(holds_gib, quota, addresses),
    )
    return Candidate(family, size, delivery, prediction, monthly_usd)
