"""What was predicted beside what was measured: figure by figure, and ceiling by ceiling."""

from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

from epochwise.catalog.units import gib_from_bytes
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.demand import demand_of
from epochwise.tuning.dataset_evidence import DatasetEvidence
from epochwise.tuning.observation import Observation
from epochwise.workload import Workload


class ComparedFigure(NamedTuple):
    """A figure of the declaration or its prediction, and what it really was; None where either is unknown."""

    name: str
    predicted: float | None
    measured: float | None
    unit: str
    """MB/s, 1/s, s, MB, or share."""

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {"predicted": _rounded(self.predicted), "measured": _rounded(self.measured), "unit": self.unit}


class ComparedCeiling(NamedTuple):
    """A ceiling of the job's file system or nodes, and how far it was used."""

    name: str
    limit: float | None
    """MB/s of dataset bytes, opens a second, or GiB; None without one. As the plan has it for this file system, and for
    what the nodes themselves do, which a declaration only estimates, as what was measured amounts to."""
    asked: float | None
    """By what is declared."""
    measured: float | None
    used: float | None
    """Mean share of the ceiling, by CloudWatch's own utilisation where it has one."""
    at_limit: float | None
    """Share of the time in which it was reached."""
    unit: str

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "limit": _rounded(self.limit),
            "asked": _rounded(self.asked),
            "measured": _rounded(self.measured),
            "used": _rounded(self.used),
            "at_limit": _rounded(self.at_limit),
            "unit": self.unit,
        }


def compared_figures(
    workload: Workload, there: Candidate, seen: Observation, dataset: DatasetEvidence
) -> tuple[ComparedFigure, ...]:
    """Compare demand, cache, epoch, opens and checkpoints.

    Args:
        workload: what is declared, on the job's nodes.
        there: the job's file system, predicted for it.
        seen: what was measured.
        dataset: what the job's dataset is taken for.
    """
    demand, checkpoint, found = demand_of(workload), workload.checkpoint, seen.checkpoints
    bytes_of_epoch = dataset.size_mb * dataset.to_servers
    opens = None if seen.opens_per_mb is None else seen.opens_per_mb * seen.demand_mbps
    rows = [
        ComparedFigure("demand", demand.read_mbps, seen.demand_mbps / (dataset.to_servers or 1.0), "MB/s"),
        ComparedFigure("epoch", there.epoch_s.steady, bytes_of_epoch / seen.read_mbps, "s"),
        ComparedFigure("hit ratio", dataset.predicted_hit_share, dataset.measured_hit_share, "share"),
        ComparedFigure("dataset", workload.dataset.size / 1e6, dataset.size_mb if dataset.recognised else None, "MB"),
        ComparedFigure("opens", demand.opens_per_s, opens, "1/s"),
    ]
    if checkpoint is not None or found is not None:
        declared_mb = None if checkpoint is None else checkpoint.size / 1e6
        rows.append(ComparedFigure("checkpoint", declared_mb, None if found is None else found.size_mb, "MB"))
    return tuple(row for row in rows if row.predicted is not None or row.measured is not None)


def compared_ceilings(workload: Workload, there: Candidate, seen: Observation) -> tuple[ComparedCeiling, ...]:
    """Compare every ceiling that limits; see `compared_figures` for the arguments."""
    rows = _ceilings(workload, there, seen)
    known = (row if row.limit is not None and isfinite(row.limit) else row._replace(limit=None) for row in rows)
    return tuple(row for row in known if row.limit is not None or row.used is not None)


def _ceilings(workload: Workload, there: Candidate, seen: Observation) -> Iterator[ComparedCeiling]:
    """Yield every ceiling."""
    limits, demand, points = there.ceilings, demand_of(workload), seen.training.points
    for name in ("disk", "network", "client"):
        yield ComparedCeiling(
            name,
            getattr(limits, name),
            demand.read_mbps,
            seen.read_mbps,
            _used(seen, name),
            seen.at_limit.get(name),
            "MB/s",
        )
    yield ComparedCeiling(
        "metadata",
        limits.metadata_opens_per_s,
        demand.opens_per_s,
        seen.opens_per_s or None,
        _used(seen, "metadata"),
        seen.at_limit.get("metadata"),
        "opens/s",
    )
    yield ComparedCeiling(
        "write",
        limits.write,
        demand.write_mbps or None,
        seen.peak_write_mbps or None,
        _used(seen, "write"),
        seen.at_limit.get("write"),
        "MB/s",
    )
    cpu = [point.cpu for point in points if point.cpu is not None]
    busy_cpu = [float(point.cpu_bound) for point in points if point.cpu is not None]
    yield ComparedCeiling(
        "preprocessing",
        _of_nodes(limits.preprocessing, seen, _mean(cpu)),
        demand.read_mbps,
        seen.read_mbps,
        _mean(cpu),
        _mean(busy_cpu),
        "MB/s",
    )
    busy = None if seen.idle.share is None else 1 - seen.idle.share
    yield ComparedCeiling(
        "compute",
        _of_nodes(limits.compute, seen, busy),
        demand.read_mbps,
        seen.read_mbps,
        busy,
        None,
        "MB/s",
    )
    stored = None if seen.stored_bytes is None else gib_from_bytes(seen.stored_bytes)
    yield ComparedCeiling(
        "capacity",
        limits.capacity_gib,
        demand.stored_gib,
        stored,
        None if stored is None else stored / limits.capacity_gib,
        None,
        "GiB",
    )


def _of_nodes(declared: float, seen: Observation, used: float | None) -> float:
    """Return the MB/s that nodes would take at full use, by how much they took and how busy they were.

    What is declared stands where their use is not known; without a declaration there is no such ceiling.
    """
    return seen.read_mbps / used if isfinite(declared) and used else declared


def _used(seen: Observation, name: str) -> float | None:
    """Return the mean share of a ceiling."""
    return _mean([point.used[name] for point in seen.training.points if name in point.used])


def _mean(values: list[float]) -> float | None:
    """Return a mean; None without values."""
    return sum(values) / len(values) if values else None


def _rounded(value: float | None) -> float | None:
    """Round for output."""
    return None if value is None else round(value, 4)
