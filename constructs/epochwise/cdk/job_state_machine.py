"""The state machine that runs one training job: take the input, create the job, look at it until it ends, end alike.

`sagemaker:createTrainingJob.sync` of Step Functions documents no profiler rules and no file system channel, so the
states call SageMaker's API itself, which takes the request whole.
"""

from math import ceil
from typing import Any

from epochwise.cdk.job_input import AS_DECLARED, InputDefaults, input_states, request_parameters
from epochwise.cdk.job_late_rules import late_choice
from epochwise.cdk.job_name import OWNERS
from epochwise.cdk.job_shapes import JobShapes, Request
from epochwise.cdk.job_tasks import task
from epochwise.cdk.job_watch import AFTER_FINDINGS, Watching, watch_states
from epochwise.checks.training_capacity import PENDING_S
from epochwise.checks.training_spot import AROUND_JOB_S

_HISTORY_EVENTS = 25_000
"""Most events of one execution (Step Functions quotas)."""
_EVENTS_KEPT = 0.75
"""Share of them for quiet looks; the rest is for the start, findings and repeated calls."""
_EVENTS = {"Wait": 2, "Pass": 2, "Choice": 2, "Task": 5}
"""Events that a state of each type writes when nothing fails."""
_SHORTEST_WAIT_S = 60


def longest_s(request: Request) -> int:
    """Return the seconds after which no job of this request is left running.

    >>> longest_s({"StoppingCondition": {"MaxRuntimeInSeconds": 3600, "MaxPendingTimeInSeconds": 7200}})
    32400
    """
    limits = request["StoppingCondition"]
    running: int = limits["MaxRuntimeInSeconds"]
    waiting: int = limits.get("MaxPendingTimeInSeconds", PENDING_S)
    spot: int = limits.get("MaxWaitTimeInSeconds", 0)
    return max(running + waiting, spot) + AROUND_JOB_S


def wait_s(request: Request, events_per_look: int = 9) -> int:
    """Return the seconds between two looks: so many that the longest run fits into an execution's history.

    >>> wait_s({"StoppingCondition": {"MaxRuntimeInSeconds": 3600}})
    96
    >>> wait_s({"StoppingCondition": {"MaxRuntimeInSeconds": 28 * 86400}}, events_per_look=20)
    2788
    """
    looks = _HISTORY_EVENTS * _EVENTS_KEPT / events_per_look
    return max(_SHORTEST_WAIT_S, ceil(longest_s(request) / looks))


def events_of_a_look(states: dict[str, Any]) -> int:
    """Return the events that one look writes when there is nothing to tell: from Wait back to Wait."""
    events, name = 0, "Wait"
    while True:
        state = states[name]
        events += _EVENTS[state["Type"]]
        name = state.get("Next") or state["Default"]
        if name == "Wait":
            return events


def job_states(
    shapes: JobShapes, *, watching: Watching, partition: str, defaults: InputDefaults = AS_DECLARED
) -> dict[str, Any]:
    """Return the state machine's definition around a whole CreateTrainingJob request.

    Creating a job that is there already is no error when this execution created it, in an earlier try; what SageMaker
    refuses for another reason ends the execution with its words. A timeout ends
    the execution while its history still has room, so that whoever stops jobs of timed-out executions is told.
    """
    states = {
        **input_states(shapes, workload_name=watching.workload_name, defaults=defaults),
        **_creation(shapes, partition),
        **_looking(watching, partition),
        **watch_states(watching, partition=partition),
        **_ends(partition),
    }
    states["Wait"]["Seconds"] = wait_s(shapes.request, events_of_a_look(states))
    return {
        "Comment": f"Runs one training job of {watching.workload_name} to its end",
        "StartAt": "DefaultInput",
        "TimeoutSeconds": longest_s(shapes.request),
        "States": states,
    }


def _creation(shapes: JobShapes, partition: str) -> dict[str, Any]:
    """Return the states that create the job, and those for a name that is taken."""
    return {
        "CreateTrainingJob": task(partition, "sagemaker:createTrainingJob", request_parameters(shapes), then="Wait")
        | {
            "OutputPath": "$.run",
            "Catch": [
                {
                    "ErrorEquals": ["SageMaker.ResourceInUseException", "SageMaker.ResourceInUse"],
                    "ResultPath": "$.taken",
                    "Next": "DescribeTaker",
                },
                {"ErrorEquals": ["States.ALL"], "ResultPath": "$.refused", "Next": "NotCreated"},
            ],
        },
        "NotCreated": {
            "Type": "Fail",
            "Error": "TrainingJobNotCreated",
            "CausePath": "States.Format('{} was not created: {}', $.run.job, $.refused.Cause)",
        },
        "DescribeTaker": task(
            partition, "sagemaker:describeTrainingJob", {"TrainingJobName.$": "$.run.job"}, then="IsOwnJob"
        )
        | {"ResultSelector": {"owners.$": OWNERS}, "ResultPath": "$.taken"},
        "IsOwnJob": {
            "Type": "Choice",
            "Choices": [
                {
                    "And": [
                        {"Variable": "$.taken.owners[0]", "IsPresent": True},
                        {"Variable": "$.taken.owners[0]", "StringEqualsPath": "$.run.execution"},
                    ],
                    "Next": "TakeUpJob",
                }
            ],
            "Default": "NameTaken",
        },
        "TakeUpJob": {"Type": "Pass", "InputPath": "$.run", "Next": "Wait"},
        "NameTaken": {
            "Type": "Fail",
            "Error": "TrainingJobNameTaken",
            "CausePath": "States.Format('{} is the name of a training job that another execution created', $.run.job)",
        },
    }


def _looking(watching: Watching, partition: str) -> dict[str, Any]:
    """Return the states of one look at the job."""
    stop_asked = {"Not": {"Variable": "$.adding.stop", "StringEquals": ""}}
    look = task(partition, "sagemaker:describeTrainingJob", {"TrainingJobName.$": "$.job"}, then=watching.first_state)
    stop_sent = {"Variable": "$.stopped", "IsPresent": True}
    return {
        "Wait": {"Type": "Wait", "Seconds": _SHORTEST_WAIT_S, "Next": "DescribeTrainingJob"},
        "DescribeTrainingJob": look
        | {
            # strings only: the dates of the answer cannot be kept as they are
            "ResultSelector": {
                "Status.$": "$.TrainingJobStatus",
                "Secondary.$": "$.SecondaryStatus",
                **watching.looks_at,
            },
            "ResultPath": "$.look",
            # the job goes on while SageMaker cannot be asked, and so does the execution
            "Catch": [{"ErrorEquals": look["Retry"][0]["ErrorEquals"], "ResultPath": "$.failure", "Next": "Wait"}],
        },
        AFTER_FINDINGS: {
            "Type": "Choice",
            "Choices": [
                *([late_choice()] if watching.debugged else []),
                {"Variable": "$.look.Status", "StringEquals": "Completed", "Next": "Completed"},
                {"Variable": "$.look.Status", "StringEquals": "Failed", "Next": "DescribeFailure"},
                {
                    "And": [{"Variable": "$.look.Status", "StringEquals": "Stopped"}, stop_sent],
                    "Next": "StoppedByRule",
                },
                {"Variable": "$.look.Status", "StringEquals": "Stopped", "Next": "Stopped"},
                {
                    "And": [{"Variable": "$.look.Status", "StringEquals": "InProgress"}, stop_asked],
                    "Next": "StopTrainingJob",
                },
            ],
            "Default": "Wait",
        },
        "StopTrainingJob": task(partition, "sagemaker:stopTrainingJob", {"TrainingJobName.$": "$.job"}, then="Wait")
        # it may have ended by itself meanwhile; while it runs, every look tries again
        | {
            "ResultSelector": {"asked": True},
            "ResultPath": "$.stopped",
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.failure", "Next": "Wait"}],
        },
    }


def _ends(partition: str) -> dict[str, Any]:
    """Return the ends of an execution, which are those of its job."""
    return {
        "Completed": {"Type": "Succeed"},
        # a state of its own, since only a job that failed has a reason
        "DescribeFailure": task(
            partition, "sagemaker:describeTrainingJob", {"TrainingJobName.$": "$.job"}, then="Failed"
        )
        | {"ResultSelector": {"Reason.$": "$.FailureReason"}, "ResultPath": "$.failure"},
        "Failed": {
            "Type": "Fail",
            "Error": "TrainingJobFailed",
            "CausePath": "States.Format('{}: {}', $.job, $.failure.Reason)",
        },
        "Stopped": {
            "Type": "Fail",
            "Error": "TrainingJobStopped",
            "CausePath": "States.Format('{} was stopped before it completed: {}', $.job, $.look.Secondary)",
        },
        "StoppedByRule": {
            "Type": "Fail",
            "Error": "TrainingJobStopped",
            "CausePath": "States.Format('{} was stopped, as asked for on:{}', $.job, $.adding.stop)",
        },
    }
