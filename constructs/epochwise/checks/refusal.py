"""How a function refuses: the errors among findings become one ValueError."""

from collections.abc import Iterable

from epochwise.checks.finding import Finding, Level


def refuse(findings: Iterable[Finding]) -> list[Finding]:
    """Raise the errors among findings, and return the others where there is no error.

    Raises:
        ValueError: with every error, one per line.
    """
    found = list(findings)
    errors = [f"{each.message}; {each.fix} [{each.id}]" for each in found if each.level is Level.ERROR]
    if errors:
        raise ValueError("\n".join(errors))
    return found
