"""Find what stands in the way when nothing legal is feasible."""

from collections.abc import Sequence

from epochwise.checks.feasibility import nothing_feasible, nothing_within_quota
from epochwise.checks.finding import Finding
from epochwise.declaration.quantity_text import seconds_text
from epochwise.sizing.demand import Demand
from epochwise.sizing.rejected import Rejected
from epochwise.workload import Workload

_NOT_PINS = {"storage_quota_gib", "objective", "lifetime"}


def infeasible_findings(workload: Workload, demand: Demand, rejected: Sequence[Rejected]) -> list[Finding]:
    """Return the finding that names the nearest miss, its ceiling, the fastest legal epoch and what would lift it."""
    pins = ", ".join(workload.file_system.model_dump(exclude_defaults=True, exclude=_NOT_PINS))
    if not rejected:
        return [nothing_within_quota(workload.file_system.storage_quota_gib or 0)]
    nearest = min(rejected, key=_distance)
    fastest = min(rejected, key=lambda refusal: refusal.candidate.epoch_s.steady).candidate
    wanted = f"{demand.read_mbps:.0f} MB/s with {demand.stored_gib:.0f} GiB on it"
    if demand.write_mbps:
        wanted += f" and {demand.write_mbps:.0f} MB/s of checkpoints"
    return [
        nothing_feasible(
            wanted=wanted,
            nearest=f"{nearest.candidate.label}, {nearest.reason}",
            fastest=f"; the fastest legal epoch is {seconds_text(fastest.epoch_s.steady)}, on {fastest.label}",
            ceiling=nearest.ceiling,
            pins=pins,
        )
    ]


def _distance(refusal: Rejected) -> tuple[int, float, float]:
    """Order misses: those that hold the data first, then by the factor, then by the epoch."""
    order = {"write": 0, "capacity": 3, "addresses": 2}
    return order.get(refusal.ceiling, 1), refusal.miss, refusal.candidate.epoch_s.steady
