"""Which file systems would do, should a job turn out to read more than was planned."""

from dataclasses import dataclass
from math import isfinite

from epochwise.catalog.units import mb_from_bytes
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import plan
from epochwise.watching.storage_bottleneck import Rung
from epochwise.workload import Workload
from epochwise.workload.sections import FileSystem

FACTORS = (1.25, 1.5, 2.0, 3.0, 4.0)
"""Measured demands, as multiples of what the planned file system delivers."""


@dataclass(frozen=True)
class Ladder:
    """What the planned file system delivers, and the planner's choice for larger demands."""

    ceiling_mbps: float
    """MB/s that its clients can read; 0 where nothing was chosen."""
    rungs: tuple[Rung, ...]
    """Smallest demand first; a demand that no legal file system meets has none."""


def ladder_of(planned: Plan) -> Ladder:
    """Return the ladder of a plan.

    The larger demands are planned for storage alone: without the pins of the declaration and without what the nodes
    compute, which would make them look infeasible.
    """
    choice = planned.choice
    if choice is None:
        return Ladder(0.0, ())
    dataset_mbps = min(choice.ceilings.disk, choice.ceilings.network)
    # a page cache in the nodes answers a share of the reads, which the file system never sees
    seen = choice.delivery.network / choice.ceilings.network if isfinite(choice.ceilings.network) else 0.0
    if not isfinite(dataset_mbps) or seen <= 0:
        return Ladder(choice.delivery.network, ())
    rungs = []
    for factor in FACTORS:
        larger = plan(_demanding(planned.workload, factor * dataset_mbps)).choice
        if larger is not None:
            rungs.append(Rung(round(factor * dataset_mbps * seen, 1), larger.label, larger.monthly_usd))
    return Ladder(dataset_mbps * seen, tuple(rungs))


def _demanding(workload: Workload, read_mbps: float) -> Workload:
    """Return the workload with a target that takes this rate to reach."""
    epoch = workload.epoch.model_copy(
        update={"target": mb_from_bytes(workload.dataset.size) / read_mbps, "compute": None, "tolerance": 0.0}
    )
    training = workload.training
    if training is not None:
        training = training.model_copy(update={"preprocessing": None})
    quota = FileSystem(storage_quota_gib=workload.file_system.storage_quota_gib)
    return workload.model_copy(update={"epoch": epoch, "training": training, "file_system": quota})
