"""`TrainingRun`: what one look at a run shows, from whichever of execution and job there is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from epochwise.following.use import Use


class Outcome(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    STOPPED = "stopped"
    """By a rule, by somebody, or by its time limit."""


_OF_EXECUTION = {"SUCCEEDED": Outcome.SUCCEEDED, "ABORTED": Outcome.STOPPED, "TIMED_OUT": Outcome.STOPPED}
_OF_JOB = {"Completed": Outcome.SUCCEEDED, "Failed": Outcome.FAILED, "Stopped": Outcome.STOPPED}
_STOPPED_ERROR = "TrainingJobStopped"
"""Error of an execution whose job was stopped."""


@dataclass(frozen=True, slots=True)
class Execution:
    """An execution of a job's state machine, as DescribeExecution tells it."""

    arn: str
    status: str
    start: datetime
    stop: datetime | None = None
    error: str | None = None
    cause: str | None = None

    @property
    def outcome(self) -> Outcome:
        """How it stands."""
        if self.status == "FAILED":
            return Outcome.STOPPED if self.error == _STOPPED_ERROR else Outcome.FAILED
        return _OF_EXECUTION.get(self.status, Outcome.RUNNING)

    @property
    def reason(self) -> str | None:
        """Why it ended, where it did not succeed."""
        said = ": ".join(filter(None, (self.error, self.cause)))
        return said or (self.status if self.outcome is Outcome.STOPPED else None)


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """How far SageMaker Debugger is with a rule."""

    rule: str
    """RuleConfigurationName."""
    status: str
    """RuleEvaluationStatus."""


@dataclass(frozen=True, slots=True)
class Job:
    """A training job, as DescribeTrainingJob tells it."""

    name: str
    status: str
    secondary: str
    instance_type: str
    nodes: int
    created: datetime
    message: str = ""
    """What SageMaker says of the secondary status."""
    since: datetime | None = None
    """When the secondary status began."""
    training_start: datetime | None = None
    training_end: datetime | None = None
    file_system_id: str | None = None
    failure_reason: str | None = None
    execution_arn: str | None = None
    """Of the execution that created it; None for a job of others."""
    rules: tuple[RuleStatus, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """How it stands."""
        return _OF_JOB.get(self.status, Outcome.RUNNING)

    @property
    def reason(self) -> str | None:
        """Why it ended, where it did not succeed."""
        if self.outcome in {Outcome.RUNNING, Outcome.SUCCEEDED}:
            return None
        return self.failure_reason or f"the job is {self.status}, {self.secondary}"


@dataclass(frozen=True, slots=True)
class ToldFinding:
    """A finding that the state machine told to its topic."""

    rule: str
    source: str
    """cloudwatch or debugger."""
    level: str
    message: str
    fix: str
    time: str
    """As ISO 8601."""
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """What the state machine remembers it by."""
        return f"{self.source}/{self.rule}"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One look at a run."""

    time: datetime
    execution: Execution | None = None
    job: Job | None = None
    job_name: str | None = None
    """Also before the job is there."""
    demand_mbps: float | None = None
    ceiling_mbps: float | None = None
    """Of the plan; None where no template says them."""
    use: Use | None = None
    findings: tuple[ToldFinding, ...] = ()
    """Oldest first."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Rule to what its last evaluation by CloudWatch's metrics says, also when it found nothing."""
    unknown: tuple[str, ...] = ()
    """What could not be asked, and why."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.job_name or (self.execution.arn.rpartition(":")[2] if self.execution else "run")

    @property
    def outcome(self) -> Outcome:
        """How it stands: as its execution does where there is one, since that ends last."""
        if self.execution is not None:
            return self.execution.outcome
        return Outcome.RUNNING if self.job is None else self.job.outcome

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.outcome is not Outcome.RUNNING

    @property
    def reason(self) -> str | None:
        """Why it ended, where it did not succeed."""
        of_job = None if self.job is None else self.job.reason
        return of_job if self.execution is None else self.execution.reason or of_job

    @property
    def training_s(self) -> float | None:
        """Seconds of training so far; None before it begins."""
        if self.job is None or self.job.training_start is None:
            return None
        return max(0.0, ((self.job.training_end or self.time) - self.job.training_start).total_seconds())

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        execution, job = self.execution, self.job
        return {
            "time": self.time.isoformat(timespec="seconds"),
            "outcome": str(self.outcome),
            "reason": self.reason,
            "execution": None
            if execution is None
            else {
                "arn": execution.arn,
                "status": execution.status,
                "start": execution.start.isoformat(timespec="seconds"),
                "stop": _iso(execution.stop),
            },
            "job": None
            if job is None
            else {
                "name": job.name,
                "status": job.status,
                "secondary_status": job.secondary,
                "message": job.message,
                "instance_type": job.instance_type,
                "nodes": job.nodes,
                "training_s": None if self.training_s is None else round(self.training_s, 1),
                "file_system_id": job.file_system_id,
                "debugger_rules": {rule.rule: rule.status for rule in job.rules},
            },
            "job_name": self.job_name,
            "demand_mbps": self.demand_mbps,
            "ceiling_mbps": self.ceiling_mbps,
            "use": None if self.use is None else self.use.as_dict(),
            "findings": [
                {
                    "rule": told.rule,
                    "source": told.source,
                    "level": told.level,
                    "message": told.message,
                    "evidence": dict(told.evidence),
                    "fix": told.fix,
                    "time": told.time,
                }
                for told in self.findings
            ],
            "verdicts": dict(self.verdicts),
            "unknown": list(self.unknown),
        }


def _iso(time: datetime | None) -> str | None:
    """Write a time, or nothing."""
    return None if time is None else time.isoformat(timespec="seconds")
