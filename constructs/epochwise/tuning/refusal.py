"""`NotTunableError`: a job from which nothing can be concluded."""

from collections.abc import Iterable

from epochwise.checks.finding import Finding, Level


class NotTunableError(ValueError):
    """Nothing can be concluded; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(f"{finding.message}; {finding.fix} [{finding.id}]")


def refuse(findings: Iterable[Finding]) -> None:
    """Raise the first error among findings.

    Raises:
        NotTunableError: there is one.
    """
    for finding in findings:
        if finding.level is Level.ERROR:
            raise NotTunableError(finding)
