"""An execution that is aborted has its job stopped: by the event that Step Functions sends, and a second machine.

Moto's interpreter sends no events. The test writes the event as AWS documents it, holds it to the rule's pattern, and
applies the target's transformation to it.
"""

import json
from typing import Any

import pytest

from epochwise import Workload, plan
from epochwise.cdk.job_shapes import JobShapes, job_shapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import Watching
from epochwise.training.request import JobDeployment, create_training_job_request
from tests.deploy.conftest import ACCOUNT, REGION, ROOT
from tests.deploy.job_machine import (
    Client,
    create,
    ended,
    hastened,
    jobs,
    run,
    start,
    status,
    until,
)

MACHINE = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:aborted"


@pytest.fixture(scope="module")
def guide() -> Workload:
    return Workload.from_file(ROOT / "workloads" / "guide.yaml")


def shapes_of(workload: Workload) -> JobShapes:
    deployment = JobDeployment.placeholders(workload)
    return job_shapes(
        workload, lambda shaped: create_training_job_request(shaped, deployment), max_nodes=4, instance_types=()
    )


@pytest.fixture(scope="module")
def machine(client: Client, guide: Workload) -> str:
    watching = Watching(workload_name="guide", topic_arn="")
    arn = create(client, "aborted", job_states(shapes_of(guide), watching=watching, partition="aws"))
    assert arn == MACHINE
    return arn


@pytest.fixture(scope="module")
def resources(guide: Workload) -> dict[str, dict[str, Any]]:
    """Return the resources of the training stack by logical id."""
    from aws_cdk import App
    from aws_cdk.assertions import Template

    from stacks.deployment import create_stacks

    app = App(context=json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"])
    training = create_stacks(app, plan(guide))[-1]
    return dict(Template.from_stack(training).to_json()["Resources"])


@pytest.fixture(scope="module")
def stopper(client: Client, resources: dict[str, dict[str, Any]]) -> str:
    """Create the second machine as it is deployed."""
    [(_, found)] = [
        each
        for each in resources.items()
        if each[1]["Type"] == "AWS::StepFunctions::StateMachine" and "Stopper" in each[0]
    ]
    [_, parts] = found["Properties"]["DefinitionString"]["Fn::Join"]
    text = "".join(part if isinstance(part, str) else "aws" for part in parts)
    return create(client, "stopper", hastened(json.loads(text)))


def event(execution: str, status: str = "ABORTED") -> dict[str, Any]:
    """Return what Step Functions tells EventBridge, as its guide shows it."""
    return {
        "version": "0",
        "source": "aws.states",
        "detail-type": "Step Functions Execution Status Change",
        "account": ACCOUNT,
        "region": REGION,
        "resources": [execution],
        "detail": {"executionArn": execution, "stateMachineArn": MACHINE, "status": status, "input": "{}"},
    }


def transformed(resources: dict[str, dict[str, Any]], sent: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the rule's target gets of an event, None when the rule does not match it."""
    [rule] = [each["Properties"] for each in resources.values() if each["Type"] == "AWS::Events::Rule"]
    pattern = rule["EventPattern"]
    [reference] = pattern["detail"]["stateMachineArn"]
    assert resources[reference["Ref"]]["Type"] == "AWS::StepFunctions::StateMachine"
    matches = (
        sent["source"] in pattern["source"]
        and sent["detail-type"] in pattern["detail-type"]
        and sent["detail"]["status"] in pattern["detail"]["status"]
    )
    if not matches:
        return None
    [target] = rule["Targets"]
    assert "Stopper" in target["Arn"]["Ref"]
    [(name, path)] = target["InputTransformer"]["InputPathsMap"].items()
    assert path == "$.detail.executionArn"
    text = target["InputTransformer"]["InputTemplate"].replace(f"<{name}>", json.dumps(sent["detail"]["executionArn"]))
    return dict(json.loads(text))


@pytest.mark.parametrize("given", [{}, {"job_name_suffix": "early"}], ids=["named by its execution", "named"])
def test_an_aborted_execution_has_its_job_stopped(
    client: Client, machine: str, stopper: str, resources: dict[str, dict[str, Any]], given: dict[str, Any]
) -> None:
    before = set(jobs(client))
    name = f"run-{len(given)}"
    execution = start(client, machine, given | {"hyperparameters": {"forever": ""}}, name)
    [job] = until(lambda: set(jobs(client)) - before)
    client("stepfunctions").stop_execution(executionArn=execution)
    aborted = ended(client, execution)
    assert aborted["status"] == "ABORTED", (aborted.get("error"), aborted.get("cause"))
    assert status(client, job) == "InProgress"

    sent = transformed(resources, event(execution))
    done = run(client, stopper, sent, name)
    assert done["status"] == "SUCCEEDED", (done.get("error"), done.get("cause"))
    assert status(client, job) == "Stopped"


@pytest.mark.parametrize(
    ("status", "matches"),
    [("ABORTED", True), ("FAILED", True), ("TIMED_OUT", True), ("SUCCEEDED", False), ("RUNNING", False)],
)
def test_only_executions_that_ended_early_are_told(
    resources: dict[str, dict[str, Any]], status: str, matches: bool
) -> None:
    assert (transformed(resources, event("arn:of:execution", status)) is not None) is matches


def test_the_job_of_another_execution_goes_on(client: Client, machine: str, stopper: str) -> None:
    mine = start(client, machine, {"job_name_suffix": "shared", "hyperparameters": {"forever": ""}}, "owner")
    until(lambda: "guide-shared" in jobs(client))
    other = run(client, machine, {"job_name_suffix": "shared"}, "intruder")
    assert other["error"] == "TrainingJobNameTaken"
    done = run(client, stopper, {"executionArn": other["executionArn"]}, "intruder")
    assert done["status"] == "SUCCEEDED"
    assert status(client, "guide-shared") == "InProgress"
    client("stepfunctions").stop_execution(executionArn=mine)


def test_an_execution_that_fails_by_itself_has_its_job_stopped(
    client: Client, guide: Workload, stopper: str, resources: dict[str, dict[str, Any]]
) -> None:
    definition = job_states(shapes_of(guide), watching=Watching(workload_name="guide", topic_arn=""), partition="aws")
    definition["States"]["Wait"]["Next"] = "Broken"
    definition["States"]["Broken"] = {"Type": "Fail", "Error": "States.Runtime"}
    failing = create(client, "failing", definition)
    failed = run(client, failing, {"job_name_suffix": "left", "hyperparameters": {"forever": ""}}, "left")
    assert (failed["status"], status(client, "guide-left")) == ("FAILED", "InProgress")

    done = run(client, stopper, transformed(resources, event(failed["executionArn"], "FAILED")), "left")
    assert done["status"] == "SUCCEEDED", (done.get("error"), done.get("cause"))
    assert status(client, "guide-left") == "Stopped"


@pytest.mark.parametrize(
    "given", [["no object"], "text", {"nodes": 99}, {"job_name_suffix": {}}, {"job_name_suffix": "a" * 60}], ids=str
)
def test_an_input_that_is_refused_fails_nothing_but_its_execution(
    client: Client, machine: str, stopper: str, given: Any
) -> None:
    before = set(jobs(client))
    name = f"bad-{type(given).__name__}-{len(str(given))}"
    refused = run(client, machine, given, name)
    assert refused["status"] == "FAILED"
    done = run(client, stopper, {"executionArn": refused["executionArn"]}, name)
    assert done["status"] == "SUCCEEDED", (done.get("error"), done.get("cause"))
    assert set(jobs(client)) == before


def test_an_execution_without_a_job_leaves_nothing_to_stop(client: Client, machine: str, stopper: str) -> None:
    refused = run(client, machine, {"nodes": 99}, "refused")
    done = run(client, stopper, {"executionArn": refused["executionArn"]}, "refused")
    assert done["status"] == "SUCCEEDED", (done.get("error"), done.get("cause"))


def test_a_job_that_has_ended_is_left_alone(client: Client, machine: str, stopper: str) -> None:
    completed = run(client, machine, {"job_name_suffix": "whole"}, "completed")
    done = run(client, stopper, {"executionArn": completed["executionArn"]}, "completed")
    assert done["status"] == "SUCCEEDED"
    assert status(client, "guide-whole") == "Completed"
