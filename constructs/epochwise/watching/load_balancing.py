"""LoadBalancing: the nodes' GPUs are not equally busy."""

from dataclasses import dataclass
from itertools import combinations

from .metrics import Metrics, known, minutes_of
from .verdict import Verdict, undecided

RULE = "LoadBalancing"
_BINS = 10
"""Bins of ten percent each; how Debugger bins is not published."""


@dataclass(frozen=True)
class LoadBalancing:
    """Parameters as Debugger's LoadBalancing takes them, with the defaults that AWS's SDK sends.

    Debugger compares single GPUs by the distance of their histograms. CloudWatch has one utilisation per node, so nodes
    are compared; the distance is the share of minutes that would have to move to another bin (assumed: Debugger's own
    distance is not published).
    """

    threshold: float = 0.5
    """Distance from 0 to 1."""
    patience: int = 1000
    """Data points of 500 ms that pass before the first evaluation."""


def judge(metrics: Metrics, rule: LoadBalancing) -> Verdict:
    """Say whether two nodes' GPUs are busy in ways that differ too much."""
    patience = minutes_of(rule.patience)
    seen = {host.name: known(metrics.patient(host.gpu, patience)) for host in metrics.hosts}
    histograms = {name: _histogram(values) for name, values in seen.items() if values}
    evidence = metrics.gaps() | {"threshold": rule.threshold}
    if len(histograms) < 2:
        return undecided(
            RULE,
            f"{len(histograms)} node has GPU metrics after {patience} minutes of patience, and two are compared",
            evidence,
        )
    distances = {pair: _distance(histograms[pair[0]], histograms[pair[1]]) for pair in combinations(histograms, 2)}
    one, other = max(distances, key=lambda pair: distances[pair])
    distance = distances[one, other]
    evidence["distance"] = round(distance, 3)
    said = f"GPU utilisation of {one} and {other} differs by {distance:.3f}; {rule.threshold:g} is the limit"
    if distance <= rule.threshold:
        return Verdict(RULE, fired=False, reason=said, evidence=evidence)
    return Verdict(
        RULE,
        fired=True,
        reason=said,
        evidence=evidence,
        fix="give every rank the same number and size of samples, and look for a node with slow input",
    )


def _histogram(values: list[float]) -> list[float]:
    """Return the share of values in each bin from 0 to 100 percent.

    >>> _histogram([0.0, 100.0])
    [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]
    """
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value * _BINS / 100), _BINS - 1)] += 1
    return [count / len(values) for count in counts]


def _distance(one: list[float], other: list[float]) -> float:
    """Return half the sum of differences: 0 when equal, 1 when nothing overlaps.

    >>> _distance([1.0, 0.0], [0.0, 1.0])
    1.0
    """
    return sum(abs(left - right) for left, right in zip(one, other, strict=True)) / 2
