"""What to do about a file system: keep it, grow it, shrink it, or look elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from epochwise.catalog.prices import PriceTable
from epochwise.checks.tuning import BURST_SHARE
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import preference, refusal_of
from epochwise.sizing.rejected import Rejected
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.tuning.idle_time import STORAGE_CAUSES
from epochwise.tuning.in_place import InPlace, best_in_place
from epochwise.tuning.observation import Observation
from epochwise.workload import Workload

SLACK = 0.05
"""Share by which the file system may miss the measured demand and still be kept: no measurement is more exact."""
IDLE_SHARE = 0.1
"""Share of the time that accelerators may idle before that is a question of its own."""
MOSTLY = 0.5
"""Share of the time in which a ceiling must be reached to be the bottleneck, where nobody knows who waited."""
COMPUTE, UNKNOWN = "compute", "unknown"
_RATES = {"disk", "network", "client", "metadata"}
"""Ceilings of reading, of which a measurement knows more than a prediction."""


class Verdict(StrEnum):
    """What is recommended."""

    KEEP = "keep"
    GROW = "grow"
    """In place."""
    SHRINK = "shrink"
    """By replacing it, or in place by a lower throughput."""
    REPLACE = "replace"
    """By another kind of file system that delivers more: this one does not grow so far."""
    NOT_STORAGE = "not-storage"
    """Storage was not the bottleneck."""
    NOTHING_FEASIBLE = "nothing-feasible"
    """No legal file system delivers what was asked for."""


class Way(StrEnum):
    """How an option is reached."""

    KEEP = "keep"
    IN_PLACE = "in place"
    REPLACE = "replace"


@dataclass(frozen=True)
class Option:
    """One file system that could be had."""

    way: Way
    candidate: Candidate
    difference_usd: float
    """A month, against the one there is."""
    in_place: InPlace | None = None
    """The updates that lead to it, in place."""
    misses: str = ""
    """By how much it misses what was measured; empty when it does it."""

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        steps = () if self.in_place is None else self.in_place.steps
        return {
            "way": str(self.way),
            "label": self.candidate.label,
            "monthly_usd": self.candidate.monthly_usd,
            "difference_usd": round(self.difference_usd, 2),
            "misses": self.misses,
            "steps": [step.as_dict() for step in steps],
            "shape": self.candidate.shape(),
        }


@dataclass(frozen=True)
class Recommendation:
    """The verdict with what it rests on."""

    verdict: Verdict
    bottleneck: str
    """What held the job up: a ceiling, one server, checkpoint, preprocessing, other, or compute when nothing did;
    unknown where accelerators have no metrics and nothing else was busy."""
    chosen: Option
    """What is recommended; the file system as it is where nothing better is known."""
    options: tuple[Option, ...]
    """All that are worth a look, with it."""
    planned: Plan
    """The plan for what was measured."""


def recommend(
    measured: Workload,
    planned: Plan,
    there: ExistingFileSystem,
    here: Candidate,
    seen: Observation,
    *,
    declared_target_s: float,
    epoch_s: float,
    prices: PriceTable | None = None,
) -> Recommendation:
    """Decide what to do.

    Args:
        measured: the workload with what was measured.
        planned: its plan.
        there: the job's file system.
        here: the same, predicted for `measured`.
        seen: what was measured.
        declared_target_s: seconds that the file allows an epoch.
        epoch_s: seconds that one took.
        prices: replaces the prices that ship with the library.
    """
    refusal = _refusal_with_slack(measured, here)
    if refusal is not None and refusal.ceiling in _RATES and _delivered(seen):
        refusal = None
    in_place = best_in_place(measured, there, prices)
    options = tuple(_options(measured, planned, here, in_place, refusal))
    keep = options[0]
    bottleneck = _bottleneck(seen)
    if refusal is None:
        verdict, chosen = _of_enough(measured, options, waited=seen.idle.for_storage > IDLE_SHARE)
        elsewhere = (seen.idle.share or 0.0) - seen.idle.for_storage
        missed = epoch_s > declared_target_s * (1 + SLACK)
        if (elsewhere > IDLE_SHARE or missed) and bottleneck not in {*STORAGE_CAUSES, UNKNOWN}:
            verdict = Verdict.NOT_STORAGE
        return Recommendation(verdict, bottleneck, chosen, options, planned)
    ways = {option.way: option for option in options}
    if Way.IN_PLACE in ways:
        return Recommendation(Verdict.GROW, bottleneck, ways[Way.IN_PLACE], options, planned)
    if Way.REPLACE in ways:
        return Recommendation(Verdict.REPLACE, bottleneck, ways[Way.REPLACE], options, planned)
    return Recommendation(Verdict.NOTHING_FEASIBLE, bottleneck, keep, options, planned)


def _bottleneck(seen: Observation) -> str:
    """Name what held a job up: the accelerators themselves where they hardly idled."""
    idle = seen.idle
    cause = idle.main_cause
    if idle.share is None:
        return _busiest(seen)
    if cause is None or sum(idle.causes.values()) <= IDLE_SHARE:
        return COMPUTE
    return cause


def _busiest(seen: Observation) -> str:
    """Name what was busy most of the time, where nothing is known of accelerators."""
    points = seen.training.points
    reached = dict(seen.at_limit) | {"preprocessing": sum(point.cpu_bound for point in points) / len(points)}
    busiest = max(reached, key=lambda name: reached[name])
    return busiest if reached[busiest] >= MOSTLY else UNKNOWN


def _delivered(seen: Observation) -> bool:
    """Tell whether a file system gave all that was asked of it, whatever its prediction, and without burst credit."""
    burst = any(
        point.used.get(name, 0.0) > BURST_SHARE for point in seen.training.points for name in ("disk", "network")
    )
    return seen.idle.share is not None and seen.idle.for_storage <= SLACK and not burst


def _of_enough(measured: Workload, options: tuple[Option, ...], *, waited: bool) -> tuple[Verdict, Option]:
    """Decide about a file system that is enough: keep it, unless another one does for less.

    `waited` tells that accelerators waited for it all the same: then nothing smaller is to be had.
    """
    rank = preference(measured)
    cheaper = [option for option in options[1:] if option.difference_usd < 0]
    if waited or not cheaper:
        return Verdict.KEEP, options[0]
    # at one price the one that moves no data
    best = min(cheaper, key=lambda option: (rank(option.candidate), option.way is Way.REPLACE))
    return Verdict.SHRINK, best


def _options(
    measured: Workload, planned: Plan, here: Candidate, in_place: InPlace | None, refusal: Rejected | None
) -> Iterator[Option]:
    """Yield the file system as it is, the best within reach, and the plan's own choice, each once."""
    yield Option(Way.KEEP, here, 0.0, misses="" if refusal is None else refusal.reason)
    shapes = [(here.family, here.size)]
    if in_place is not None and in_place.steps:
        shapes.append((in_place.candidate.family, in_place.candidate.size))
        yield Option(Way.IN_PLACE, in_place.candidate, in_place.candidate.monthly_usd - here.monthly_usd, in_place)
    choice = planned.choice
    if choice is None or (choice.family, choice.size) in shapes:
        return
    if refusal is not None or preference(measured)(choice) < preference(measured)(here):
        yield Option(Way.REPLACE, choice, choice.monthly_usd - here.monthly_usd)


def _refusal_with_slack(measured: Workload, here: Candidate) -> Rejected | None:
    """Return what the file system fails by more than a measurement may err."""
    epoch = measured.epoch
    relaxed = epoch.model_copy(update={"tolerance": (1 + epoch.tolerance) * (1 + SLACK) - 1})
    refusal = refusal_of(measured.model_copy(update={"epoch": relaxed}), here)
    if refusal is not None and refusal.ceiling == "write" and refusal.miss <= 1 + SLACK:
        return None
    return refusal
