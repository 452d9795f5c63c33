"""File systems worth a look beside the choice, and why whole families are out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from epochwise.catalog.fsx_lustre import StorageType
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Alternative, FamilyVerdict
from epochwise.sizing.rejected import Rejected
from epochwise.sizing.search import left_out_families
from epochwise.workload import Workload

if TYPE_CHECKING:
    from epochwise.catalog.legality import AnyFamily


class _Kind(NamedTuple):
    """A way to differ from the choice."""

    name: str
    holds: Callable[[Candidate], bool]


_KINDS = (
    _Kind("without EFA", lambda candidate: not candidate.efa_enabled),
    _Kind("with EFA", lambda candidate: candidate.efa_enabled),
    _Kind("scratch", lambda candidate: candidate.deployment_type.is_scratch),
    _Kind("persistent", lambda candidate: not candidate.deployment_type.is_scratch),
    _Kind("Intelligent-Tiering", lambda candidate: candidate.storage_type is StorageType.INTELLIGENT_TIERING),
)


def alternatives_of(
    workload: Workload, choice: Candidate | None, feasible: Sequence[Candidate], rejected: Sequence[Rejected]
) -> tuple[Alternative, ...]:
    """Return the next cheaper that misses, the next faster, and the cheapest of each kind that the choice is not.

    `feasible` is in the order of the objective. One file system can stand for several kinds.
    """
    if choice is None:
        return ()
    kinds: dict[Candidate, list[str]] = {}
    misses: dict[Candidate, str] = {}
    cheaper = _next_cheaper(choice, rejected)
    if cheaper is not None:
        kinds[cheaper.candidate] = ["cheaper"]
        misses[cheaper.candidate] = cheaper.reason
    faster = [candidate for candidate in feasible if candidate.epoch_s.steady < choice.epoch_s.steady]
    if faster:
        kinds.setdefault(faster[0], []).append("faster")
    best_of_families: dict[AnyFamily, Candidate] = {}
    for candidate in feasible:
        best_of_families.setdefault(candidate.family, candidate)
    for name, holds in _kinds_of_family(workload, choice):
        best = next((candidate for candidate in best_of_families.values() if holds(candidate)), None)
        if best is not None:
            kinds.setdefault(best, []).append(name)
    shown = sorted(kinds, key=lambda candidate: (candidate.monthly_usd, candidate.epoch_s.steady, candidate.label))
    return tuple(Alternative(candidate, tuple(kinds[candidate]), misses.get(candidate, "")) for candidate in shown)


def _next_cheaper(choice: Candidate, rejected: Iterable[Rejected]) -> Rejected | None:
    """Return the rejected file system that costs less and misses by the smallest factor."""
    less = [refusal for refusal in rejected if refusal.candidate.monthly_usd < choice.monthly_usd]
    return min(less, key=lambda refusal: (refusal.miss, refusal.candidate.monthly_usd), default=None)


def _kinds_of_family(workload: Workload, choice: Candidate) -> Iterator[_Kind]:
    """Yield the kinds that the choice is not, and each other throughput tier."""
    yield from (kind for kind in _KINDS if not kind.holds(choice))
    considered = {workload.file_system.per_unit_storage_throughput} - {None}
    if considered or choice.per_unit_storage_throughput is None:
        return
    for tier in (50, 100, 200, 125, 250, 500, 1000):
        if tier != choice.per_unit_storage_throughput:
            yield _Kind(f"{tier} MB/s/TiB", _of_tier(tier, choice))


def _of_tier(tier: int, choice: Candidate) -> Callable[[Candidate], bool]:
    """Return the test for another tier of the same kind of file system."""
    return lambda candidate: (
        candidate.per_unit_storage_throughput == tier
        and candidate.deployment_type is choice.deployment_type
        and candidate.efa_enabled is choice.efa_enabled
    )


def verdicts(
    workload: Workload, feasible: Iterable[Candidate], rejected: Iterable[Rejected]
) -> tuple[FamilyVerdict, ...]:
    """Return every family of which nothing is feasible, with the first failing ceiling of its nearest candidate."""
    does = {candidate.family for candidate in feasible}
    nearest: dict[AnyFamily, Rejected] = {}
    for refusal in rejected:
        family = refusal.candidate.family
        held = nearest.get(family)
        if family not in does and (held is None or _nearness(refusal) <= _nearness(held)):
            nearest[family] = refusal
    looked_at = [
        FamilyVerdict(family, f"{refusal.candidate.label} {refusal.reason}", refusal.ceiling)
        for family, refusal in nearest.items()
    ]
    not_looked_at = [FamilyVerdict(family, reason, None) for family, reason in left_out_families(workload).items()]
    return (*looked_at, *not_looked_at)


def _nearness(refusal: Rejected) -> tuple[int, float]:
    """Order misses: what fails latest in the order of the checks is nearest, then the smaller factor."""
    order = {"write": 0, "addresses": 2, "capacity": 3}
    return order.get(refusal.ceiling, 1), refusal.miss
