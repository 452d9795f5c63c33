"""Choose the cheapest legal file system that meets a workload's target."""

from collections.abc import Iterator
from math import ceil

from epochwise.catalog.fsx_lustre import (
    OPENS_PER_METADATA_IOPS,
    DeploymentType,
    Family,
    MetadataMode,
    StorageType,
    automatic_metadata_iops,
    provisioned_metadata_iops,
)
from epochwise.catalog.legality import matching_families, offered_families
from epochwise.checks.sizing import plan_findings
from epochwise.checks.training import training_findings
from epochwise.sizing.cost import FamilyPrices, family_prices, monthly_usd
from epochwise.sizing.demand import Demand, demand_of
from epochwise.sizing.infeasible import infeasible_findings
from epochwise.sizing.plan import Candidate, Plan, Rejected
from epochwise.sizing.prediction import predict, reading_of
from epochwise.workload import Workload


def plan(workload: Workload) -> Plan:
    """Size the file system of a workload.

    Every legal candidate up to the quota is predicted and priced; the cheapest feasible one per month wins, ties go to
    the shorter steady epoch, then to the smaller capacity.
    """
    demand = demand_of(workload)
    feasible: list[Candidate] = []
    rejected: list[Rejected] = []
    for candidate in candidates(workload):
        refusal = _refusal(workload, demand, candidate)
        if refusal is None:
            feasible.append(candidate)
        else:
            rejected.append(refusal)
    feasible.sort(key=_rank)
    choice = feasible[0] if feasible else None
    obstacles = infeasible_findings(workload, demand, rejected) if choice is None else []
    remarks = plan_findings(workload, choice_type=None if choice is None else choice.deployment_type)
    used = considered_families(workload) if choice is None else [choice.family]
    return Plan(
        workload=workload,
        demand=demand,
        choice=choice,
        alternatives=tuple(_best_of_other_families(feasible)),
        rejected=tuple(rejected),
        findings=(*obstacles, *training_findings(workload), *remarks),
        prices=tuple(
            dict.fromkeys(price for family in used for price in family_prices(workload.region, family) if price)
        ),
    )


def considered_families(workload: Workload) -> list[Family]:
    """Return the families that a plan looks at: what the Region offers, narrowed by the pins.

    Without a pin: SCRATCH_2 and PERSISTENT_2, PERSISTENT_1 where the Region lacks PERSISTENT_2, HDD never, and no
    scratch type for checkpoints, since a lost file server loses them.
    """
    pins = workload.file_system
    offered = offered_families(workload.region_offer)
    kept = matching_families(pins.wanted, offered)
    if pins.deployment_types is None:
        has_persistent_2 = any(family.deployment_type is DeploymentType.PERSISTENT_2 for family in offered)
        persistent = DeploymentType.PERSISTENT_2 if has_persistent_2 else DeploymentType.PERSISTENT_1
        default = {persistent} if workload.checkpoint else {persistent, DeploymentType.SCRATCH_2}
        preferred = [family for family in kept if family.deployment_type in default]
        kept = preferred or kept
    if pins.storage_type is None:
        kept = [family for family in kept if family.storage_type is not StorageType.HDD] or kept
    return kept


def candidates(workload: Workload) -> Iterator[Candidate]:
    """Yield every legal candidate with its prediction and price."""
    reading = reading_of(workload)
    pins = workload.file_system
    metadata_needed = _metadata_iops_needed(workload)
    for family in considered_families(workload):
        prices: FamilyPrices = family_prices(workload.region, family)
        pinned = pins.storage_capacity_gib
        capacities = family.capacities_gib(pins.storage_quota_gib) if pinned is None else iter([pinned])
        for capacity_gib in capacities:
            mode, iops = _metadata(family, capacity_gib, metadata_needed)
            yield Candidate(
                family,
                capacity_gib,
                mode,
                iops,
                predict(reading, family, capacity_gib, iops),
                monthly_usd(prices, capacity_gib, iops),
            )


def _metadata_iops_needed(workload: Workload) -> int:
    """Return the metadata IOPS that the declared files ask for."""
    files = workload.dataset.files
    return 0 if files is None else ceil(files / (OPENS_PER_METADATA_IOPS * workload.epoch.limit_s))


def _metadata(family: Family, capacity_gib: int, needed: int) -> tuple[MetadataMode | None, int]:
    """Return mode and IOPS: AUTOMATIC where it is enough, else the smallest legal value that is, or the largest."""
    automatic = automatic_metadata_iops(capacity_gib)
    if not family.has_metadata_configuration:
        return None, automatic
    if needed <= automatic:
        return MetadataMode.AUTOMATIC, automatic
    legal = provisioned_metadata_iops()
    return MetadataMode.USER_PROVISIONED, next((iops for iops in legal if iops >= needed), legal[-1])


def _refusal(workload: Workload, demand: Demand, candidate: Candidate) -> Rejected | None:
    """Return the first ceiling that a candidate fails, None when it does."""
    if candidate.storage_capacity_gib < demand.capacity_gib:
        return Rejected(candidate, "capacity", candidate.storage_capacity_gib, demand.capacity_gib)
    steady, limit_s = candidate.epoch_s.steady, workload.epoch.limit_s
    if steady > limit_s:
        return Rejected(candidate, candidate.binding, steady, limit_s)
    if candidate.ceilings.write < demand.write_mbps:
        return Rejected(candidate, "write", candidate.ceilings.write, demand.write_mbps)
    return None


def _rank(candidate: Candidate) -> tuple[float, float, int]:
    """Order candidates: price, then steady epoch, then capacity."""
    return candidate.monthly_usd, candidate.epoch_s.steady, candidate.storage_capacity_gib


def _best_of_other_families(feasible: list[Candidate]) -> Iterator[Candidate]:
    """Yield the first of every family but the winner's, in the order given."""
    seen = {feasible[0].family} if feasible else set()
    for candidate in feasible:
        if candidate.family not in seen:
            seen.add(candidate.family)
            yield candidate
