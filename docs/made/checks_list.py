"""The reference of the checks: all that `epochwise explain` says, of every id."""

from itertools import groupby

from docs.made.markdown import code, escaped, prose, table
from epochwise.checks.finding import Level
from epochwise.checks.registry import Check, every_check


def checks_list() -> str:
    """Write how many there are of each level, then all by letter."""
    checks = every_check()
    counts = ", ".join(f"{sum(level in check.levels for check in checks)} {level}" for level in Level)
    parts = [f"{len(checks)} checks: {counts}."]
    for letter, members in groupby(checks, key=lambda check: check.id[0]):
        parts += [f"## {letter}", *map(_entry, members)]
    return "\n\n".join(parts)


def anchor(finding_id: str) -> str:
    """Return the name by which a link finds a check on the page."""
    return finding_id.lower().replace("_", "-")


def _entry(check: Check) -> str:
    """Write one check."""
    levels = " or ".join(check.levels)
    rows = [
        *(("says", code(message)) for message in check.messages),
        *(("fix", code(fix)) for fix in check.fixes),
        ("source", prose(check.source) if check.source else "none named"),
        ("rule", code(f"{check.module}.{check.function}")),
    ]
    why = f" {prose(check.why)}" if check.why else ""
    return f"### {escaped(check.id)} {{ #{anchor(check.id)} }}\n\n**{levels}.** {prose(check.title)}.{why}\n\n" + table(
        ("", ""), rows
    )
