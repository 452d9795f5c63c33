"""What a plan says in tables: every ceiling beside what is asked of it, and the alternatives."""

from collections.abc import Iterable, Iterator
from math import isinf

from epochwise.declaration.quantity_text import rate_text, seconds_text
from epochwise.report.content import Row, Table
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Alternative, Plan
from epochwise.sizing.search import node_addresses
from epochwise.workload import Objective

_READS = ("disk", "network", "client", "preprocessing", "compute")


def ceilings_table(plan: Plan, choice: Candidate) -> Table:
    """Return every ceiling of the choice that limits, beside what is asked of it."""
    rows = tuple(
        Row(
            (
                name + (" (binds)" if name == choice.binding else "") + (" (assumed)" if assumed else ""),
                f"{rate_text(limit)} {unit}".rstrip(),
                f"{rate_text(asked)} {unit}".rstrip() if asked else "",
                f"{asked / limit:.0%}" if asked else "",
            ),
            marked=name == choice.binding,
        )
        for name, limit, asked, unit, assumed in _ceilings(plan, choice)
        if not isinf(limit)
    )
    return Table("ceilings", ("", "limit", "asked for", "used"), rows)


def _ceilings(plan: Plan, choice: Candidate) -> Iterator[tuple[str, float, float | None, str, bool]]:
    """Yield name, limit, what is asked of it, unit, and whether the limit is assumed."""
    ceilings, demand = choice.ceilings, plan.demand
    # a target that is ignored asks for nothing
    targeted = plan.workload.file_system.objective is Objective.MEET_TARGET
    reads, opens = (demand.read_mbps, demand.opens_per_s) if targeted else (None, None)
    for name in _READS:
        yield name, getattr(ceilings, name), reads, "MB/s", False
    yield "metadata", ceilings.metadata_opens_per_s, opens, "opens/s", choice.metadata_mode is None
    yield "write", ceilings.write, demand.write_mbps, "MB/s", False
    yield "hydration", ceilings.hydration, None, "MB/s", True
    yield "capacity", ceilings.capacity_gib, demand.stored_gib, "GiB", False
    if choice.storage_capacity_gib is None:
        # the quota of a type whose storage is elastic is one of throughput capacity
        yield "quota", ceilings.quota_gib, choice.throughput_capacity_mbps, "MB/s", False
    else:
        yield "quota", ceilings.quota_gib, choice.storage_capacity_gib, "GiB", False
    yield "addresses", ceilings.addresses, choice.addresses + node_addresses(plan.workload), "", False


def alternatives_table(plan: Plan) -> Table:
    """Return the alternatives, each with its kinds and by how much it misses."""
    campaigns = plan.workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN
    heads = ("", "USD/month", *(["USD/campaign"] if campaigns else []), "steady", "bound by")
    return Table(
        "alternatives", heads, tuple(_alternative(plan, shown, campaigns=campaigns) for shown in plan.alternatives)
    )


def _alternative(plan: Plan, shown: Alternative, *, campaigns: bool) -> Row:
    """Return the row of one alternative."""
    candidate, kinds, misses = shown
    return Row(
        (
            candidate.label,
            f"{candidate.monthly_usd:.2f}",
            *([f"{plan.campaign(candidate).usd:.2f}"] if campaigns else []),
            seconds_text(candidate.epoch_s.steady),
            candidate.binding,
        ),
        note=_kinds_text(kinds) + (f"; misses: {misses}" if misses else ""),
    )


def _kinds_text(kinds: Iterable[str]) -> str:
    """Say why an alternative is shown: next cheaper, next faster, or the cheapest of a kind."""
    return ", ".join(map(_kind_text, kinds))


def _kind_text(kind: str) -> str:
    """Name a kind inside a sentence: a throughput takes a preposition."""
    if kind in {"cheaper", "faster"}:
        return f"next {kind}"
    return f"cheapest at {kind}" if kind[0].isdigit() else f"cheapest {kind}"
