"""Look at a run again and again, with few calls: what cannot change is not asked for twice."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from epochwise.following.deployed_job import DeployedJob
from epochwise.following.history import History, with_events
from epochwise.following.pace import METRICS_EVERY_S
from epochwise.following.run import Execution, Job, TrainingRun
from epochwise.following.use import Use, Window, queries, use_of
from epochwise.live.aws import Aws
from epochwise.live.failure import AwsError, NoServiceError, NotFoundError, ThrottledError, UnwellError
from epochwise.live.training_job import describe_job

MOST_LOST_LOOKS = 10
"""Looks in a row that may fail before the view ends."""
_EVENTS = 100
"""Events a page: a look of the state machine writes some ten."""
_MOST_EVENTS = 1000
"""Events a page where older ones are searched for findings (Step Functions API)."""
_PASSING = (ThrottledError, UnwellError, NoServiceError)
"""What may be over at the next look."""


@dataclass
class RunFollower:
    """Looks at one run: an execution, or a job that no execution of ours created.

    What a run stands on, its execution or else its job, must answer at the first look, and may fail for a while later.
    Everything beside it may fail at any time: the view goes on without, and says why.
    """

    aws: Aws
    execution_arn: str | None = None
    job_name: str | None = None
    deployed: DeployedJob | None = None
    """What the template says of it; without one there is no demand and no ceiling."""
    not_deployed: str | None = None
    """Why the template says nothing."""
    _history: History = field(default_factory=History, init=False)
    _use: Use | None = field(default=None, init=False)
    _measured: datetime | None = field(default=None, init=False)
    _unmeasured: str | None = field(default=None, init=False)
    _last: TrainingRun | None = field(default=None, init=False)
    _lost: int = field(default=0, init=False)

    def look(self) -> TrainingRun:
        """Return how the run stands now.

        Raises:
            AwsError: it cannot be looked at: at once the first time, later after some looks.
        """
        try:
            run = self._look(datetime.now(UTC))
        except _PASSING as error:
            self._lost += 1
            if self._last is None or self._lost > MOST_LOST_LOOKS:
                raise
            return replace(self._last, unknown=(f"how it stands now: {error}",))
        self._last, self._lost = run, 0
        return run

    def _look(self, now: datetime) -> TrainingRun:
        """Ask for everything."""
        unknown = [] if self.not_deployed is None else [f"demand and ceiling: {self.not_deployed}"]
        execution = None if self.execution_arn is None else self._execution(self.execution_arn)
        if execution is not None:
            self._read_history(execution, unknown)
            self.job_name = self._history.job or self.job_name
        job = self._job(unknown)
        run = TrainingRun(
            now,
            execution,
            job,
            self.job_name,
            None if self.deployed is None else self.deployed.demand_mbps,
            None if self.deployed is None else self.deployed.ceiling_mbps,
            findings=self._history.in_order,
            verdicts=self._history.verdicts,
        )
        if job is not None:
            self._measure(job, now, run.ended)
        unknown += filter(None, [self._unmeasured])
        return replace(run, use=self._use, unknown=tuple(unknown))

    def _execution(self, arn: str) -> Execution:
        """Describe the execution; once it has ended, it stays as it is."""
        last = None if self._last is None else self._last.execution
        if last is not None and last.stop is not None:
            return last
        answer = self.aws.ask("stepfunctions", "describe_execution", executionArn=arn)
        return Execution(
            arn,
            answer["status"],
            answer["startDate"],
            answer.get("stopDate"),
            answer.get("error"),
            answer.get("cause"),
        )

    def _job(self, unknown: list[str]) -> Job | None:
        """Describe the job; one that an execution has not created yet is no failure."""
        if self.job_name is None:
            return None
        try:
            return describe_job(self.aws, self.job_name)
        except NotFoundError:
            if self.execution_arn is None:
                raise
            return None
        except AwsError as error:
            if self.execution_arn is None:
                raise
            unknown.append(f"the job: {error}")
            return None if self._last is None else self._last.job

    def _read_history(self, execution: Execution, unknown: list[str]) -> None:
        """Read the events since the last look, and as many older ones as it takes to know every finding."""
        try:
            self._history = self._history_now(execution.arn)
        except AwsError as error:
            unknown.append(f"findings: {error}")

    def _history_now(self, arn: str) -> History:
        """Return the history: what was known at the last look was whole, or all that there was."""
        since, history = self._history.last_event, self._history
        asked = {"executionArn": arn, "reverseOrder": True}
        if not since:
            page = self.aws.ask("stepfunctions", "get_execution_history", maxResults=_EVENTS, **asked)
            history = with_events(history, page["events"], newer=True)
            if history.is_whole or not page.get("nextToken"):
                return history
        newer, size = True, _EVENTS if since else _MOST_EVENTS
        for page in self.aws.pages("stepfunctions", "get_execution_history", maxResults=size, **asked):
            events = page["events"]
            history, newer = with_events(history, events, newer=newer), False
            if history.is_whole if not since else not events or events[-1]["id"] <= since:
                break
        return history

    def _measure(self, job: Job, now: datetime, ended: bool) -> None:
        """Ask for metrics, once a minute while the job trains and once when all has ended."""
        fresh = self._measured is not None and (now - self._measured).total_seconds() < METRICS_EVERY_S
        if job.training_start is None or (fresh and not ended):
            return
        window = Window.of_running(now)
        if ended:
            window = Window.of_ended(job.training_start, job.training_end or now, now)
        asked = queries(job.name, job.nodes, job.file_system_id, window)
        values: dict[str, list[float]] = {}
        self._measured = now
        try:
            for page in self.aws.pages(
                "cloudwatch",
                "get_metric_data",
                MetricDataQueries=asked,
                StartTime=window.start,
                EndTime=window.end,
                ScanBy="TimestampAscending",
            ):
                for result in page["MetricDataResults"]:
                    values.setdefault(result["Id"], []).extend(result["Values"])
        except AwsError as error:
            self._unmeasured = f"metrics: {error}"
            return
        self._unmeasured = None
        self._use = use_of(values, instance_type_name=job.instance_type, nodes=job.nodes, window=window)
