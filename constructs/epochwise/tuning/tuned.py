"""`tune`: from a measured job to a recommendation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from epochwise.catalog.prices import Price, PriceTable
from epochwise.checks.finding import Finding
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.cost import family_prices, prices_of
from epochwise.sizing.existing import candidate_of_size
from epochwise.sizing.planner import plan
from epochwise.tuning.comparison import ComparedCeiling, ComparedFigure, compared_ceilings, compared_figures
from epochwise.tuning.dataset_evidence import DatasetEvidence, dataset_evidence
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.measured_workload import MeasuredWorkload, measured_workload, on_the_jobs_nodes
from epochwise.tuning.observation import Observation, observe
from epochwise.tuning.recommendation import Option, Recommendation, Way, recommend
from epochwise.tuning.remarks import tuning_remarks
from epochwise.tuning.replacement_steps import replacement_steps
from epochwise.tuning.update_instructions import update_instructions
from epochwise.workload import Workload

_SIZES = ("storage_capacity_gib", "per_unit_storage_throughput", "throughput_capacity_mbps")
"""Pins that tuning is about."""


@dataclass(frozen=True)
class Tuning:
    """What was measured of a job, and what follows."""

    job: MeasuredJob
    declared: Workload
    """On the job's nodes."""
    there: Candidate
    """The job's file system, predicted for what is declared."""
    seen: Observation
    dataset: DatasetEvidence
    measured: MeasuredWorkload
    figures: tuple[ComparedFigure, ...]
    ceilings: tuple[ComparedCeiling, ...]
    recommendation: Recommendation
    document: Mapping[str, Any]
    """What the workload file holds."""
    pins: tuple[str, ...]
    """Pinned sizes, which the recommendation leaves aside."""
    now: datetime
    """When it was worked out, for what is locked until when."""
    prices: tuple[Price, ...]
    """The price rows that the options rest on."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the measurement leaves open, and what stands in the way."""
        return tuple(tuning_remarks(self))

    @property
    def epoch_s(self) -> float:
        """Seconds that an epoch took."""
        return self.dataset.size_mb * self.dataset.to_servers / self.seen.read_mbps

    @property
    def idle_usd_per_hour(self) -> float | None:
        """USD an hour for accelerators that waited for storage; None where their price or their use is unknown."""
        price = self.declared.cluster.price_per_node_hour
        if price is None or self.seen.idle.share is None:
            return None
        return price * self.job.nodes * self.seen.idle.for_storage

    @property
    def steps(self) -> tuple[str, ...]:
        """What is to be done, in order; empty where nothing is."""
        return option_steps(self, self.recommendation.chosen)

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready, as `epochwise tune --json` prints it: rates in MB/s, times in seconds."""
        job, seen, found = self.job, self.seen, self.recommendation
        return {
            "workload": self.declared.name,
            "job": {
                "name": job.name,
                "status": job.status,
                "start": job.start.isoformat(),
                "end": job.end.isoformat(),
                "nodes": job.nodes,
                "instance_type": job.instance_type,
                "period_s": job.period_s,
                "periods": seen.training.periods,
                "periods_missing": seen.training.missing,
            },
            "file_system": {"id": job.file_system.file_system_id, "label": self.there.label} | self.there.shape(),
            "measured": {
                "read_mbps": _rounded(seen.read_mbps),
                "demand_mbps": _rounded(seen.demand_mbps),
                "hit_ratio": _rounded(self.dataset.measured_hit_share),
                "hit_ratio_with_first_epoch": _rounded(seen.hit_share),
                "opens_per_s": _rounded(seen.opens_per_s),
                "metadata_operations_per_s": _rounded(seen.metadata_per_s),
                "write_mbps": _rounded(seen.write_mbps),
                "accelerators_idle": _rounded(seen.idle.share),
                "idle_causes": {cause: _rounded(share) for cause, share in seen.idle.causes.items()},
                "epochs": _rounded(self.dataset.epochs) if self.dataset.recognised else None,
                "epoch_s": _rounded(self.epoch_s),
                "dataset_from": str(self.dataset.source),
            },
            "figures": {figure.name: figure.as_dict() for figure in self.figures},
            "ceilings": {ceiling.name: ceiling.as_dict() for ceiling in self.ceilings},
            "values": dict(self.measured.values),
            "verdict": str(found.verdict),
            "bottleneck": found.bottleneck,
            "recommended": found.chosen.as_dict(),
            "steps": list(self.steps),
            "options": [option.as_dict() for option in found.options],
            "waiting_usd_per_hour": _rounded(self.idle_usd_per_hour),
            "planned": None if found.planned.choice is None else found.planned.choice.as_dict(),
            "prices": [
                {"item": price.item, "usd": price.usd, "unit": price.unit, "date": price.date} for price in self.prices
            ],
            "findings": [finding.as_dict() for finding in self.findings],
        }


def tune(
    document: Mapping[str, Any],
    job: MeasuredJob,
    now: datetime,
    *,
    source: str = "workload",
    prices: PriceTable | None = None,
) -> Tuning:
    """Conclude from a job what its file system should be.

    Args:
        document: what the workload file holds.
        job: what was measured.
        now: when, for what is locked.
        source: names the document in messages.
        prices: replaces the prices that ship with the library.

    Raises:
        WorkloadError: the document is no workload, or not with what was measured.
        NotTunableError: too little was measured.
    """
    declared = on_the_jobs_nodes(document, job, source)
    family, size = job.file_system.family, job.file_system.size
    there = candidate_of_size(declared, family, size, prices)
    seen = observe(job, candidate_of_size(_without_page_cache(declared), family, size, prices))
    dataset = dataset_evidence(declared, job, seen, there)
    measured = measured_workload(document, job, seen, dataset, source)
    pins, to_plan = _without_sizes(measured.workload)
    planned = plan(to_plan, prices)
    found = recommend(
        to_plan,
        planned,
        job.file_system,
        candidate_of_size(to_plan, family, size, prices),
        seen,
        declared_target_s=declared.epoch.limit_s,
        epoch_s=dataset.size_mb * dataset.to_servers / seen.read_mbps,
        prices=prices,
    )
    return Tuning(
        job=job,
        declared=declared,
        there=there,
        seen=seen,
        dataset=dataset,
        measured=measured,
        figures=compared_figures(declared, there, seen, dataset),
        ceilings=compared_ceilings(declared, there, seen),
        recommendation=found,
        document=document,
        pins=pins,
        now=now,
        prices=tuple(
            dict.fromkeys(
                row
                for option in found.options
                for row in family_prices(prices_of(declared, prices), declared.region, option.candidate.family)
            )
        ),
    )


def option_steps(tuning: Tuning, option: Option) -> tuple[str, ...]:
    """Return what is to be done to have a file system, in order."""
    match option.way:
        case Way.KEEP:
            return ()
        case Way.IN_PLACE:
            steps = () if option.in_place is None else option.in_place.steps
            return tuple(update_instructions(tuning.job.file_system.file_system_id, option.candidate, steps))
        case Way.REPLACE:
            linked = tuning.declared.dataset.source is not None
            file_system_id, label = tuning.job.file_system.file_system_id, option.candidate.label
            return replacement_steps(file_system_id, tuning.there, label, linked=linked)


def _without_page_cache(workload: Workload) -> Workload:
    """Return a workload whose nodes have no page cache: rates at the file system are what is measured."""
    return workload.model_copy(update={"cluster": workload.cluster.model_copy(update={"page_cache": 0})})


def _without_sizes(workload: Workload) -> tuple[tuple[str, ...], Workload]:
    """Return the pinned sizes, and the workload without them."""
    pinned = tuple(name for name in _SIZES if getattr(workload.file_system, name) is not None)
    lifted = workload.file_system.model_copy(update=dict.fromkeys(pinned))
    return pinned, workload.model_copy(update={"file_system": lifted})


def _rounded(value: float | None) -> float | None:
    """Round for output."""
    return None if value is None else round(value, 4)
