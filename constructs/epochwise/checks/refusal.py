"""How findings refuse: the errors among them become one ValueError."""

from collections.abc import Iterable

from epochwise.checks.finding import Finding, Level


def refuse_errors(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are no errors.

    Raises:
        ValueError: with every error, one per line.
    """
    found = list(findings)
    errors = [finding for finding in found if finding.level is Level.ERROR]
    if errors:
        raise ValueError("\n".join(f"{error.message}; {error.fix} [{error.id}]" for error in errors))
    return found
