"""LowGpuUtilization: GPUs are little used, or their use fluctuates."""

from dataclasses import dataclass

from .metrics import Metrics, known, minutes_of, percentile
from .verdict import Verdict, undecided

RULE = "LowGpuUtilization"


@dataclass(frozen=True)
class LowGpuUtilization:
    """Parameters as Debugger's LowGPUUtilization takes them, with the defaults that AWS's SDK sends.

    Debugger judges each GPU; here each node's GPUs together. A window holds that many minutes with values, gaps left
    out.
    """

    threshold_p95: float = 70
    """Little used: the 95th percentile of a window lies below, in percent."""
    threshold_p5: float = 10
    """Fluctuates: the 95th percentile does not lie below, the 5th does, in percent."""
    window: int = 500
    """Data points of 500 ms that a percentile is taken over."""
    patience: int = 1000
    """Data points of 500 ms that pass before the first evaluation."""


def judge(metrics: Metrics, rule: LowGpuUtilization) -> Verdict:
    """Say whether any node had a window of little or fluctuating use."""
    patience, window = minutes_of(rule.patience), minutes_of(rule.window)
    windows = [
        (percentile(part, 95), percentile(part, 5), host.name)
        for host in metrics.hosts
        for part in _windows(known(metrics.patient(host.gpu, patience)), window)
    ]
    evidence = metrics.gaps() | {"threshold_p95": rule.threshold_p95, "threshold_p5": rule.threshold_p5}
    if not windows:
        return undecided(
            RULE, f"no node has {window} minutes of GPU metrics after {patience} minutes of patience", evidence
        )
    lowest = min(windows)
    low = lowest[0] < rule.threshold_p95
    # where every window is used enough, the one that falls lowest says whether use fluctuates
    p95, p5, name = lowest if low else min(windows, key=lambda each: each[1])
    evidence |= {"p95": round(p95, 1), "p5": round(p5, 1)}
    said = (
        f"GPUs of {name}: 95th percentile {p95:.1f} % (limit {rule.threshold_p95:g} %), 5th percentile {p5:.1f} % "
        f"(limit {rule.threshold_p5:g} %) over {window} minutes"
    )
    if low:
        fix = "raise the batch size, overlap loading with computing, or train on fewer or smaller instances"
        return Verdict(RULE, fired=True, reason=f"little used: {said}", evidence=evidence, fix=fix)
    if p5 < rule.threshold_p5:
        fix = "look for what the GPUs wait for at intervals: input, checkpoints, evaluation or other nodes"
        return Verdict(RULE, fired=True, reason=f"fluctuates: {said}", evidence=evidence, fix=fix)
    return Verdict(RULE, fired=False, reason=said, evidence=evidence)


def _windows(values: list[float], length: int) -> list[list[float]]:
    """Return every run of `length` values."""
    return [values[start : start + length] for start in range(len(values) - length + 1)]
