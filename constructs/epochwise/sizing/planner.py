"""Choose the file system for a workload, exact over every legal one."""

from collections.abc import Callable
from datetime import date

from epochwise.catalog.prices import PriceTable
from epochwise.checks.judged_arguments import judged_arguments
from epochwise.checks.sizing import plan_findings
from epochwise.checks.training import training_findings
from epochwise.sizing.advice import advice
from epochwise.sizing.alternatives import alternatives_of, verdicts
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.cost import campaign_of, family_prices, metadata_monthly_usd, prices_of
from epochwise.sizing.demand import Demand, demand_of
from epochwise.sizing.infeasible import infeasible_findings
from epochwise.sizing.plan import Plan
from epochwise.sizing.prediction import preload_s
from epochwise.sizing.reading import reading_of
from epochwise.sizing.rejected import Rejected
from epochwise.sizing.search import candidates, considered_families, node_addresses
from epochwise.workload import Objective, Workload


@judged_arguments()
def plan(workload: Workload, prices: PriceTable | None = None, *, today: date | None = None) -> Plan:
    """Size the file system of a workload.

    Every legal candidate up to the quota is predicted and priced. With the objective meet-target the cheapest feasible
    one a month wins; ties go to the shorter steady epoch, then to the smaller size. With cheapest-campaign the one wins
    on which all epochs cost least, and the target is ignored.

    Args:
        workload: what is declared; its `prices` go before all others.
        prices: replaces the prices that ship with the library.
        today: decides whether the declared measurement is too old; without it nothing is said of its age.

    Raises:
        ValueError: what is given is no workload, or no prices.
    """
    table = prices_of(workload, prices)
    demand, nodes = demand_of(workload), node_addresses(workload)
    feasible: list[Candidate] = []
    rejected: list[Rejected] = []
    for candidate in candidates(workload, table):
        refusal = _refusal(workload, demand, nodes, candidate)
        if refusal is None:
            feasible.append(candidate)
        else:
            rejected.append(refusal)
    feasible.sort(key=preference(workload))
    choice = feasible[0] if feasible else None
    used = considered_families(workload) if choice is None else [choice.family]
    price_rows = dict.fromkeys(row for family in used for row in family_prices(table, workload.region, family))
    obstacles = infeasible_findings(workload, demand, rejected) if choice is None else []
    alternatives = alternatives_of(workload, choice, feasible, rejected)
    return Plan(
        workload=workload,
        demand=demand,
        choice=choice,
        alternatives=alternatives,
        rejected=tuple(rejected),
        families=verdicts(workload, feasible, rejected),
        findings=(
            *obstacles,
            *training_findings(workload),
            *plan_findings(workload, choice_type=None if choice is None else choice.deployment_type, today=today),
            *advice(workload, demand, choice, feasible, _metadata_usd(table, workload, choice)),
        ),
        prices=tuple(price_rows),
        preload_s=None if choice is None else preload_s(reading_of(workload), choice.delivery),
    )


def preference(workload: Workload) -> Callable[[Candidate], tuple[float, ...]]:
    """Return the key that sorts feasible candidates, the one to choose first."""
    if workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN:
        return lambda candidate: (_campaign_usd(workload, candidate), *_rank(candidate))
    return _rank


def refusal_of(workload: Workload, candidate: Candidate) -> Rejected | None:
    """Return the first ceiling that a candidate fails, None when it does what the workload asks for."""
    return _refusal(workload, demand_of(workload), node_addresses(workload), candidate)


def _metadata_usd(table: PriceTable, workload: Workload, choice: Candidate | None) -> float:
    """Return what metadata IOPS above the included ones cost a month on the choice."""
    if choice is None:
        return 0.0
    prices = family_prices(table, workload.region, choice.family)
    return metadata_monthly_usd(prices, choice.family, choice.storage_capacity_gib, choice.metadata_iops)


def _campaign_usd(workload: Workload, candidate: Candidate) -> float:
    """Return what all epochs cost on a candidate."""
    return round(campaign_of(workload, candidate.monthly_usd, candidate.epoch_s).usd, 2)


def _refusal(workload: Workload, demand: Demand, nodes: int, candidate: Candidate) -> Rejected | None:
    """Return the first ceiling that a candidate fails, None when it does; `nodes` is the addresses of the nodes."""
    ceilings = candidate.ceilings
    if ceilings.capacity_gib < demand.stored_gib:
        return Rejected(candidate, "capacity", ceilings.capacity_gib, demand.stored_gib)
    addresses = candidate.addresses + nodes
    if addresses > ceilings.addresses:
        return Rejected(candidate, "addresses", addresses, ceilings.addresses)
    steady, limit_s = candidate.epoch_s.steady, workload.epoch.limit_s
    if steady > limit_s and workload.file_system.objective is Objective.MEET_TARGET:
        return Rejected(candidate, candidate.binding, steady, limit_s)
    if ceilings.write < demand.write_mbps:
        return Rejected(candidate, "write", ceilings.write, demand.write_mbps)
    return None


def _rank(candidate: Candidate) -> tuple[float, float, int]:
    """Order candidates: price, then steady epoch, then size."""
    size = candidate.storage_capacity_gib or candidate.throughput_capacity_mbps or 0
    return candidate.monthly_usd, candidate.epoch_s.steady, size
