"""Show what an update does, as text."""

from collections.abc import Sequence

from epochwise.templates.change import Change, Verdict

_HEADINGS = {
    Verdict.LOSES_DATA: "loses data",
    Verdict.FAILS: "can only fail",
    Verdict.UNKNOWN: "cannot be seen in the templates",
    Verdict.LEAVES: "leaves a file system behind",
    Verdict.REPLACES: "replaces what holds no data",
    Verdict.IN_PLACE: "in place",
}


def diff_text(changes: Sequence[Change]) -> str:
    """Render changes by verdict, worst first, one line each with its fix and its source below."""
    if not changes:
        return "nothing changes about a file system\n"
    lines: list[str] = []
    for verdict, heading in _HEADINGS.items():
        matching = [change for change in changes if change.verdict is verdict]
        if matching:
            lines.append(f"{heading}:")
        for change in matching:
            lines += [f"  {change.message} [{change.finding.id}]", f"    {change.finding.fix}"]
            lines += [f"    ({change.source})"] if change.source else []
    return "\n".join(lines) + "\n"
