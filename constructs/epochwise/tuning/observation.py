"""`Observation`: what a job asked of its file system, and what held it up, from its metrics alone."""

from dataclasses import dataclass

from epochwise.catalog.units import BYTES_PER_MB
from epochwise.checks.tuning_refusals import tune_no_metrics, tune_too_short
from epochwise.sizing.candidate import Candidate
from epochwise.tuning.checkpoint_pattern import CheckpointPattern, checkpoint_pattern, checkpoint_periods
from epochwise.tuning.gaps import whole
from epochwise.tuning.idle_time import IdleTime, idle_time
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.points import AT_LIMIT, Training, training_points
from epochwise.tuning.recognised_dataset import Reads, dataset_of, reads_of
from epochwise.tuning.refusal import refuse
from epochwise.watching.metrics import Series, known

LEAST_POINTS = 5
"""Periods of training with metrics, below which nothing is concluded."""

LEAST_BUSY = 0.02
"""Share of the time that accelerators count as busy at least: of those that never were no demand can be told."""


@dataclass(frozen=True)
class Observation:
    """Rates in MB/s (10^6 B/s) and a second, at the file system; None for what the metrics do not tell."""

    training: Training
    period_s: int
    read_mbps: float
    """Mean while it trained."""
    demand_mbps: float
    """What it would have read had storage never made it wait."""
    opens_per_s: float | None
    opens_per_mb: float | None
    metadata_per_s: float | None
    """Metadata operations of all kinds."""
    write_mbps: float | None
    peak_write_mbps: float | None
    idle: IdleTime
    reads: Reads | None
    """All of the job, for the cache's law."""
    recognised_mb: float | None
    """MB of the dataset, as the cache's law has it."""
    checkpoints: CheckpointPattern | None
    at_limit: dict[str, float]
    """Ceiling to the share of the periods in which it was reached."""
    stored_bytes: float | None
    """Most that lay on the file system."""
    connections: float | None
    """Most clients that were connected."""

    @property
    def hit_share(self) -> float | None:
        """Share of the reads that the disks did not answer, the first epoch included."""
        reads = self.reads
        return None if reads is None else max(0.0, 1 - reads.from_disk_mb / reads.total_mb)

    def steady_hit_share(self, dataset_mb: float) -> float | None:
        """Share of the reads after the first pass over the dataset that the disks did not answer.

        None where less than half a pass came after it, or where disk reads are unknown.
        """
        reads = self.reads
        if reads is None:
            return None
        later = reads.total_mb - dataset_mb
        if not reads.cold:
            return self.hit_share
        if later < dataset_mb / 2:
            return None
        return min(1.0, max(0.0, 1 - (reads.from_disk_mb - dataset_mb) / later))

    def epochs(self, dataset_mb: float) -> float:
        """Passes over the dataset."""
        total = self.read_mbps * self.training.periods * self.period_s if self.reads is None else self.reads.total_mb
        return total / dataset_mb


def observe(job: MeasuredJob, there: Candidate) -> Observation:
    """Work out what a job asked for.

    Args:
        job: what was measured.
        there: its file system, predicted for the workload on the job's nodes without page caches.

    Raises:
        NotTunableError: there are no metrics, or too few.
    """
    storage, period_s = job.storage, job.period_s
    refuse(tune_no_metrics(job.file_system.file_system_id, reads=len(known(storage.read_mbps))))
    training = training_points(job, there)
    read = any(point.read_mbps for point in training.points)
    whole_periods = len(training.points) if read else 0
    refuse(tune_too_short(job.name, points=whole_periods, least=LEAST_POINTS, period_s=period_s))
    written = checkpoint_periods(storage.write_mbps, there.ceilings.write)
    idle = idle_time(training.points, written)
    reads = _reads(job, there)
    ram_mb = there.delivery.ram_bytes / BYTES_PER_MB
    points = training.points
    opens = [point.opens_per_s for point in points if point.opens_per_s is not None]
    read_beside_opens = sum(point.read_mbps for point in points if point.opens_per_s is not None)
    metadata = [point.metadata_per_s for point in points if point.metadata_per_s is not None]
    writes = [point.write_mbps for point in points if point.write_mbps is not None]
    names = ("disk", "network", "client", "metadata", "write")
    return Observation(
        training=training,
        period_s=period_s,
        read_mbps=_mean([point.read_mbps for point in points]),
        demand_mbps=sum(point.read_mbps for point in points)
        / max(len(points) - idle.deducted, len(points) * LEAST_BUSY),
        opens_per_s=_mean(opens) if opens else None,
        opens_per_mb=sum(opens) / read_beside_opens if sum(opens) and read_beside_opens else None,
        metadata_per_s=_mean(metadata) if metadata else None,
        write_mbps=_mean(writes) if writes else None,
        peak_write_mbps=max(writes, default=None),
        idle=idle,
        reads=reads,
        recognised_mb=None if reads is None or there.delivery.ssd_cache_bytes else dataset_of(reads, ram_mb),
        checkpoints=checkpoint_pattern(storage.write_mbps, period_s, there.ceilings.write),
        at_limit={
            name: _mean([float(point.used.get(name, 0.0) >= AT_LIMIT) for point in points])
            for name in names
            if any(name in point.used for point in points)
        },
        stored_bytes=max(known(storage.stored_bytes), default=None),
        connections=max(known(storage.connections), default=None),
    )


def _reads(job: MeasuredJob, there: Candidate) -> Reads | None:
    """Return what was read in all, gaps filled; None where disk reads of some targets are unknown."""
    storage = job.storage
    if not known(storage.disk_read_mbps) or (storage.targets or 0) > storage.targets_seen:
        return None
    read, disk = (_amounts(series, job.period_s) for series in (storage.read_mbps, storage.disk_read_mbps))
    return reads_of(read, disk, there.delivery.ram_bytes / BYTES_PER_MB)


def _amounts(series: Series, period_s: int) -> list[float]:
    """Return MB period by period."""
    return [rate * period_s for rate in whole(series)]


def _mean(values: list[float]) -> float:
    """Return the mean of at least one value."""
    return sum(values) / len(values)
