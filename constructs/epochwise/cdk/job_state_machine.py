"""The states that run one training job: create it, look at it until it ends, end alike.

`sagemaker:createTrainingJob.sync` of Step Functions documents no profiler rules and no file system channel, so the
states call SageMaker's API itself, which takes the request whole.
"""

from math import ceil
from typing import Any

LONGEST_NAME = 63
"""Characters of a training job's name (SageMaker API, CreateTrainingJob)."""
_HISTORY_EVENTS = 25_000
"""Most events of one execution (Step Functions quotas)."""
_EVENTS_PER_LOOK = 9
"""Wait 2, task 5, choice 2."""
_SHORTEST_WAIT_S = 60
_PENDING_S = 2 * 24 * 3600
"""Assumed: how long a job may wait for capacity before it runs, where the request does not say."""
_SDK = "aws-sdk:sagemaker"


def job_name_expression(workload_name: str) -> str:
    """Return the name of an execution's job: the same on every retry, so that none is created twice.

    The name is the workload's and 32 digits of hash.

    >>> job_name_expression("guide")
    "States.Format('guide-{}', States.Hash($$.Execution.Id, 'MD5'))"
    """
    return f"States.Format('{workload_name}-{{}}', States.Hash($$.Execution.Id, 'MD5'))"


def wait_s(request: dict[str, Any]) -> int:
    """Return the seconds between two looks: so many that the longest run fits into an execution's history.

    >>> wait_s({"StoppingCondition": {"MaxRuntimeInSeconds": 3600}})
    71
    >>> wait_s({"StoppingCondition": {"MaxRuntimeInSeconds": 28 * 86400}})
    1037
    """
    limits = request["StoppingCondition"]
    longest_s: int = limits["MaxRuntimeInSeconds"] + limits.get("MaxPendingTimeInSeconds", _PENDING_S)
    looks = _HISTORY_EVENTS * 0.9 / _EVENTS_PER_LOOK
    return max(_SHORTEST_WAIT_S, ceil(longest_s / looks))


def job_states(request: dict[str, Any], *, workload_name: str, partition: str) -> dict[str, Any]:
    """Return the state machine's definition around a whole CreateTrainingJob request.

    What the request says of the job's name is replaced by the execution's. Creating a job that is there already is no
    error: an earlier try created it.
    """
    name = job_name_expression(workload_name)
    retry = [
        {
            "ErrorEquals": [
                "SageMaker.ThrottlingException",
                "SageMaker.SageMakerException",
                "SageMaker.SdkClientException",
            ],
            "IntervalSeconds": 5,
            "BackoffRate": 2,
            "MaxAttempts": 6,
            "MaxDelaySeconds": 300,
            "JitterStrategy": "FULL",
        }
    ]
    describe = {
        "Type": "Task",
        "Resource": f"arn:{partition}:states:::{_SDK}:describeTrainingJob",
        "Parameters": {"TrainingJobName.$": name},
        "Retry": retry,
    }
    return {
        "Comment": f"Runs one training job of {workload_name} to its end",
        "StartAt": "CreateTrainingJob",
        "States": {
            "CreateTrainingJob": {
                "Type": "Task",
                "Resource": f"arn:{partition}:states:::{_SDK}:createTrainingJob",
                "Parameters": _named_by_execution(request, name),
                "Retry": retry,
                "Catch": [
                    {
                        "ErrorEquals": ["SageMaker.ResourceInUseException", "SageMaker.ResourceInUse"],
                        "Next": "Wait",
                    }
                ],
                "Next": "Wait",
            },
            "Wait": {"Type": "Wait", "Seconds": wait_s(request), "Next": "DescribeTrainingJob"},
            "DescribeTrainingJob": describe
            | {
                # strings only: the dates of the answer cannot be kept as they are
                "ResultSelector": {"TrainingJobName.$": "$.TrainingJobName", "Status.$": "$.TrainingJobStatus"},
                "Next": "HasEnded",
            },
            "HasEnded": {
                "Type": "Choice",
                "Choices": [
                    {"Variable": "$.Status", "StringEquals": "Completed", "Next": "Completed"},
                    {"Variable": "$.Status", "StringEquals": "Failed", "Next": "DescribeFailure"},
                    {"Variable": "$.Status", "StringEquals": "Stopped", "Next": "Stopped"},
                ],
                "Default": "Wait",
            },
            "Completed": {"Type": "Succeed"},
            # a state of its own, since only a job that failed has a reason
            "DescribeFailure": describe
            | {
                "ResultSelector": {"TrainingJobName.$": "$.TrainingJobName", "Reason.$": "$.FailureReason"},
                "Next": "Failed",
            },
            "Failed": {
                "Type": "Fail",
                "Error": "TrainingJobFailed",
                "CausePath": "States.Format('{}: {}', $.TrainingJobName, $.Reason)",
            },
            "Stopped": {
                "Type": "Fail",
                "Error": "TrainingJobStopped",
                "CausePath": "States.Format('{} was stopped before it completed', $.TrainingJobName)",
            },
        },
    }


def _named_by_execution(request: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the request with the execution's name, in the hyperparameter as JSON, quotes included."""
    hyperparameters = dict(request["HyperParameters"])
    hyperparameters.pop("sagemaker_job_name", None)
    quoted = name.replace("States.Format('", "States.Format('\"", 1).replace("{}'", "{}\"'", 1)
    named = {key: value for key, value in request.items() if key not in {"TrainingJobName", "HyperParameters"}}
    return {
        "TrainingJobName.$": name,
        **named,
        "HyperParameters": {**hyperparameters, "sagemaker_job_name.$": quoted},
    }
