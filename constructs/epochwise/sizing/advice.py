"""Work out the numbers that advice rests on."""

from collections.abc import Iterator, Sequence

from epochwise.catalog.assumptions import (
    S3_FAST_FILE_MBPS_PER_NODE,
    S3_FILE_MODE_MBPS_PER_NODE,
    S3_GET_USD_PER_1000,
)
from epochwise.catalog.units import BYTES_PER_GB
from epochwise.checks import advice as remarks
from epochwise.checks.finding import Finding
from epochwise.sizing.cache import lru_hit_share
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.demand import Demand
from epochwise.sizing.prediction import preload_s
from epochwise.sizing.reading import efa_mount_of, reading_of
from epochwise.workload import Workload
from epochwise.workload.preprocessing import preprocessing_vcpus

S3_PART_BYTES = 8_000_000
"""Bytes of one ranged GET of a large object, by which requests are counted: assumed."""


def advice(
    workload: Workload,
    demand: Demand,
    choice: Candidate | None,
    feasible: Sequence[Candidate],
    metadata_usd: float,
) -> Iterator[Finding]:
    """Yield the advice that the numbers of a plan support; `metadata_usd` pays IOPS above the included, a month."""
    yield from _s3(workload, demand, choice)
    yield from _page_cache(workload)
    if choice is None:
        return
    reading = reading_of(workload)
    preload = preload_s(reading, choice.delivery)
    if preload is not None and preload < choice.epoch_s.cold:
        yield from remarks.preload_first(cold_s=choice.epoch_s.cold, limit_s=workload.epoch.limit_s, preload_s=preload)
    if demand.opens_per_s is not None:
        yield from remarks.larger_files(
            binds=choice.binding == "metadata",
            opens_per_s=demand.opens_per_s,
            extra_usd=metadata_usd,
        )
    yield from remarks.efa_above_10_gbps(
        read_mbps=demand.read_mbps, efa_enabled=choice.efa_enabled, mountable=efa_mount_of(workload).possible
    )
    yield from _bigger_tier(choice, feasible)
    yield from remarks.read_ahead_assumed(hit_share=choice.prediction.hit_share, binding=choice.binding)
    if choice.binding == "preprocessing":
        vcpus = preprocessing_vcpus(workload)
        yield remarks.preprocessing_binds(
            seconds=reading.preprocessing_s, vcpus=vcpus, assumed=vcpus < workload.cluster.instance.vcpu
        )
    if choice.binding == "compute":
        ceilings = choice.ceilings
        io_mbps = min(ceilings.disk, ceilings.network, ceilings.client)
        yield remarks.compute_binds(compute_s=reading.compute_s, io_s=reading.dataset_mb / io_mbps)


def _s3(workload: Workload, demand: Demand, choice: Candidate | None) -> Iterator[Finding]:
    """Yield whether SageMaker's input modes over S3 meet the target for less."""
    if not workload.runs_in_sagemaker or workload.checkpoint is not None:
        return
    per_node = demand.read_mbps / workload.cluster.nodes
    requests_an_epoch = max(workload.dataset.files or 0, workload.dataset.size / S3_PART_BYTES)
    monthly_usd = float("inf") if choice is None else choice.monthly_usd
    fast_file_usd = requests_an_epoch * workload.epoch.count / 1000 * S3_GET_USD_PER_1000
    file_usd = requests_an_epoch * workload.cluster.nodes / 1000 * S3_GET_USD_PER_1000
    fits_local = workload.dataset.size <= workload.cluster.instance.local_nvme_gb * BYTES_PER_GB
    download_s = demand.read_mbps * workload.epoch.target / S3_FILE_MODE_MBPS_PER_NODE
    if per_node <= S3_FAST_FILE_MBPS_PER_NODE and fast_file_usd < monthly_usd:
        yield remarks.s3_is_enough(
            mode="FastFile",
            mbps_needed=per_node,
            mbps_per_node=S3_FAST_FILE_MBPS_PER_NODE,
            usd=fast_file_usd,
            monthly_usd=monthly_usd,
        )
    elif fits_local and download_s <= workload.epoch.limit_s and file_usd < monthly_usd:
        yield remarks.s3_is_enough(
            mode="File",
            mbps_needed=demand.read_mbps * workload.epoch.target / workload.epoch.limit_s,
            mbps_per_node=S3_FILE_MODE_MBPS_PER_NODE,
            usd=file_usd,
            monthly_usd=monthly_usd,
        )


def _page_cache(workload: Workload) -> Iterator[Finding]:
    """Yield what declared page cache is counted with."""
    pages = reading_of(workload).page_cache
    if pages is not None:
        cluster = workload.cluster
        yield remarks.page_cache_counted(
            hit_share=pages.hit_share,
            limit_share=lru_hit_share(cluster.page_cache / workload.dataset.size, cluster.nodes),
            epochs=workload.epoch.count,
        )


def _bigger_tier(choice: Candidate, feasible: Sequence[Candidate]) -> Iterator[Finding]:
    """Yield the comparison with the next lower tier of the same kind, where the choice's tier is the higher one."""
    tier = choice.per_unit_storage_throughput
    families = {
        family
        for family in {candidate.family for candidate in feasible}
        if tier is not None
        and (family.deployment_type, family.storage_type, family.efa_enabled)
        == (choice.deployment_type, choice.storage_type, choice.efa_enabled)
        and (family.per_unit_storage_throughput or 0) < tier
    }
    lower = [
        candidate
        for candidate in feasible
        if candidate.family in families and candidate.monthly_usd > choice.monthly_usd
    ]
    if lower:
        top = max(candidate.per_unit_storage_throughput or 0 for candidate in lower)
        other = next(candidate for candidate in lower if candidate.per_unit_storage_throughput == top)
        yield remarks.bigger_tier(
            label=choice.label, usd=choice.monthly_usd, other_label=other.label, other_usd=other.monthly_usd
        )
