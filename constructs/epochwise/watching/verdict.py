"""What a rule says about a job."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """Whether a rule fires and why, also when it does not."""

    rule: str
    fired: bool
    reason: str
    """What was measured, beside the threshold."""
    evidence: Mapping[str, float]
    """The numbers behind it, and what was missing."""
    fix: str = ""
    """What to do about it; empty when it does not fire."""


def undecided(rule: str, reason: str, evidence: Mapping[str, float]) -> Verdict:
    """Return the verdict of a rule that has too little to look at."""
    return Verdict(rule, fired=False, reason=reason, evidence=evidence)
