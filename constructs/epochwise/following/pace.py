"""How often a run is looked at: often while something changes, seldom while nothing does."""

from epochwise.following.run import TrainingRun

SHORTEST_S = 1.0
LONGEST_S = 60.0
"""Nothing that is shown is finer than a minute: neither metrics nor the state machine's own looks."""
_GROWTH = 1.5
METRICS_EVERY_S = 60.0
"""CloudWatch has a value a minute, and is paid by the metric."""


def next_wait_s(waited_s: float, before: TrainingRun | None, now: TrainingRun) -> float:
    """Return the seconds until the next look.

    Args:
        waited_s: seconds before this look.
        before: the look before; None for the first.
        now: this look.
    """
    if before is None or _standing(before) != _standing(now):
        return SHORTEST_S
    return min(LONGEST_S, max(SHORTEST_S, waited_s * _GROWTH))


def _standing(run: TrainingRun) -> tuple[object, ...]:
    """Return what a change of calls for another look soon."""
    job, execution = run.job, run.execution
    return (
        None if execution is None else execution.status,
        None if job is None else (job.status, job.secondary),
        len(run.findings),
    )
