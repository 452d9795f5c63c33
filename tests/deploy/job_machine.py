"""Run a job's state machine in moto's interpreter, over HTTP, as fast as it goes."""

import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.deploy.conftest import ACCOUNT

Client = Callable[[str], Any]
ROLE = f"arn:aws:iam::{ACCOUNT}:role/machine"


def switch_interpreter(endpoint: str, *, on: bool) -> None:
    """Have moto run state machines, or not; it keeps machines of each kind apart."""
    body = json.dumps({"stepfunctions": {"execute_state_machine": on}}).encode()
    request = urllib.request.Request(f"{endpoint}/moto-api/config", data=body, method="POST")
    with urllib.request.urlopen(request, timeout=10):
        pass


def hastened(definition: Any) -> Any:
    """Return a definition that waits for nothing longer than it must."""
    match definition:
        case {"Type": "Wait", **rest}:
            return {"Type": "Wait", **rest, "Seconds": 0}
        case {"IntervalSeconds": _, **rest}:
            return {**rest, "IntervalSeconds": 1, "BackoffRate": 1, "MaxDelaySeconds": 1}
        case dict():
            return {key: hastened(value) for key, value in definition.items()}
        case list():
            return [hastened(value) for value in definition]
        case _:
            return definition


def create(client: Client, name: str, definition: dict[str, Any]) -> str:
    """Create a state machine and return its ARN."""
    machine = client("stepfunctions").create_state_machine(
        name=name, definition=json.dumps(hastened(definition)), roleArn=ROLE
    )
    return str(machine["stateMachineArn"])


_NOTHING: dict[str, Any] = {}


def start(client: Client, machine: str, given: Any = _NOTHING, name: str = "one") -> str:
    """Start an execution and return its ARN."""
    started = client("stepfunctions").start_execution(stateMachineArn=machine, name=name, input=json.dumps(given))
    return str(started["executionArn"])


def ended(client: Client, execution: str) -> dict[str, Any]:
    """Wait for the end of an execution and return its description."""
    deadline = time.monotonic() + 60
    while (found := client("stepfunctions").describe_execution(executionArn=execution))["status"] == "RUNNING":
        assert time.monotonic() < deadline, "the execution does not end"
        time.sleep(0.05)
    return dict(found)


def run(client: Client, machine: str, given: Any = _NOTHING, name: str = "one") -> dict[str, Any]:
    """Execute a state machine to its end."""
    return ended(client, start(client, machine, given, name))


def until(condition: Callable[[], Any]) -> Any:
    """Return what a condition returns once it is true."""
    deadline = time.monotonic() + 30
    while not (found := condition()):
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)
    return found


def jobs(client: Client, prefix: str = "") -> list[str]:
    """Return the names of the training jobs that there are."""
    listed = client("sagemaker").list_training_jobs(MaxResults=100)["TrainingJobSummaries"]
    return [job["TrainingJobName"] for job in listed if job["TrainingJobName"].startswith(prefix)]


def status(client: Client, job: str) -> str:
    """Return the status of a training job."""
    return str(client("sagemaker").describe_training_job(TrainingJobName=job)["TrainingJobStatus"])
