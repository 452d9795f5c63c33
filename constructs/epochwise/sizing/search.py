"""Every legal file system that a plan looks at, predicted and priced."""

from collections.abc import Iterator
from math import ceil

from epochwise.catalog import intelligent_tiering as tiering
from epochwise.catalog.fsx_lustre import (
    OPENS_PER_METADATA_IOPS,
    USABLE_SHARE,
    DeploymentType,
    Family,
    MetadataMode,
    StorageType,
    automatic_metadata_iops,
    provisioned_metadata_iops,
)
from epochwise.catalog.intelligent_tiering import TieringFamily
from epochwise.catalog.legality import (
    AnyFamily,
    every_family,
    matching_families,
    offered_families,
    takes_link,
)
from epochwise.catalog.prices import PriceTable
from epochwise.checks.network import addresses_of_node, subnet_addresses
from epochwise.sizing.candidate import Candidate, Size
from epochwise.sizing.cost import family_prices, provisioned_monthly_usd, tiering_monthly_usd
from epochwise.sizing.delivery import provisioned_delivery, tiering_delivery
from epochwise.sizing.prediction import Limits, predict
from epochwise.sizing.reading import Reading, reading_of
from epochwise.workload import Objective, Workload

LARGEST_SUBNET_ADDRESSES = subnet_addresses(17)
"""Addresses of the largest private subnet that the network construct makes."""


def considered_families(workload: Workload) -> list[AnyFamily]:
    """Return the families that a plan looks at: what the Region offers, narrowed by the pins."""
    left_out = left_out_families(workload)
    return [family for family in every_family() if family not in left_out]


def left_out_families(workload: Workload) -> dict[AnyFamily, str]:
    """Return the families that a plan does not look at, each with the reason.

    Without a pin: PERSISTENT_1 only where the Region lacks PERSISTENT_2, SCRATCH_1 and HDD never, Intelligent-Tiering
    never with linked S3 data, and no scratch type for checkpoints, since a lost file server loses them. What a pin
    leaves alone is looked at whatever the defaults say.
    """
    offered = offered_families(workload.region_offer)
    pinned = matching_families(workload.file_system.wanted, offered)
    reasons: dict[AnyFamily, str] = {}
    for family in every_family():
        if family not in offered:
            reasons[family] = f"{workload.region} does not offer it"
        elif family not in pinned:
            reasons[family] = "the pins in file_system exclude it"
        elif workload.dataset.source is not None and not takes_link(family):
            reasons[family] = "it cannot be linked to S3, and dataset.source is"
    by_default = {family: _why_not_by_default(workload, family, offered) for family in pinned if family not in reasons}
    if any(not reason for reason in by_default.values()):
        reasons |= {family: reason for family, reason in by_default.items() if reason}
    return reasons


def _why_not_by_default(workload: Workload, family: AnyFamily, offered: list[AnyFamily]) -> str:
    """Return why a family is considered only where it is pinned; empty when it is considered."""
    pins = workload.file_system
    if family.storage_type is StorageType.HDD and pins.storage_type is None:
        return "HDD is considered only where file_system.storage_type pins it"
    if pins.deployment_types is not None:
        return ""
    if family.deployment_type is DeploymentType.SCRATCH_1:
        return "SCRATCH_1 is considered only where file_system.deployment_types pins it"
    if family.deployment_type is DeploymentType.PERSISTENT_1 and any(
        other.deployment_type is DeploymentType.PERSISTENT_2 for other in offered
    ):
        return "PERSISTENT_1 is considered only where pinned, or where the Region lacks PERSISTENT_2"
    if family.deployment_type.is_scratch and workload.checkpoint is not None:
        return "checkpoints on a scratch file system are lost with a file server"
    return ""


def candidates(workload: Workload, table: PriceTable) -> Iterator[Candidate]:
    """Yield every legal candidate with its prediction and price."""
    reading = reading_of(workload)
    needed = _metadata_iops_needed(workload)
    for family in considered_families(workload):
        match family:
            case Family():
                yield from _provisioned(workload, table, reading, family, needed)
            case TieringFamily():
                yield from _tiering(workload, table, reading, family, needed)


def node_addresses(workload: Workload) -> int:
    """Return the addresses that the nodes take in the subnet."""
    return workload.cluster.nodes * addresses_of_node(workload.cluster.instance_type)


def _provisioned(
    workload: Workload, table: PriceTable, reading: Reading, family: Family, metadata_needed: int
) -> Iterator[Candidate]:
    """Yield the candidates of a family with provisioned storage, up to the quota."""
    prices = family_prices(table, workload.region, family)
    pins = workload.file_system
    quota = pins.storage_quota_gib or family.default_quota_gib
    pinned = pins.storage_capacity_gib
    reduced_burst = workload.region_offer.reduced_network_burst
    addresses = _addresses(workload)
    efa = family.efa_enabled
    for capacity_gib in family.capacities_gib(quota) if pinned is None else [pinned]:
        mode, iops = _provisioned_metadata(family, capacity_gib, metadata_needed)
        delivery = provisioned_delivery(family, capacity_gib, reduced_burst=reduced_burst)
        limits = Limits(capacity_gib * USABLE_SHARE, quota, addresses)
        yield Candidate(
            family,
            Size(capacity_gib, None, None, mode, iops),
            delivery,
            predict(reading, delivery, iops, efa=efa, limits=limits),
            provisioned_monthly_usd(prices, family, capacity_gib, iops),
        )


def _tiering(
    workload: Workload, table: PriceTable, reading: Reading, family: TieringFamily, metadata_needed: int
) -> Iterator[Candidate]:
    """Yield the Intelligent-Tiering candidates, up to the default quota of throughput."""
    prices = family_prices(table, workload.region, family)
    on_disk = workload.dataset.size / workload.dataset.compression_ratio
    legal = tiering.tiering_metadata_iops()
    iops = next((value for value in legal if value >= metadata_needed), legal[-1])
    addresses = _addresses(workload)
    pinned = workload.file_system.throughput_capacity_mbps
    for mbps in family.throughputs_mbps() if pinned is None else [pinned]:
        delivery = tiering_delivery(mbps)
        read_cache = tiering.read_cache_gib(on_disk, mbps)
        limits = Limits(_tiering_holds_gib(mbps, read_cache), tiering.THROUGHPUT_QUOTA_MBPS, addresses)
        size = Size(
            throughput_capacity_mbps=mbps,
            read_cache_gib=read_cache,
            metadata_mode=MetadataMode.USER_PROVISIONED,
            metadata_iops=iops,
        )
        yield Candidate(
            family,
            size,
            delivery,
            predict(reading, delivery, iops, efa=family.efa_enabled, limits=limits),
            tiering_monthly_usd(prices, mbps, read_cache, on_disk + workload.checkpoint_bytes_kept),
        )


def _tiering_holds_gib(mbps: int, read_cache_gib: int) -> float:
    """Return what an Intelligent-Tiering file system may hold: what is stored, and the dataset in the read cache."""
    limit_gib = tiering.read_cache_limit_gib(mbps)
    return tiering.stored_limit_gib(mbps) if read_cache_gib <= limit_gib else limit_gib / tiering.READ_CACHE_HEADROOM


def _addresses(workload: Workload) -> int:
    """Return the addresses of the subnet, as declared or of the largest that the network construct makes."""
    return workload.cluster.free_addresses or LARGEST_SUBNET_ADDRESSES


def _metadata_iops_needed(workload: Workload) -> int:
    """Return the metadata IOPS that the declared files ask for; none where the target is ignored."""
    files = workload.dataset.files
    if files is None or workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN:
        return 0
    return ceil(files / (OPENS_PER_METADATA_IOPS * workload.epoch.limit_s))


def _provisioned_metadata(family: Family, capacity_gib: int, needed: int) -> tuple[MetadataMode | None, int]:
    """Return mode and IOPS: AUTOMATIC where it is enough, else the smallest legal value that is, or the largest."""
    automatic = automatic_metadata_iops(capacity_gib)
    if not family.has_metadata_configuration:
        return None, automatic
    if needed <= automatic:
        return MetadataMode.AUTOMATIC, automatic
    legal = provisioned_metadata_iops()
    return MetadataMode.USER_PROVISIONED, next((iops for iops in legal if iops >= needed), legal[-1])
