"""StorageBottleneck: accelerators idle while the file system delivers all it can."""

from collections.abc import Sequence
from dataclasses import dataclass

from .metrics import Metrics, known, mean
from .verdict import Verdict, undecided

RULE = "StorageBottleneck"


@dataclass(frozen=True)
class Rung:
    """A file system that delivers more, as the planner chose it for a measured demand."""

    mbps: float
    """MB/s that were asked for."""
    file_system: str
    monthly_usd: float


@dataclass(frozen=True)
class StorageBottleneck:
    """Parameters of a rule that is this library's own; its minutes are minutes."""

    threshold: float = 50
    """Percent of the minutes that storage may bind."""
    gpu_threshold: float = 10
    """Mean GPU utilisation of all nodes in percent, up to which they idle."""
    io_threshold: float = 90
    """Percent of the plan's ceiling from which the file system is at its limit."""
    patience: int = 10
    """Minutes that pass before the first evaluation."""


def judge(metrics: Metrics, rule: StorageBottleneck, ceiling_mbps: float, ladder: Sequence[Rung] = ()) -> Verdict:
    """Say whether the nodes wait for a file system at its ceiling, and which one would do.

    `ceiling_mbps` is what the planned file system delivers; `ladder` the choices for larger demands, in any order.
    """
    minutes = _minutes(metrics, rule.patience)
    evidence = metrics.gaps() | {
        "read_minutes_missing": sum(value is None for value in metrics.read_mbps),
        "ceiling_mbps": round(ceiling_mbps, 1),
        "threshold_percent": rule.threshold,
    }
    if not minutes or ceiling_mbps <= 0:
        return undecided(RULE, f"no minute after {rule.patience} of patience has both reads and GPU metrics", evidence)
    at_ceiling = ceiling_mbps * rule.io_threshold / 100
    bound = [(read, gpu) for read, gpu in minutes if read >= at_ceiling and gpu <= rule.gpu_threshold]
    share = 100 * len(bound) / len(minutes)
    evidence["bound_percent"] = round(share, 1)
    said = (
        f"in {share:.1f} % of {len(minutes)} minutes the file system delivered at least {at_ceiling:.0f} of "
        f"{ceiling_mbps:.0f} MB/s while GPUs were busy at most {rule.gpu_threshold:g} %; {rule.threshold:g} % is the "
        "limit"
    )
    if share <= rule.threshold:
        return Verdict(RULE, fired=False, reason=said, evidence=evidence)
    read, gpu = mean([each[0] for each in bound]), mean([each[1] for each in bound])
    # what busy GPUs would read, if reading grew with their use; unbounded where they do nothing at all
    wanted = read * 100 / gpu if gpu > 0 else float("inf")
    evidence |= {"read_mbps": round(read, 1), "gpu_percent": round(gpu, 1)}
    return Verdict(RULE, fired=True, reason=said, evidence=evidence, fix=_cure(wanted, ladder))


def _cure(wanted_mbps: float, ladder: Sequence[Rung]) -> str:
    """Name the smallest file system that delivers what is wanted, else the largest there is."""
    rungs = sorted(ladder, key=lambda rung: rung.mbps)
    if not rungs:
        return "no larger file system is feasible for these nodes: cache in their memory, or compress the dataset"
    rung = next((each for each in rungs if each.mbps >= wanted_mbps), rungs[-1])
    short = "" if rung.mbps >= wanted_mbps else "; busy GPUs could read more than that"
    return (
        f"replace the file system by {rung.file_system}, planned for {rung.mbps:.0f} MB/s at {rung.monthly_usd:.2f} "
        f"USD a month{short}"
    )


def _minutes(metrics: Metrics, patience: int) -> list[tuple[float, float]]:
    """Return MB/s and mean GPU utilisation of each minute that has both, patience left out."""
    length = max((len(host.gpu) for host in metrics.hosts), default=0)
    means = tuple(_mean_at(metrics, minute) for minute in range(length))
    kept = metrics.patient(means, patience)
    reads = (*metrics.read_mbps, *(None,) * length)[length - len(kept) : length]
    return [(read, gpu) for read, gpu in zip(reads, kept, strict=True) if read is not None and gpu is not None]


def _mean_at(metrics: Metrics, minute: int) -> float | None:
    """Return the mean GPU utilisation of the nodes that have a value in that minute."""
    there = known(tuple(host.gpu[minute] for host in metrics.hosts if minute < len(host.gpu)))
    return mean(there) if there else None
