"""Put what was measured into the declaration, so that the planner plans for what the job really asks for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from epochwise.catalog.units import BYTES_PER_MB
from epochwise.declaration.quantity_text import declared_seconds, declared_size
from epochwise.declaration.setting import with_setting
from epochwise.tuning.dataset_evidence import DatasetEvidence
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.observation import Observation
from epochwise.workload import Workload
from epochwise.workload.preprocessing import preprocessing_s, preprocessing_vcpus

KEPT_WITHIN = 0.02
"""A declared value that is this near to the measured one is kept as it stands."""


@dataclass(frozen=True)
class MeasuredWorkload:
    """A declaration with measured values in it."""

    workload: Workload
    values: Mapping[str, Any]
    """Key of the file to the value that replaces it; those that are declared right already are left out."""
    was: Mapping[str, Any]
    """The same keys to what the file declares; None where it says nothing."""


def on_the_jobs_nodes(document: Mapping[str, Any], job: MeasuredJob, source: str) -> Workload:
    """Return the declared workload on the nodes that the job ran on.

    Raises:
        WorkloadError: the document is no workload, with these nodes or at all.
    """
    return _with(document, dict(_cluster(job)), source)


def measured_workload(
    document: Mapping[str, Any], job: MeasuredJob, seen: Observation, dataset: DatasetEvidence, source: str
) -> MeasuredWorkload:
    """Replace what is declared by what was measured: nodes, dataset, epoch, files, checkpoints, preprocessing.

    The epoch's target becomes the time that an epoch takes when storage never makes the job wait.

    Args:
        document: what the file holds.
        job: what was measured.
        seen: what follows from it.
        dataset: what its dataset is taken for.
        source: names the document in messages.

    Raises:
        WorkloadError: the document is no workload, or not with these values.
    """
    values: dict[str, Any] = {
        key: value for key, value in _cluster(job) if _declared(document, key) not in {value, str(value)}
    }
    workload = _with(document, dict(_cluster(job)), source)
    for part in (_dataset, _epoch, _checkpoint, _preprocessing):
        found = dict(part(workload, seen, dataset))
        values |= found
        workload = _with(document, dict(_cluster(job)) | values, source)
    return MeasuredWorkload(workload, values, {key: _declared(document, key) for key in values})


def _cluster(job: MeasuredJob) -> Iterator[tuple[str, Any]]:
    """Yield the nodes that a job ran on."""
    yield "cluster.instance_type", job.instance_type
    yield "cluster.nodes", job.nodes


def _dataset(workload: Workload, seen: Observation, dataset: DatasetEvidence) -> Iterator[tuple[str, Any]]:
    """Yield what is known of the dataset."""
    declared = workload.dataset
    size = dataset.size_mb * BYTES_PER_MB
    if not _kept(declared.size, size):
        yield "dataset.size", declared_size(size)
    if dataset.working_set_mb is not None:
        working_set = dataset.working_set_mb * BYTES_PER_MB
        if not _kept(declared.working_set, working_set):
            yield "dataset.working_set", declared_size(working_set)
    if seen.opens_per_mb:
        files = round(seen.opens_per_mb * dataset.size_mb * dataset.to_servers)
        if files > 0 and not _kept(declared.files, files):
            yield "dataset.files", files


def _epoch(workload: Workload, seen: Observation, dataset: DatasetEvidence) -> Iterator[tuple[str, Any]]:
    """Yield how long an epoch takes: as long as computing and preprocessing do where storage never makes them wait."""
    declared = workload.epoch
    target = dataset.size_mb * dataset.to_servers / seen.demand_mbps
    if _kept(declared.target, target):
        target = declared.target
    else:
        yield "epoch.target", declared_seconds(target)
    share = seen.idle.share
    if share is not None and share < 1:
        epoch_s = dataset.size_mb * dataset.to_servers / seen.read_mbps
        compute = min(epoch_s * (1 - share) / seen.idle.fed_busy, target)
    elif declared.compute is not None:
        compute = min(declared.compute, target)
    else:
        return
    if not _kept(declared.compute, compute) or (declared.compute or 0.0) > target:
        yield "epoch.compute", declared_seconds(compute, at_most=True)


def _checkpoint(workload: Workload, seen: Observation, _dataset: DatasetEvidence) -> Iterator[tuple[str, Any]]:
    """Yield what declared checkpoints really are."""
    declared, found = workload.checkpoint, seen.checkpoints
    if declared is None or found is None:
        return
    if not _kept(declared.size, found.size_mb * BYTES_PER_MB):
        yield "checkpoint.size", declared_size(found.size_mb * BYTES_PER_MB)
    # written by the minute: no more exact than that
    if abs(found.every_s - declared.every) > max(seen.period_s, KEPT_WITHIN * declared.every):
        yield "checkpoint.every", declared_seconds(found.every_s)
        if declared.write_within > found.every_s:
            yield "checkpoint.write_within", declared_seconds(found.every_s)


def _preprocessing(workload: Workload, seen: Observation, dataset: DatasetEvidence) -> Iterator[tuple[str, Any]]:
    """Yield the CPU time of a sample, where it is declared or CPUs held the job up.

    All that CPUs did beside what the collective library takes counts: an upper bound.
    """
    training, samples = workload.training, workload.dataset.sample_count
    shares = [point.cpu for point in seen.training.points if point.cpu is not None]
    if training is None or samples is None or not shares:
        return
    if training.preprocessing is None and seen.idle.main_cause != "preprocessing":
        return
    vcpu, usable = workload.cluster.instance.vcpu, preprocessing_vcpus(workload)
    used = [min(max(share * vcpu - (vcpu - usable), 0.0), float(usable)) for share in shares]
    epoch_s = dataset.size_mb * dataset.to_servers / seen.read_mbps
    busy_s = min(epoch_s * sum(used) / len(used) / usable, workload.epoch.target)
    cpu_s = busy_s * workload.cluster.nodes * usable / samples
    too_long = (preprocessing_s(workload) or 0.0) > workload.epoch.target
    if cpu_s > 0 and (too_long or not _kept(training.preprocessing, cpu_s)):
        yield "training.preprocessing", declared_seconds(cpu_s, at_most=True)


def _kept(declared: float | None, measured: float) -> bool:
    """Tell whether a declared value stands."""
    return declared is not None and abs(declared - measured) <= KEPT_WITHIN * measured


def _declared(document: Mapping[str, Any], key: str) -> Any:
    """Return what a document holds under a dotted key; None where it has none."""
    value: Any = document
    for name in key.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _with(document: Mapping[str, Any], values: Mapping[str, Any], source: str) -> Workload:
    """Return the workload that a document with these values is."""
    changed = dict(document)
    for key, value in values.items():
        changed = with_setting(changed, f"{key}={value}")
    return Workload.from_mapping(changed, source=source)
