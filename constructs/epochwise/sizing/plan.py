"""A plan: what was asked for, what was chosen, what else there was, and why not."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from epochwise.catalog.legality import AnyFamily
from epochwise.catalog.prices import Price
from epochwise.checks.finding import Finding
from epochwise.sizing.candidate import Candidate, family_label
from epochwise.sizing.cost import NOT_IN_ESTIMATE, Campaign, campaign_of
from epochwise.sizing.demand import Demand
from epochwise.sizing.rejected import Rejected
from epochwise.workload import Workload

Choice = Candidate
"""The candidate that a plan chose."""


class Alternative(NamedTuple):
    """A file system worth a look beside the choice."""

    candidate: Candidate
    kinds: tuple[str, ...]
    """Why it is shown: cheaper, faster, without EFA, with EFA, scratch, persistent, Intelligent-Tiering."""
    misses: str
    """By how much it misses what is asked for; empty when it meets it."""


class FamilyVerdict(NamedTuple):
    """A family of file systems of which none does, and why."""

    family: AnyFamily
    reason: str
    """The first failing ceiling of its best candidate, or why the family was not looked at."""
    ceiling: str | None
    """None when the family was not looked at."""

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict, JSON-ready."""
        return {"family": family_label(self.family), "ceiling": self.ceiling, "reason": self.reason}


@dataclass(frozen=True)
class Plan:
    """The sizing of one workload, whole: frozen, and the same for the same workload and prices."""

    workload: Workload
    demand: Demand
    choice: Choice | None
    """None when nothing legal is feasible; the findings then say why."""
    alternatives: tuple[Alternative, ...]
    """File systems that differ from the choice in kind, cheapest first."""
    rejected: tuple[Rejected, ...]
    """Every legal file system that was looked at and does not do, in the order of the search."""
    families: tuple[FamilyVerdict, ...]
    """Every family that is not among the feasible ones, with its reason."""
    findings: tuple[Finding, ...]
    prices: tuple[Price, ...]
    """The price rows that the choice, or without one the search, rests on."""
    preload_s: float | None = None
    """Seconds of a parallel preload of linked S3 data onto the choice, assumed; None without a link or a choice."""

    def campaign(self, candidate: Candidate) -> Campaign:
        """Price all epochs of the workload on a file system."""
        return campaign_of(self.workload, candidate.monthly_usd, candidate.epoch_s)

    def as_dict(self) -> dict[str, Any]:
        """Return the plan JSON-ready, as `epochwise plan --json` prints it."""
        demand, workload = self.demand, self.workload
        return {
            "workload": workload.name,
            "objective": str(workload.file_system.objective),
            "demand": {
                "read_mbps": round(demand.read_mbps, 1),
                "opens_per_s": None if demand.opens_per_s is None else round(demand.opens_per_s, 1),
                "write_mbps": round(demand.write_mbps, 1),
                "capacity_gib": round(demand.capacity_gib, 1),
            },
            "choice": None if self.choice is None else self._priced(self.choice) | self._preload(),
            "alternatives": [
                self._priced(candidate) | {"kinds": list(kinds), "misses": misses}
                for candidate, kinds, misses in self.alternatives
            ],
            "rejected": [rejected.as_dict() for rejected in self.rejected],
            "families": [verdict.as_dict() for verdict in self.families],
            "findings": [finding.as_dict() for finding in self.findings],
            "prices": [
                {
                    "item": price.item,
                    "region": price.region,
                    "usd": price.usd,
                    "unit": price.unit,
                    "date": price.date,
                    "verified": price.verified,
                }
                for price in self.prices
            ],
            "not_in_estimate": list(NOT_IN_ESTIMATE),
        }

    def _priced(self, candidate: Candidate) -> dict[str, Any]:
        """Return a candidate with the cost of all epochs on it."""
        campaign = self.campaign(candidate)
        return candidate.as_dict() | {"campaign": campaign._asdict() | {"hours": round(campaign.hours, 3)}}

    def _preload(self) -> dict[str, Any]:
        """Return the preload of the choice, where there is one."""
        return {} if self.preload_s is None else {"preload_s_assumed": round(self.preload_s, 2)}
