"""Which families of file system are out, and why: those with the same reason in one remark."""

from collections.abc import Iterable
from typing import NamedTuple

from epochwise.report.content import Remark, Remarks
from epochwise.sizing.candidate import family_label
from epochwise.sizing.plan import FamilyVerdict, Plan

_WITH_EFA = " with EFA"


class _Name(NamedTuple):
    """How a family is named: by itself, or by its nearest file system where it was looked at."""

    text: str
    tier: int | None
    """MB/s/TiB in the text."""
    kinds: frozenset[str]
    """Words with which a reason may begin that already names the family."""


def families_out(plan: Plan) -> Remarks:
    """Say why families are out; one that was looked at is named by its nearest file system."""
    together: dict[str, list[_Name]] = {}
    for verdict in plan.families:
        name, reason = _told(plan, verdict)
        together.setdefault(reason, []).append(name)
    return Remarks(
        "families that are out", tuple(Remark(_head(names, reason), reason) for reason, names in together.items())
    )


def _told(plan: Plan, verdict: FamilyVerdict) -> tuple[_Name, str]:
    """Return the name of a family and why it is out, without the name that the verdict's reason may begin with."""
    family = verdict.family
    kinds = frozenset({str(family.deployment_type), str(family.storage_type)})
    label, reason = family_label(family), verdict.reason
    if verdict.ceiling is not None:
        labels = {refusal.candidate.label for refusal in plan.rejected if refusal.candidate.family is family}
        label = max((known for known in labels if reason.startswith(f"{known} ")), key=len)
        reason = reason.removeprefix(f"{label} ")
    return _Name(label, family.per_unit_storage_throughput, kinds), reason


def _head(names: list[_Name], reason: str) -> str:
    """Name families in front of their reason; nothing where the reason begins with what they have in common."""
    common = frozenset.intersection(*(name.kinds for name in names))
    return "" if reason.partition(" ")[0] in common else names_text(names)


def names_text(names: Iterable[_Name]) -> str:
    """Name families, those that differ only in throughput or EFA by one name.

    >>> names_text(_Name(f"PERSISTENT_1 at {tier} MB/s/TiB", tier, frozenset()) for tier in (50, 100, 200))
    'PERSISTENT_1 at 50, 100 or 200 MB/s/TiB'
    """
    tiers: dict[str, list[int]] = {}
    for name in names:
        text = name.text.replace(f"at {name.tier} MB", "at {} MB")
        tiers.setdefault(text, []).extend([] if name.tier is None else [name.tier])
    texts = [text.format(_or(sorted(values))) for text, values in tiers.items()]
    both = {text for text in texts if f"{text}{_WITH_EFA}" in texts}
    return "; ".join(
        f"{text} with or without EFA" if text in both else text
        for text in texts
        if text.removesuffix(_WITH_EFA) == text or text.removesuffix(_WITH_EFA) not in both
    )


def _or(values: list[int]) -> str:
    """Join numbers: 12, or 50, 100 or 200."""
    *first, last = [str(value) for value in values] or [""]
    return f"{', '.join(first)} or {last}" if first else last
