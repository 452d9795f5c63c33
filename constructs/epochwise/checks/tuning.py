"""Remarks on a job that was measured: what its metrics leave open. One rule, one function, one id."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from epochwise.catalog.cloudwatch_api import LISTED_DAYS, RETENTION
from epochwise.checks.finding import Finding, Level
from epochwise.declaration.quantity_text import seconds_text, size_text

FINEST_PERIOD_S, FINEST_DAYS = RETENTION[0]
MISSING_SHARE = 0.05
"""Share of the periods that may be missing without a word."""
CACHE_TOLERANCE = 0.05
"""By which the measured hit share may differ from the predicted one: both are only so exact."""
BURST_SHARE = 1.05
"""Of a baseline; above it a file system bursts, whatever the rounding of its metrics."""


def tune_hosts_silent(silent: Sequence[str], *, hosts: int) -> Iterator[Finding]:
    """Nodes without any metric are left out of every mean. Source: SageMaker Developer Guide, CloudWatch metrics."""
    if silent:
        named = ", ".join(silent[:3]) + (", …" if len(silent) > 3 else "")
        yield Finding(
            "TUNE_HOSTS_SILENT",
            Level.WARNING,
            f"{len(silent)} of {hosts} nodes have no metrics ({named}), and are taken to be like the others",
            "let the job's role allow cloudwatch:PutMetricData, and look at a run of which all nodes have metrics",
        )


def tune_accelerators_unseen(*, instance_type: str, seen: bool) -> Iterator[Finding]:
    """Without metrics of accelerators nobody knows how long they waited, and demand is no more than what was read.

    Source: SageMaker Developer Guide, CloudWatch metrics of training jobs: GPUs have them, other accelerators do not.
    """
    if not seen:
        yield Finding(
            "TUNE_ACCELERATORS_UNSEEN",
            Level.WARNING,
            f"no node of type {instance_type} has GPUUtilization, so that how long accelerators waited is unknown and "
            "demand is at least what was read",
            "take the demand from the training script's own step times, and say it with epoch.target",
        )


def tune_hits_unseen(*, file_system_id: str, targets: int | None, seen: int) -> Iterator[Finding]:
    """The hit share needs the disk reads of every storage target. Source: FSx User Guide, fs-metrics."""
    if not seen or (targets or 0) > seen:
        of = "" if targets is None else f" of {targets}"
        yield Finding(
            "TUNE_HITS_UNSEEN",
            Level.WARNING,
            f"DiskReadBytes is there for {seen}{of} storage targets of {file_system_id}, so that the hit ratio and the "
            "size of the dataset are not measured",
            f"look at a run of the last {LISTED_DAYS} days, whose metrics CloudWatch still lists",
        )


def tune_metrics_missing(*, missing: int, periods: int, period_s: int) -> Iterator[Finding]:
    """Periods without metrics are bridged. Source: CloudWatch delivers metrics as far as they arrive."""
    if missing > MISSING_SHARE * periods:
        yield Finding(
            "TUNE_METRICS_MISSING",
            Level.WARNING,
            f"{missing} of {periods} periods of {period_s} s lack reads or the use of accelerators, and are bridged",
            "trust the figures less, or look at another run",
        )


def tune_metrics_coarse(*, period_s: int) -> Iterator[Finding]:
    """Older or longer jobs have fewer points. Source: CloudWatch API, GetMetricData: 15, 63 and 455 days."""
    if period_s > FINEST_PERIOD_S:
        yield Finding(
            "TUNE_METRICS_COARSE",
            Level.INFO,
            f"the figures are means over {period_s} s: CloudWatch keeps those of a minute for {FINEST_DAYS} days, and "
            "long jobs are looked at in larger steps",
            f"look at a run of the last {FINEST_DAYS} days where bursts or checkpoints matter",
        )


def tune_job_running(*, name: str, running: bool, until: datetime) -> Iterator[Finding]:
    """Of a job that runs only its past is known. Source: SageMaker API, DescribeTrainingJob."""
    if running:
        yield Finding(
            "TUNE_JOB_RUNNING",
            Level.INFO,
            f"{name} is still running; the figures end at {until:%Y-%m-%d %H:%M} UTC",
            "repeat it when the job has ended",
        )


def tune_other_clients(*, connections: float | None, nodes: int) -> Iterator[Finding]:
    """FSx counts what all clients read together. Source: FSx User Guide, fs-metrics, ClientConnections."""
    if connections is not None and connections > nodes:
        yield Finding(
            "TUNE_OTHER_CLIENTS",
            Level.WARNING,
            f"{connections:.0f} clients were connected and the job has {nodes} nodes: what others read and wrote is in "
            "the figures",
            "look at a run during which nothing else uses the file system",
        )


def tune_cluster_differs(*, ran_on: str, declared: str) -> Iterator[Finding]:
    """What was measured belongs to the nodes that ran."""
    if ran_on != declared:
        yield Finding(
            "TUNE_CLUSTER_DIFFERS",
            Level.WARNING,
            f"the job ran on {ran_on}, and the file declares {declared}: what follows is for {ran_on}",
            "declare the nodes that are to train, or look at a run on those that are declared",
        )


def tune_changed_since(*, file_system_id: str, updated: datetime | None, start: datetime) -> Iterator[Finding]:
    """Ceilings follow from the size that a file system has now. Source: FSx API, AdministrativeActions."""
    if updated is not None and updated > start:
        yield Finding(
            "TUNE_CHANGED_SINCE",
            Level.WARNING,
            f"{file_system_id} was updated at {updated:%Y-%m-%d %H:%M} UTC, after the job began; its ceilings are "
            "those of its size now",
            "look at a run since then",
        )


def tune_update_locked(
    *,
    file_system_id: str,
    updated: datetime | None,
    updating: bool,
    now: datetime,
    locked_h: float,
) -> Iterator[Finding]:
    """FSx takes the next update only hours after the last, and not while that is under way.

    Source: FSx User Guide, managing-storage-capacity, managing-throughput-capacity and managing-metadata-performance.
    """
    until = None if updated is None else updated + timedelta(hours=locked_h)
    if updating or (until is not None and until > now):
        when = "once its update has ended" if until is None or updating else f"from {until:%Y-%m-%d %H:%M} UTC on"
        yield Finding(
            "TUNE_UPDATE_LOCKED",
            Level.WARNING,
            f"{file_system_id} takes its next update {when}"
            + ("; one is still under way" if updating else f", {locked_h:g} h after the last"),
            "wait until then; training goes on meanwhile",
        )


def tune_cache_disagrees(*, measured: float | None, predicted: float, settled: bool) -> Iterator[Finding]:
    """The plan takes every epoch for a fresh random order and the cache for least-recently-used.

    Source: simulation of such caches, tests/sizing/test_cache_laws.py.
    """
    if measured is not None and abs(measured - predicted) > CACHE_TOLERANCE:
        how = "less" if measured < predicted else "more"
        yield Finding(
            "TUNE_CACHE_DISAGREES",
            Level.WARNING,
            f"the servers' cache answered {measured:.0%} of the reads where {predicted:.0%} are predicted, {how} than "
            "a fresh random order of this dataset would have it",
            "what follows counts with the measured share, as dataset.working_set"
            if settled
            else "what follows counts with the predicted share; look at a run of more epochs",
        )


def tune_dataset_differs(*, by_cache: float | None, declared: float) -> Iterator[Finding]:
    """What the cache answered is that of a dataset of another size, if every epoch is a fresh random order.

    Source: simulation of such caches, tests/sizing/test_cache_laws.py.
    """
    if by_cache is not None and abs(by_cache - declared) > CACHE_TOLERANCE * declared:
        yield Finding(
            "TUNE_DATASET_DIFFERS",
            Level.INFO,
            f"the servers' cache answered as for {size_text(by_cache)} read in a fresh random order, and the file "
            f"declares {size_text(declared)}",
            "where the declared size is right, samples are read in another order: declare what was measured as "
            "dataset.working_set instead",
        )


def tune_full_use_assumed(*, waited: float, seen: bool) -> Iterator[Finding]:
    """How busy accelerators are when they are fed cannot be seen in a job that waited throughout.

    Source: AWS publishes nothing about it; kernels leave gaps between them also when data is there.
    """
    if not seen and waited > MISSING_SHARE:
        yield Finding(
            "TUNE_FULL_USE_ASSUMED",
            Level.INFO,
            "demand takes accelerators that are fed for 100 % busy (assumed): the job waited nearly throughout, so "
            "that how busy they are otherwise was not seen",
            "take the demand for too high by as many percent as GPUUtilization stays below 100 % on a fast file system",
        )


def tune_dataset_unrecognised(*, recognised: bool, size_bytes: float) -> Iterator[Finding]:
    """A cache that answers hardly any read does not tell the size of what is read."""
    if not recognised:
        yield Finding(
            "TUNE_DATASET_UNRECOGNISED",
            Level.INFO,
            f"epochs are counted in the declared {size_text(size_bytes)}: what the servers' cache answered does not "
            "tell the size of the dataset",
            "check dataset.size; demand in MB/s does not depend on it",
        )


def tune_servers_uneven(*, share: float) -> Iterator[Finding]:
    """One server at its limit while others are not means that files do not lie on all of them alike.

    Source: FSx User Guide, performance: striping.
    """
    if share > MISSING_SHARE:
        yield Finding(
            "TUNE_SERVERS_UNEVEN",
            Level.WARNING,
            f"in {share:.0%} of the time one server was at its limit while the others were not",
            "stripe large files over all storage targets (lfs migrate -c -1), or spread hot files; a larger file "
            "system does not help a hot server",
        )


def tune_waits_unpredicted(*, waited: float, allowed: float, epoch_s: float) -> Iterator[Finding]:
    """Accelerators that wait for a file system which is predicted to be enough have another reason to wait.

    Source: simulation of one epoch, tests/sizing/test_epoch_simulator.py: loaders that read ahead too little, and the
    first epoch, which no cache answers.
    """
    if waited > allowed:
        yield Finding(
            "TUNE_WAITS_UNPREDICTED",
            Level.WARNING,
            f"accelerators waited for storage {waited:.0%} of the time, although a steady epoch of "
            f"{seconds_text(epoch_s)} is predicted, which is enough",
            "let loaders read further ahead, preload linked data, and look at a run of more epochs before anything is "
            "made larger or smaller",
        )


def tune_delivers_more(*, predicted_s: float, limit_s: float, kept: bool) -> Iterator[Finding]:
    """A file system that gave all that was asked of it is kept, whatever is predicted.

    Source: the measurement itself.
    """
    if kept and predicted_s > limit_s:
        yield Finding(
            "TUNE_DELIVERS_MORE",
            Level.INFO,
            f"an epoch of {seconds_text(predicted_s)} is predicted where {seconds_text(limit_s)} are allowed, and the "
            "job hardly waited for storage: what was measured counts",
            "nothing to do; look again when the nodes or the dataset change",
        )


def tune_burst_used(*, share: float, ceiling: str) -> Iterator[Finding]:
    """Burst credit ends, and AWS publishes neither its size nor its life. Source: FSx User Guide, ssd-storage."""
    if share > 0:
        yield Finding(
            "TUNE_BURST_USED",
            Level.INFO,
            f"in {share:.0%} of the time the file system gave more than its baseline of {ceiling}",
            "do not count on it: the recommendation stands on the baseline",
        )


def tune_checkpoints_undeclared(*, declared: bool, size_mb: float, every_s: float) -> Iterator[Finding]:
    """Checkpoints that the file does not declare are not sized for."""
    if not declared and size_mb > 0:
        yield Finding(
            "TUNE_CHECKPOINTS_UNDECLARED",
            Level.INFO,
            f"the job wrote about {size_text(size_mb * 1e6)} every {seconds_text(every_s)}, and the file declares no "
            "checkpoint",
            "declare checkpoint.size, checkpoint.every and checkpoint.write_within to have writes sized",
        )


def tune_pins_lifted(pins: Sequence[str]) -> Iterator[Finding]:
    """A size that is pinned is what tuning is about."""
    if pins:
        yield Finding(
            "TUNE_PINS_LIFTED",
            Level.INFO,
            f"the file pins {', '.join(pins)}, and what follows is planned without",
            "change or take out the pin before you deploy what is recommended",
        )


def tune_stored_exceeds(*, stored_bytes: float | None, holds_gib: float, label: str) -> Iterator[Finding]:
    """A smaller file system must hold what lies on the old one, or the rest has to go first.

    Source: FSx User Guide, fs-metrics, LogicalDiskUsage.
    """
    if stored_bytes is not None and stored_bytes > holds_gib * 2**30:
        yield Finding(
            "TUNE_STORED_EXCEEDS",
            Level.WARNING,
            f"{size_text(stored_bytes)} lie on the file system, and {label} holds {size_text(holds_gib * 2**30)}",
            "export or delete what training does not read, before anything is moved",
        )
