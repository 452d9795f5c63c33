"""Everything that a measurement leaves open, and what stands in the way of a recommendation."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from epochwise.catalog.replacement import FILE_SYSTEM, update_rules
from epochwise.catalog.units import BYTES_PER_MB
from epochwise.checks import tuning as checks
from epochwise.checks.finding import Finding
from epochwise.tuning.dataset_evidence import Source
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.observation import Observation
from epochwise.tuning.recommendation import IDLE_SHARE, SLACK, Option, Way
from epochwise.watching.metrics import known

if TYPE_CHECKING:
    from epochwise.tuning.tuned import Tuning

_UPDATED = "StorageCapacity"
"""Its lock is the one of all updates: FSx takes one at a time."""


def tuning_remarks(tuning: "Tuning") -> Iterator[Finding]:
    """Yield every remark on a tuning."""
    job, seen, dataset, there = tuning.job, tuning.seen, tuning.dataset, tuning.job.file_system
    yield from _about_metrics(job, seen)
    yield from checks.tune_cluster_differs(
        ran_on=f"{job.nodes} × {job.instance_type}", declared=_declared_cluster(tuning.document)
    )
    yield from checks.tune_changed_since(file_system_id=there.file_system_id, updated=there.updated, start=job.start)
    by_cache = dataset.source is Source.CACHE
    yield from checks.tune_dataset_differs(
        by_cache=dataset.size_mb * BYTES_PER_MB if by_cache else None, declared=tuning.declared.dataset.size
    )
    yield from checks.tune_cache_disagrees(
        # the size that the cache's law has explains what it answers
        measured=None if by_cache else dataset.measured_hit_share,
        predicted=dataset.predicted_hit_share,
        settled=dataset.recognised,
    )
    yield from checks.tune_full_use_assumed(waited=seen.idle.for_storage, seen=seen.idle.fed_seen)
    yield from checks.tune_dataset_unrecognised(recognised=dataset.recognised, size_bytes=tuning.declared.dataset.size)
    yield from checks.tune_servers_uneven(
        share=sum(point.server_at_limit for point in seen.training.points) / len(seen.training.points)
    )
    yield from _about_bursts(seen)
    yield from _about_prediction(tuning)
    pattern = seen.checkpoints
    if pattern is not None:
        yield from checks.tune_checkpoints_undeclared(
            declared=tuning.declared.checkpoint is not None, size_mb=pattern.size_mb, every_s=pattern.every_s
        )
    yield from checks.tune_pins_lifted([f"file_system.{name}" for name in tuning.pins])
    for option in tuning.recommendation.options:
        yield from _about_option(tuning, option)


def _about_prediction(tuning: "Tuning") -> Iterator[Finding]:
    """Yield that what was measured and what is predicted for it do not agree."""
    found = tuning.recommendation
    here = found.options[0]
    yield from checks.tune_waits_unpredicted(
        waited=0.0 if here.misses else tuning.seen.idle.for_storage,
        allowed=IDLE_SHARE,
        epoch_s=here.candidate.epoch_s.steady,
    )
    yield from checks.tune_delivers_more(
        predicted_s=here.candidate.epoch_s.steady,
        limit_s=found.planned.workload.epoch.limit_s * (1 + SLACK),
        kept=not here.misses,
    )


def _about_option(tuning: "Tuning", option: Option) -> Iterator[Finding]:
    """Yield what stands in the way of an option."""
    there = tuning.job.file_system
    if option.way is Way.REPLACE:
        yield from checks.tune_stored_exceeds(
            stored_bytes=tuning.seen.stored_bytes,
            holds_gib=option.candidate.ceilings.capacity_gib,
            label=option.candidate.label,
        )
    if option.way is Way.IN_PLACE:
        yield from checks.tune_update_locked(
            file_system_id=there.file_system_id,
            updated=there.updated,
            updating=there.updating,
            now=tuning.now,
            locked_h=update_rules(FILE_SYSTEM)[_UPDATED].locked_h,
        )


def _about_metrics(job: MeasuredJob, seen: Observation) -> Iterator[Finding]:
    """Yield what is missing in the metrics."""
    storage = job.storage
    yield from checks.tune_job_running(name=job.name, running=job.running, until=job.end)
    yield from checks.tune_metrics_coarse(period_s=job.period_s)
    yield from checks.tune_metrics_missing(
        missing=seen.training.missing, periods=seen.training.periods, period_s=job.period_s
    )
    yield from checks.tune_accelerators_unseen(instance_type=job.instance_type, seen=seen.idle.share is not None)
    yield from checks.tune_hosts_silent([host.name for host in job.hosts if host.is_silent], hosts=job.nodes)
    disks = storage.targets_seen if known(storage.disk_read_mbps) else 0
    yield from checks.tune_hits_unseen(
        file_system_id=job.file_system.file_system_id, targets=storage.targets, seen=disks
    )
    yield from checks.tune_other_clients(connections=seen.connections, nodes=job.nodes)


def _about_bursts(seen: Observation) -> Iterator[Finding]:
    """Yield the ceiling that was exceeded the longest."""
    points = seen.training.points
    shares = {
        name: sum(point.used.get(name, 0.0) > checks.BURST_SHARE for point in points) / len(points)
        for name in ("disk", "network")
    }
    ceiling = max(shares, key=lambda name: shares[name])
    yield from checks.tune_burst_used(share=shares[ceiling], ceiling=ceiling)


def _declared_cluster(document: Mapping[str, Any]) -> str:
    """Return the nodes that a document declares."""
    cluster = document.get("cluster", {})
    return f"{cluster.get('nodes')} × {cluster.get('instance_type')}"
