"""Start an execution, and no second one when that is repeated."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from epochwise.declaration.quantity_text import time_text
from epochwise.following.arns import ExecutionArn
from epochwise.live.aws import Aws
from epochwise.live.failure import AwsError, NoServiceError, RefusedError, UnwellError
from epochwise.live.job_of_stack import JobOfStack

_TAKEN = "ExecutionAlreadyExists"


@dataclass(frozen=True)
class StartedExecution:
    """An execution that runs, or has run, as it was asked for."""

    arn: ExecutionArn
    start: datetime
    input: str


def start_execution(aws: Aws, job: JobOfStack, *, name: str, given: str) -> StartedExecution:
    """Start an execution; where one of this name and input is running, return that.

    Needs the permission states:StartExecution, and states:DescribeExecution where the name is taken. Step Functions
    keeps the name of an execution that has ended for 90 days. Source: Step Functions API Reference, StartExecution.

    Args:
        aws: where it is asked.
        job: whose state machine is started.
        name: of the execution.
        given: its input, as JSON.

    Raises:
        AwsError: AWS does not answer, or another execution has the name; says what to do.
    """
    arn = ExecutionArn.of(job.machine_arn, name)
    try:
        answer = aws.ask("stepfunctions", "start_execution", stateMachineArn=job.machine_arn, name=name, input=given)
        return StartedExecution(arn, answer["startDate"], given)
    except RefusedError as refused:
        if refused.code != _TAKEN:
            raise
        return _taken(aws, job, arn, given)
    except (UnwellError, NoServiceError) as error:
        raise AwsError(
            f"{error}; whether it was started is not known: repeat the same command, which never starts a second one"
        ) from None


def _taken(aws: Aws, job: JobOfStack, arn: ExecutionArn, given: str) -> StartedExecution:
    """Return an execution that this very call started before its answer was lost; refuse any other."""
    there = aws.ask("stepfunctions", "describe_execution", executionArn=str(arn))
    same = _same(there.get("input"), given)
    if same and there["startDate"].replace(microsecond=0) >= job.found_at:
        return StartedExecution(arn, there["startDate"], given)
    asked = "what is asked for here" if same else "another input"
    when = there.get("stopDate") or there["startDate"]
    raise RefusedError(
        f"the execution {arn.name} is there already with {asked}: {there['status']} since {time_text(when)}; follow it "
        f"with `epochwise watch {arn}`, or start anew with another --name",
        _TAKEN,
    )


def _same(one: Any, other: str) -> bool:
    """Tell whether two inputs are the same JSON; what cannot be read is another one."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except (TypeError, ValueError):
        return False
