"""Recognise checkpoints in what a job wrote: bursts with pauses between them."""

from typing import NamedTuple

from epochwise.tuning.gaps import lower
from epochwise.watching.metrics import Series

_IN_BURST = 0.1
"""Share of the largest rate from which a period belongs to a burst."""
_MOSTLY_QUIET = 0.6
"""Where bursts fill a larger share of the time, they cannot be told apart."""
LEAST_WRITE_SHARE = 0.01
"""Share of what could be written; below it, in every period, there is nothing but logs."""


class CheckpointPattern(NamedTuple):
    """Checkpoints as they were written."""

    size_mb: float
    """Of one, the mean."""
    every_s: float
    """From the beginning of one to the next, the mean."""
    written: int
    """How many there were."""


def checkpoint_periods(write_mbps: Series, write_ceiling_mbps: float) -> set[int]:
    """Return the periods in which more than logs was written, by their number."""
    rates = lower(write_mbps)
    most = max(rates, default=0.0)
    if most < write_ceiling_mbps * LEAST_WRITE_SHARE:
        return set()
    return {place for place, rate in enumerate(rates) if rate >= most * _IN_BURST}


def checkpoint_pattern(write_mbps: Series, period_s: int, write_ceiling_mbps: float) -> CheckpointPattern | None:
    """Return the pattern of the checkpoints; None where none is written, or one alone, or without a pause."""
    inside = checkpoint_periods(write_mbps, write_ceiling_mbps)
    starts = [place for place in sorted(inside) if place - 1 not in inside]
    if len(starts) < 2 or len(inside) > _MOSTLY_QUIET * len(write_mbps):
        return None
    every = (starts[-1] - starts[0]) / (len(starts) - 1)
    return CheckpointPattern(sum(lower(write_mbps)) * period_s / len(starts), every * period_s, len(starts))
