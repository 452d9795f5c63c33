"""Moto's server with everything that tests/deploy teaches it of jobs, and what it lacks to follow a run.

Its Step Functions knows one page of history, oldest first; CloudFormation creates state machines that are never run;
and a job that runs has an end there already. What a job is told to do comes as JSON here, quotes and all, as `launch`
sends hyperparameters.
"""

import json
from typing import Any

from moto.core.responses import ActionResult
from moto.sagemaker.models import SageMakerModelBackend
from moto.server import main
from moto.stepfunctions.models import StateMachine
from moto.stepfunctions.parser.models import stepfunctions_parser_backends
from moto.stepfunctions.responses import StepFunctionResponse

from tests.deploy.taught_jobs import teach


def _history_in_pages(response: StepFunctionResponse) -> ActionResult:
    """Answer with the page that is asked for, in the order that is asked for."""
    arn = response._get_param("executionArn")
    events = list(response.stepfunction_backend.get_execution_history(arn)["events"])
    if response._get_param("reverseOrder"):
        events.reverse()
    # a page begins at an event, whatever has come since
    token = response._get_param("nextToken")
    first = 0 if token is None else next(place for place, event in enumerate(events) if str(event["id"]) == token)
    most = int(response._get_param("maxResults") or 1000)
    answer: dict[str, Any] = {"events": events[first : first + most]}
    if first + most < len(events):
        answer["nextToken"] = str(events[first + most]["id"])
    return ActionResult(answer)


def _create_to_run(
    resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
) -> StateMachine:
    """Create a state machine that the interpreter runs, with the tags of its stack."""
    properties = cloudformation_json["Properties"]
    tags = properties.get("Tags", [])
    return stepfunctions_parser_backends[account_id][region_name].create_state_machine(
        name=properties.get("StateMachineName", resource_name),
        definition=properties["DefinitionString"],
        roleArn=properties["RoleArn"],
        tags=[{"key": tag["Key"], "value": tag["Value"]} for tag in tags],
    )


teach()
_describe = SageMakerModelBackend.describe_training_job
_create = SageMakerModelBackend.create_training_job


def _create_unquoted(backend: SageMakerModelBackend, hyper_parameters: dict[str, str], **request: Any) -> Any:
    """Take the quotes off what a job is told to do, as the toolkit in AWS's images does."""
    told = {
        name: json.loads(value) if value.startswith('"') and not name.startswith("sagemaker_") else value
        for name, value in hyper_parameters.items()
    }
    return _create(backend, hyper_parameters=told, **request)


def _describe_running(backend: SageMakerModelBackend, training_job_name: str) -> dict[str, Any]:
    """Answer without an end for a job that has none, and with the transition that it is in."""
    described = _describe(backend, training_job_name)
    if described["TrainingJobStatus"] != "InProgress":
        return described
    described = {name: value for name, value in described.items() if name != "TrainingEndTime"}
    training = {
        "Status": "Training",
        "StartTime": described["TrainingStartTime"],
        "StatusMessage": "Training image download completed. Training in progress.",
    }
    return described | {"SecondaryStatusTransitions": [*described["SecondaryStatusTransitions"], training]}


_TAUGHT: list[tuple[type, str, Any]] = [
    (SageMakerModelBackend, "create_training_job", _create_unquoted),
    (SageMakerModelBackend, "describe_training_job", _describe_running),
    (StepFunctionResponse, "get_execution_history", _history_in_pages),
    (StateMachine, "create_from_cloudformation_json", staticmethod(_create_to_run)),
]
for owner, method, taught in _TAUGHT:
    setattr(owner, method, taught)


if __name__ == "__main__":
    main()
