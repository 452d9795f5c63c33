"""Say why nothing legal is feasible, and what would lift the ceiling in the way."""

from collections.abc import Sequence

from epochwise.checks.finding import Finding, Level
from epochwise.sizing.demand import Demand
from epochwise.sizing.plan import Rejected
from epochwise.workload import Workload

_LIFTS = {
    "capacity": "raise file_system.storage_quota_gib once AWS has raised the quota, or keep less on the file system",
    "disk": "raise file_system.storage_quota_gib once AWS has raised the quota, or allow a longer epoch.target",
    "network": "raise file_system.storage_quota_gib once AWS has raised the quota, or allow a longer epoch.target",
    "client": "use more nodes, nodes with more network bandwidth, or EFA mounts (cluster.platform: ec2)",
    "metadata": "pack the samples into fewer, larger files, or allow a longer epoch.target",
    "write": "allow a longer checkpoint.write_within, or write smaller checkpoints",
}


def infeasible_findings(workload: Workload, demand: Demand, rejected: Sequence[Rejected]) -> list[Finding]:
    """Return one finding that names the nearest miss, its ceiling and what would lift it."""
    if not rejected:
        quota = workload.file_system.storage_quota_gib
        return [
            Finding(
                "NOTHING_FEASIBLE",
                Level.ERROR,
                f"no legal file system fits the storage quota of {quota} GiB",
                "raise file_system.storage_quota_gib to at least 1200",
            )
        ]
    nearest = min(rejected, key=_distance)
    pinned = workload.file_system.model_dump(exclude_defaults=True, exclude={"storage_quota_gib"})
    widen = f", or widen the pins ({', '.join(pinned)})" if pinned else ""
    return [
        Finding(
            "NOTHING_FEASIBLE",
            Level.ERROR,
            f"no legal file system reads {demand.read_mbps:.0f} MB/s; "
            f"the nearest, {nearest.candidate.label}, {nearest.reason}",
            _LIFTS[nearest.ceiling] + widen,
        )
    ]


def _distance(rejected: Rejected) -> tuple[int, float, float]:
    """Order misses: those that hold the data first, then by the epoch, then by what they write."""
    epoch_s = rejected.candidate.epoch_s.steady
    match rejected.ceiling:
        case "write":
            return 0, rejected.needed / rejected.got, epoch_s
        case "capacity":
            return 2, rejected.needed / rejected.got, epoch_s
        case _:
            return 1, rejected.got / rejected.needed, epoch_s
