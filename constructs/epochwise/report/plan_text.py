"""A plan as text for a terminal of 80 columns."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from epochwise.checks.finding import Finding
from epochwise.report.quantity_text import rate_text, seconds_text, size_text
from epochwise.sizing.plan import Candidate, Plan, Rejected

WIDTH = 80
_LABEL = 12
NEAREST_REJECTED = 6
"""Rejected shapes that are shown: one of each family, the nearest to doing."""


def plan_text(plan: Plan) -> str:
    """Render a plan: demand, choice, what binds it, alternatives, nearest rejected shapes, findings, prices."""
    return "\n".join(line.rstrip() for line in _lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    """Yield the lines of a plan."""
    workload, choice = plan.workload, plan.choice
    if choice is None:
        yield f"{workload.name}: no legal file system is feasible"
    else:
        yield f"{workload.name}: {choice.label}, {choice.monthly_usd:.2f} USD a month"
    yield ""
    yield from _labelled("demand", _demand(plan))
    if choice is not None:
        yield from _labelled("steady", _steady(choice))
        yield from _labelled("other", _other_epochs(choice, assumed=workload.dataset.source is not None))
        yield from _labelled("ceilings", _ceilings(choice))
        yield from _labelled("servers", f"{choice.addresses} addresses in the subnet; {_metadata(choice)}")
    if plan.alternatives:
        yield from _table("alternatives", ["USD/month", "steady", "binds"], map(_alternative_row, plan.alternatives))
    nearest = nearest_rejected(plan)
    if nearest:
        yield ""
        yield "rejected, the nearest of each kind"
        for rejected in nearest:
            yield from wrap(
                f"{rejected.candidate.label} ({rejected.candidate.monthly_usd:.0f} USD): {rejected.reason}",
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
            )
    if plan.findings:
        yield ""
        yield "findings"
        for finding in plan.findings:
            yield from _finding(finding)
    yield ""
    yield from _prices(plan)


def _labelled(label: str, text: str) -> Iterator[str]:
    """Yield a label and its text, wrapped beside it."""
    yield from wrap(text, WIDTH, initial_indent=f"  {label:<{_LABEL}}", subsequent_indent=" " * (_LABEL + 2))


def _demand(plan: Plan) -> str:
    """Say what is asked for."""
    workload, demand = plan.workload, plan.demand
    text = (
        f"{rate_text(demand.read_mbps)} MB/s: {size_text(workload.dataset.size)} "
        f"in {seconds_text(workload.epoch.target)} on {workload.cluster.nodes} × {workload.cluster.instance_type}"
    )
    if workload.epoch.tolerance:
        text += f", which may take {workload.epoch.tolerance:.0%} longer"
    if demand.opens_per_s is not None:
        text += f"; {rate_text(demand.opens_per_s)} file opens a second"
    if demand.write_mbps:
        text += f"; {rate_text(demand.write_mbps)} MB/s of checkpoints"
    return f"{text}; at least {demand.capacity_gib:.0f} GiB"


def _steady(choice: Candidate) -> str:
    """Say how long an epoch takes and what decides it."""
    limit = (
        choice.ceilings.metadata_opens_per_s
        if choice.binding == "metadata"
        else getattr(choice.ceilings, choice.binding)
    )
    unit = "opens/s" if choice.binding == "metadata" else "MB/s"
    return (
        f"{seconds_text(choice.epoch_s.steady)} an epoch, bound by {choice.binding} ({rate_text(limit)} {unit}); "
        f"{choice.prediction.hit_share:.0%} of reads come from the servers' RAM"
    )


def _other_epochs(choice: Candidate, *, assumed: bool) -> str:
    """Say how long epochs take under other assumptions."""
    epoch_s = choice.epoch_s
    return (
        f"cold {seconds_text(epoch_s.cold)}{' (assumed)' if assumed else ''}, "
        f"without cache {seconds_text(epoch_s.without_cache)}, "
        f"at burst rates {seconds_text(epoch_s.burst)} (not relied on)"
    )


def _ceilings(choice: Candidate) -> str:
    """List every limit."""
    ceilings = choice.ceilings
    rates = ", ".join(f"{name} {rate_text(getattr(ceilings, name))}" for name in ("disk", "network", "client", "write"))
    return f"{rates} MB/s; {rate_text(ceilings.metadata_opens_per_s)} file opens a second"


def _metadata(choice: Candidate) -> str:
    """Say what metadata rate it has."""
    if choice.metadata_mode is None:
        return f"{choice.metadata_iops} metadata IOPS (assumed)"
    return f"{choice.metadata_iops} metadata IOPS ({choice.metadata_mode})"


def _alternative_row(candidate: Candidate) -> tuple[str, Sequence[str]]:
    """Return the cells of one alternative."""
    return candidate.label, (f"{candidate.monthly_usd:.2f}", seconds_text(candidate.epoch_s.steady), candidate.binding)


def _table(title: str, heads: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield a table whose first column is wide and whose others are aligned right."""
    yield ""
    yield f"{title:<48}" + "".join(f"{head:>10}" for head in heads)
    for label, cells in rows:
        yield f"  {label:<46}" + "".join(f"{cell:>10}" for cell in cells)


def _finding(finding: Finding) -> Iterator[str]:
    """Yield a finding, wrapped."""
    yield from wrap(
        f"{finding.level} {finding.id}: {finding.message}; {finding.fix}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
    )


def _prices(plan: Plan) -> Iterator[str]:
    """Yield which prices were used, of which day, and whether they were read from AWS's own list."""
    rows = [
        f"{price.item} {price.usd:g} USD per {price.unit} ({price.region}, {price.date}"
        + ("" if price.verified else ", unverified")
        + ")"
        for price in plan.prices
    ]
    yield from wrap(f"prices: {'; '.join(rows)}", WIDTH, subsequent_indent="  ")


def nearest_rejected(plan: Plan) -> list[Rejected]:
    """Return the rejected shape of each family that is nearest to doing, cheapest first.

    With a choice these are shapes that would cost less; without one, the fastest of each family.
    """
    budget = float("inf") if plan.choice is None else plan.choice.monthly_usd
    nearest: dict[object, Rejected] = {}
    for rejected in plan.rejected:
        candidate = rejected.candidate
        held = nearest.get(candidate.family)
        if candidate.monthly_usd <= budget and (
            held is None or candidate.epoch_s.steady <= held.candidate.epoch_s.steady
        ):
            nearest[candidate.family] = rejected
    return sorted(nearest.values(), key=lambda rejected: rejected.candidate.epoch_s.steady)[:NEAREST_REJECTED]
