"""How findings refuse: the errors among them become one ValueError."""

from collections.abc import Iterable

from epochwise.checks.finding import Finding, Level


def refuse_errors(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are no errors.

    Raises:
        ValueError: with every error, one per line.
    """
    found = list(findings)
    errors = [f"{each.message}; {each.fix} [{each.id}]" for each in found if each.level is Level.ERROR]
    if errors:
        raise ValueError("\n".join(errors))
    return found
