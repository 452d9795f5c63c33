"""GpuMemoryIncrease: the memory of GPUs fills up."""

from dataclasses import dataclass

from .metrics import Metrics, known, mean, minutes_of
from .verdict import Verdict, undecided

RULE = "GpuMemoryIncrease"


@dataclass(frozen=True)
class GpuMemoryIncrease:
    """Parameters as Debugger's GPUMemoryIncrease takes them, with the defaults that AWS's SDK sends.

    The rule compares moving averages: from the lowest one to a later one they may rise by `increase` percentage points.
    Debugger judges each GPU; here each node's GPUs together.
    """

    increase: float = 5
    """Percentage points."""
    window: int = 10
    """Data points of 500 ms that an average is taken over."""
    patience: int = 1000
    """Data points of 500 ms that pass before the first evaluation."""


def judge(metrics: Metrics, rule: GpuMemoryIncrease) -> Verdict:
    """Say whether the GPU memory of any node grew too much."""
    patience, window = minutes_of(rule.patience), minutes_of(rule.window)
    rises: dict[str, float] = {}
    for host in metrics.hosts:
        values = known(metrics.patient(host.gpu_memory, patience))
        averages = [mean(values[start : start + window]) for start in range(len(values) - window + 1)]
        if averages:
            rises[host.name] = _rise(averages)
    evidence = metrics.gaps() | {"threshold_points": rule.increase}
    if not rises:
        return undecided(
            RULE, f"no node has {window} minutes of GPU memory after {patience} minutes of patience", evidence
        )
    worst = max(rises, key=lambda name: rises[name])
    evidence["increase_points"] = round(rises[worst], 1)
    said = (
        f"GPU memory of {worst} rose by {rises[worst]:.1f} percentage points; {rule.increase:g} is the limit, over "
        f"averages of {window} minutes"
    )
    if rises[worst] <= rule.increase:
        return Verdict(RULE, fired=False, reason=said, evidence=evidence)
    return Verdict(
        RULE,
        fired=True,
        reason=said,
        evidence=evidence,
        fix="look for tensors that are kept between steps, such as losses summed with their graphs, before memory runs "
        "out",
    )


def _rise(averages: list[float]) -> float:
    """Return the largest rise from one average to a later one.

    >>> _rise([10.0, 16.0, 5.0, 9.0])
    6.0
    """
    lowest, rise = averages[0], 0.0
    for average in averages:
        lowest = min(lowest, average)
        rise = max(rise, average - lowest)
    return rise
