"""Strong scaling: the declared work on more or fewer nodes, on one file system and on another.

Computing an epoch is shared by all nodes: on n nodes it takes what it takes on the declared ones, times their number
over n. That is the ideal; a file system that is too small gives every number of nodes the same epoch.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from epochwise.catalog.fsx_lustre import DeploymentType, Family, MetadataMode, automatic_metadata_iops
from epochwise.catalog.legality import Wanted, illegal_settings, matching_families, offered_families
from epochwise.catalog.prices import PriceTable
from epochwise.checks.judged_arguments import judged_arguments
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.subnet import nodes_not_positive
from epochwise.declaration.mistake import shown
from epochwise.sizing.candidate import Candidate, Size, json_number
from epochwise.sizing.existing import candidate_of_size
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import plan
from epochwise.sizing.prediction import Limits, predict
from epochwise.sizing.reading import reading_of
from epochwise.workload import Workload

UNDER_SIZED = "SCRATCH_2:1200"
"""The smallest file system there is: 240 MB/s."""
_FORM = "DEPLOYMENT_TYPE:CAPACITY_GIB or DEPLOYMENT_TYPE:CAPACITY_GIB:MB/S/TIB, such as PERSISTENT_2:4800:500"


class Run(NamedTuple):
    """A steady epoch on one file system."""

    epoch_s: float
    efficiency: float
    """Ideal epoch over epoch."""
    binding: str

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {"epoch_s": round(self.epoch_s, 2), "efficiency": round(self.efficiency, 4), "binding": self.binding}


class ScalingPoint(NamedTuple):
    """One number of nodes."""

    nodes: int
    ideal_s: float
    """Seconds that an epoch computes."""
    chosen: Run | None
    """On the file system that is planned for the declared nodes; None when none is feasible."""
    against: Run
    planned: Candidate | None
    """What would have to be planned for this number; None when nothing legal is feasible."""


class Scaling(NamedTuple):
    """How a workload scales."""

    workload: Workload
    compute_s: float
    """Seconds that an epoch computes on the declared nodes."""
    compute_declared: bool
    """Whether that is epoch.compute; else epoch.target stands for it."""
    planned: Plan
    """For the declared nodes."""
    against: Candidate
    points: tuple[ScalingPoint, ...]

    @property
    def against_is_too_small(self) -> bool:
        """Whether the dataset does not even fit: its epochs are then those of its rates alone."""
        return self.against.ceilings.capacity_gib < self.planned.demand.stored_gib

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready, as `epochwise scale --json` prints it."""
        choice = self.planned.choice
        return {
            "workload": self.workload.name,
            "declared_nodes": self.workload.cluster.nodes,
            "compute_s": json_number(self.compute_s),
            "compute_from": "epoch.compute" if self.compute_declared else "epoch.target",
            "chosen": None if choice is None else _priced(choice),
            "against": _priced(self.against) | {"holds_the_data": not self.against_is_too_small},
            "points": [
                {
                    "nodes": point.nodes,
                    "ideal_s": round(point.ideal_s, 2),
                    "chosen": None if point.chosen is None else point.chosen.as_dict(),
                    "against": point.against.as_dict(),
                    "planned": None if point.planned is None else _priced(point.planned),
                }
                for point in self.points
            ],
        }


@judged_arguments()
def scaling(
    workload: Workload, nodes: Sequence[int], against: str = UNDER_SIZED, prices: PriceTable | None = None
) -> Scaling:
    """Predict the steady epoch of a workload on each number of nodes.

    The target shrinks with the computing: what is planned for n nodes keeps n nodes as busy as the declared ones.

    Args:
        workload: what is declared.
        nodes: numbers of nodes, ascending.
        against: the file system to compare with, as DEPLOYMENT_TYPE:CAPACITY_GIB or with :MB/S/TIB.
        prices: replaces the prices that ship with the library.

    Raises:
        ValueError: an argument is of the wrong kind, a number of nodes is not above 0, or `against` is no legal file
            system in the Region.
    """
    refuse_errors(finding for count in nodes for finding in nodes_not_positive(count))
    declared, epoch = workload.cluster.nodes, workload.epoch
    compute_s = epoch.target if epoch.compute is None else epoch.compute
    planned = plan(workload, prices)
    other = _pinned(workload, against, prices)
    points = []
    for count in nodes:
        ideal_s = compute_s * declared / count
        target_s = epoch.target * declared / count
        busy = _on_nodes(workload, count, target_s, ideal_s)
        to_plan = _on_nodes(workload, count, target_s, None if epoch.compute is None else ideal_s)
        points.append(
            ScalingPoint(
                nodes=count,
                ideal_s=ideal_s,
                chosen=None if planned.choice is None else _run(busy, planned.choice, ideal_s),
                against=_run(busy, other, ideal_s),
                planned=planned.choice if count == declared else plan(to_plan, prices).choice,
            )
        )
    return Scaling(workload, compute_s, epoch.compute is not None, planned, other, tuple(points))


def _on_nodes(workload: Workload, nodes: int, target_s: float, compute_s: float | None) -> Workload:
    """Return the workload on another number of nodes."""
    return workload.model_copy(
        update={
            "cluster": workload.cluster.model_copy(update={"nodes": nodes}),
            "epoch": workload.epoch.model_copy(update={"target": target_s, "compute": compute_s}),
        }
    )


def _run(workload: Workload, candidate: Candidate, ideal_s: float) -> Run:
    """Predict the steady epoch of a workload on a file system that stays as it is."""
    ceilings = candidate.ceilings
    prediction = predict(
        reading_of(workload),
        candidate.delivery,
        candidate.metadata_iops,
        efa=candidate.efa_enabled,
        limits=Limits(ceilings.capacity_gib, ceilings.quota_gib, ceilings.addresses),
    )
    steady_s = prediction.epoch_s.steady
    return Run(steady_s, min(1.0, ideal_s / steady_s), prediction.binding)


def _family_and_capacity(workload: Workload, text: str) -> tuple[Family, int]:
    """Read which file system a text names.

    Raises:
        ValueError: it has another form, or no such file system is legal in the Region.
    """
    kind, *numbers = text.split(":")
    if len(numbers) not in {1, 2} or not all(number.isascii() and number.isdigit() for number in numbers):
        raise ValueError(f"must be {_FORM}, got {shown(text)}")
    if kind not in set(DeploymentType):
        raise ValueError(f"deployment type must be {' or '.join(DeploymentType)}, got {shown(kind)}")
    capacity_gib, tier = int(numbers[0]), int(numbers[1]) if numbers[1:] else None
    wanted = Wanted(
        deployment_types=(DeploymentType(kind),),
        storage_capacity_gib=capacity_gib,
        per_unit_storage_throughput=tier,
    )
    for illegal in illegal_settings(wanted) or illegal_settings(wanted, workload.region_offer):
        raise ValueError(str(illegal))
    offered = matching_families(wanted, offered_families(workload.region_offer))
    # whatever is legal with EFA is legal without
    found = [family for family in offered if isinstance(family, Family) and not family.efa_enabled]
    tiers = sorted({family.per_unit_storage_throughput or 0 for family in found})
    if len(tiers) > 1:
        legal = " or ".join(f"{kind}:{capacity_gib}:{value}" for value in tiers)
        raise ValueError(f"must name the throughput, {legal}, got {shown(text)}")
    return found[0], capacity_gib


def _pinned(workload: Workload, text: str, prices: PriceTable | None) -> Candidate:
    """Return the file system that a text such as SCRATCH_2:1200 names, with AUTOMATIC metadata and without EFA."""
    family, capacity_gib = _family_and_capacity(workload, text)
    mode = MetadataMode.AUTOMATIC if family.has_metadata_configuration else None
    size = Size(capacity_gib, metadata_mode=mode, metadata_iops=automatic_metadata_iops(capacity_gib))
    return candidate_of_size(workload, family, size, prices)


def _priced(candidate: Candidate) -> dict[str, Any]:
    """Return shape, name and price, JSON-ready."""
    return candidate.shape() | {"label": candidate.label, "monthly_usd": candidate.monthly_usd}
