"""How a pure function refuses: the errors among findings become one ValueError."""

from collections.abc import Iterable

from epochwise.checks.finding import Finding, Level


def refuse(findings: Iterable[Finding]) -> None:
    """Raise the errors among findings.

    Raises:
        ValueError: with every error, one per line.
    """
    errors = [f"{each.message}; {each.fix} [{each.id}]" for each in findings if each.level is Level.ERROR]
    if errors:
        raise ValueError("\n".join(errors))
