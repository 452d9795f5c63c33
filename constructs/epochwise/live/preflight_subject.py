"""What a preflight looks at: a planned workload, and what of an account it is to use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from epochwise.checks.declared_job import DeclaredJob
from epochwise.live.answers import Answers
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Plan
from epochwise.workload import Workload


class CannotTellError(Exception):
    """A check that cannot be made, for a reason that is no failure of AWS: the message says why, in one line."""


@dataclass(frozen=True)
class Named:
    """What of an account is named to be used; None or empty for what the deploy makes."""

    vpc: str | None = None
    subnet: str | None = None
    security_groups: tuple[str, ...] = ()
    """Of the nodes."""
    file_system: str | None = None
    stack: str | None = None
    """Deployed, to be updated."""
    template: Mapping[str, Any] | None = None
    """The new template of that stack."""
    template_file: str = ""
    """Where it was read from."""


@dataclass(frozen=True)
class Subject:
    """A planned workload before an account."""

    plan: Plan
    plan_command: str
    """How it is planned by hand."""
    named: Named
    account: Answers

    @property
    def workload(self) -> Workload:
        """What is declared."""
        return self.plan.workload

    @property
    def region(self) -> str:
        """Where it is to be deployed."""
        return self.workload.region

    @property
    def job(self) -> DeclaredJob | None:
        """The training job that is declared; None without one."""
        return DeclaredJob.of(self.workload)

    @property
    def zone(self) -> str | None:
        """The zone that is declared, by name or id."""
        return self.workload.cluster.availability_zone

    @property
    def choice(self) -> Candidate:
        """The file system that is planned.

        Raises:
            CannotTellError: nothing feasible is planned.
        """
        if self.plan.choice is None:
            raise CannotTellError("no legal file system is feasible, so there is none to compare with")
        return self.plan.choice
