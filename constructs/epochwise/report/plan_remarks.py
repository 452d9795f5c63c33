"""What a plan remarks: the nearest rejected file systems, findings, prices, what is not in the estimate."""

from collections.abc import Iterable, Iterator
from datetime import date

from epochwise.catalog.prices import Price
from epochwise.report.content import Remark, Remarks, Tone
from epochwise.sizing.cost import NOT_IN_ESTIMATE
from epochwise.sizing.plan import Plan
from epochwise.sizing.rejected import Rejected

NEAREST_REJECTED = 6
"""Rejected shapes that are shown: one of each family, the nearest to doing."""


def rejected_remarks(plan: Plan) -> Remarks:
    """Say which cheaper file systems come nearest, of the families that have a feasible one."""
    return Remarks(
        "rejected, the nearest of each family",
        tuple(
            Remark(f"{refusal.candidate.label} ({refusal.candidate.monthly_usd:.2f} USD)", refusal.reason)
            for refusal in nearest_rejected(plan)
        ),
    )


def nearest_rejected(plan: Plan) -> list[Rejected]:
    """Return the rejected shape of each family that is nearest to doing, nearest first.

    Only shapes that cost less than the choice, of families that have a feasible shape: what else is out has its reason
    among the families or the alternatives.
    """
    if plan.choice is None:
        return []
    told = {verdict.family for verdict in plan.families}
    shown = {(alternative.candidate.family, alternative.candidate.size) for alternative in plan.alternatives}
    nearest: dict[object, Rejected] = {}
    for refusal in plan.rejected:
        candidate = refusal.candidate
        if candidate.family in told or candidate.monthly_usd > plan.choice.monthly_usd:
            continue
        held = nearest.get(candidate.family)
        if held is None or refusal.miss <= held.miss:
            nearest[candidate.family] = refusal
    left = [held for held in nearest.values() if (held.candidate.family, held.candidate.size) not in shown]
    return sorted(left, key=lambda refusal: refusal.miss)[:NEAREST_REJECTED]


def finding_remarks(plan: Plan) -> Remarks:
    """Return the findings, each with what to do about it."""
    return Remarks(
        "findings",
        tuple(
            Remark(finding.id, f"{finding.message}; {finding.fix}", Tone(str(finding.level)))
            for finding in plan.findings
        ),
    )


def price_remarks(prices: Iterable[Price], today: date) -> Remarks:
    """Say which prices were used, how old they are, and whether they were read from AWS's own list."""
    return Remarks("prices", tuple(Remark(price.item, _price_text(price, today)) for price in prices))


def _price_text(price: Price, today: date) -> str:
    """Say what one price is and where it comes from."""
    parts = [f"{price.usd:g} USD per {price.unit}", price.region, *_dated(price, today)]
    if not price.verified:
        parts.append("unverified")
    return f"{', '.join(parts)}; {price.source}"


def _dated(price: Price, today: date) -> Iterator[str]:
    """Yield the day of a price with its age in days, or that it was declared."""
    try:
        age = (today - date.fromisoformat(price.date)).days
    except ValueError:
        yield price.date
        return
    yield f"{price.date} ({age} {'day' if age == 1 else 'days'} old)" if age >= 0 else f"{price.date} (in the future)"


def not_in_estimate(plan: Plan) -> Remarks:
    """Say what no amount of the plan holds."""
    priced = plan.workload.cluster.price_per_node_hour is not None
    left_out = [item for item in NOT_IN_ESTIMATE if not (priced and item.startswith("accelerators"))]
    return Remarks("not in the estimate", (Remark("", "; ".join(left_out)),))
