"""What a look at an account came to: one result per check, and what all of them mean together."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from epochwise.checks.finding import Finding, Level

EXIT_FAILED = 1
EXIT_UNANSWERED = 2


class Verdict(StrEnum):
    """How one check ends."""

    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    """It is as the deploy needs it."""
    SKIP = "SKIP"
    """It cannot be told: a permission is missing, nobody answers, or AWS does not show it."""
    FAIL = "FAIL"
    """The deploy or the job would not work."""


@dataclass(frozen=True)
class Preflight:
    """What one check came to."""

    id: str
    """Such as instance-type-offered; stable."""
    verdict: Verdict
    said: str
    """What was found, or why it cannot be told, in one line."""
    by_hand: tuple[str, ...] = ()
    """Shell commands that look at the same thing."""
    instead: str = ""
    """What would work, or what to do; empty where there is nothing to say."""
    findings: tuple[Finding, ...] = ()
    """What the rules say, mere remarks too."""
    permission: str = ""
    """What is missing, as IAM writes it; empty where none is."""
    unanswered: bool = False
    """Whether AWS did not answer, for a reason that may pass."""

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "id": self.id,
            "verdict": str(self.verdict),
            "said": self.said,
            "instead": self.instead,
            "permission": self.permission or None,
            "by_hand": list(self.by_hand),
            "findings": [finding.as_dict() for finding in self.findings],
        }


@dataclass(frozen=True)
class PreflightReport:
    """Every check of one workload, in their fixed order."""

    workload: str
    region: str
    account: str
    """The account's number, empty where it is not known."""
    plan: str
    """What the plan chose, or that it chose nothing."""
    checks: tuple[Preflight, ...]
    not_asked: tuple[str, ...] = ()
    """What was not looked at since nobody named it, each with the option that names it."""

    def count(self, verdict: Verdict) -> int:
        """Count the checks that end so."""
        return sum(check.verdict is verdict for check in self.checks)

    @property
    def unanswered(self) -> tuple[Preflight, ...]:
        """Those that AWS did not answer."""
        return tuple(check for check in self.checks if check.unanswered)

    @property
    def exit_status(self) -> int:
        """Return 1 when a check fails, 2 when none does and AWS left one unanswered, else 0."""
        if self.count(Verdict.FAIL):
            return EXIT_FAILED
        return EXIT_UNANSWERED if self.unanswered else 0

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "workload": self.workload,
            "account": self.account or None,
            "region": self.region,
            "plan": self.plan,
            "passed": self.count(Verdict.PASS),
            "failed": self.count(Verdict.FAIL),
            "skipped": self.count(Verdict.SKIP),
            "checks": [check.as_dict() for check in self.checks],
            "not_asked": list(self.not_asked),
        }


def judged(
    check_id: str,
    said: str,
    findings: Iterable[Finding],
    *,
    instead: str = "",
    unknown: str = "",
    warnings: Verdict = Verdict.PASS,
) -> Preflight:
    """Judge what was seen by what the rules say of it: an error fails.

    Args:
        check_id: of the check.
        said: what was seen.
        findings: what the rules say of it.
        instead: what would work, beside the findings' own fixes.
        unknown: why it cannot be told; empty where it can.
        warnings: what a warning comes to. By default it is a mere remark; constructs warn where the account alone
            knows, so that it may fail here; or it says that nobody can tell.
    """
    found = tuple(findings)
    weights = {Level.ERROR: Verdict.FAIL, Level.WARNING: warnings, Level.INFO: Verdict.PASS}
    for verdict in (Verdict.FAIL, Verdict.SKIP):
        heavy = [each for each in found if weights[each.level] is verdict]
        if heavy:
            text = "; ".join(f"{each.message} [{each.id}]" for each in heavy)
            fixes = dict.fromkeys([*(each.fix for each in heavy), *filter(None, [instead])])
            return Preflight(check_id, verdict, text, instead="; ".join(fixes), findings=found)
    if unknown:
        return Preflight(check_id, Verdict.SKIP, unknown, instead=instead, findings=found)
    return Preflight(check_id, Verdict.PASS, said, instead=instead, findings=found)
