"""The state machine runs one job to its end, whatever the execution asks for and whatever happens."""

import hashlib
import json
from typing import Any

import pytest

from epochwise import Workload
from epochwise.cdk.job_shapes import JobShapes, job_shapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import Watching
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload.training_section import OWNER_VARIABLE
from tests.deploy.conftest import ACCOUNT, ROOT
from tests.deploy.job_machine import Client, create, jobs, run, start, until

TYPES = ("ml.p4d.24xlarge", "ml.p4de.24xlarge")


@pytest.fixture(scope="module")
def shapes() -> JobShapes:
    guide = Workload.from_file(ROOT / "workloads" / "guide.yaml")
    deployment = JobDeployment.placeholders(guide)
    return job_shapes(
        guide,
        lambda workload: create_training_job_request(workload, deployment),
        max_nodes=8,
        instance_types=TYPES[1:],
    )


@pytest.fixture(scope="module")
def machine(client: Client, shapes: JobShapes) -> str:
    watching = Watching(workload_name="guide", topic_arn="")
    return create(client, "runs", job_states(shapes, watching=watching, partition="aws"))


def hashed(execution: str) -> str:
    return f"guide-{hashlib.md5(execution.encode(), usedforsecurity=False).hexdigest()}"


def describe(client: Client, execution: dict[str, Any]) -> dict[str, Any]:
    return dict(client("sagemaker").describe_training_job(TrainingJobName=hashed(execution["executionArn"])))


def test_an_execution_ends_with_its_job_and_what_was_declared_is_sent(
    client: Client, machine: str, shapes: JobShapes
) -> None:
    ended = run(client, machine, {"hyperparameters": {"looks": "2"}}, "declared")

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    job = describe(client, ended)
    assert job["ResourceConfig"] == shapes.request["ResourceConfig"]
    assert job["Environment"] == {**shapes.request["Environment"], OWNER_VARIABLE: ended["executionArn"]}
    declared = {key: value for key, value in shapes.request["HyperParameters"].items() if key != "sagemaker_job_name"}
    assert job["HyperParameters"] == {
        **declared,
        "looks": "2",
        "sagemaker_job_name": json.dumps(job["TrainingJobName"]),
    }


def test_what_an_execution_asks_for_goes_before_what_is_declared(client: Client, machine: str) -> None:
    image = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.2.0-gpu-py310"
    given = {"nodes": 8, "instance_type": TYPES[1], "image": image, "hyperparameters": {"lr": "0.2"}}
    ended = run(client, machine, given, "overridden")

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    job = describe(client, ended)
    assert (job["ResourceConfig"]["InstanceCount"], job["ResourceConfig"]["InstanceType"]) == (8, TYPES[1])
    assert job["AlgorithmSpecification"]["TrainingImage"] == image
    assert job["HyperParameters"]["lr"] == "0.2"
    assert json.loads(job["HyperParameters"]["sagemaker_instance_type"]) == TYPES[1]


def test_an_execution_may_name_its_job(client: Client, machine: str) -> None:
    ended = run(client, machine, {"job_name_suffix": "spring-1"}, "named")
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert "guide-spring-1" in jobs(client)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"nodes": 9}, "nodes and instance_type must be 1 to 8 ml.p4d.24xlarge, 1 to 8 ml.p4de.24xlarge"),
        ({"nodes": 0}, "got 0 ml.p4d.24xlarge"),
        ({"nodes": 1.5}, "got 1.5 ml.p4d.24xlarge"),
        ({"nodes": "4"}, "nodes a number"),
        ({"hyperparameters": "lr=1"}, "hyperparameters an object"),
        ({"hyperparameters": ["lr"]}, "hyperparameters an object"),
        ({"hyperparameters": None}, "hyperparameters an object"),
        ({"instance_type": "ml.p5.48xlarge"}, "got 4 ml.p5.48xlarge"),
        ({"instance_type": None}, "must be strings"),
        ({"image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:2.3.0"}, "image must be a tag"),
        ({"image": "000000000000.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0"}, "image must be a tag"),
        ({"hyperparameters": []}, "hyperparameters an object"),
        ({"hyperparameters": {"lr": 0.2}}, 'numbers in quotes too, got {"lr":0.2}'),
        ([], "instance_type, got []"),
        (None, "got null"),
        ("guide", 'got "guide"'),
        (3, "got 3"),
        ([{"nodes": 2}], 'got [{"nodes":2}]'),
        ({"job_name_suffix": "spring_1"}, "letters, digits and hyphens, and not end with a hyphen, got spring_1"),
        ({"job_name_suffix": 1}, "job_name_suffix, image and instance_type must be strings"),
        ({"image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2 3"}, "image must be a tag"),
        ({"node": 4}, "input may hold job_name_suffix, image, hyperparameters, nodes, instance_type"),
        ({"hyperparameters": {"sagemaker_program": '"evil.py"'}}, "hyperparameters must not hold"),
        ({"hyperparameters": {"lr": "1", "sagemaker_mpi_enabled": "true"}}, "hyperparameters must not hold"),
    ],
)
def test_what_the_checks_do_not_allow_is_refused_before_there_is_a_job(
    client: Client, machine: str, given: Any, told: str
) -> None:
    before = jobs(client)
    name = f"refused-{hashlib.sha256(json.dumps(given).encode()).hexdigest()[:16]}"
    ended = run(client, machine, given, name)

    assert (ended["status"], ended["error"]) == ("FAILED", "InputRefused")
    assert told in ended["cause"]
    assert jobs(client) == before


def test_what_sagemaker_refuses_ends_the_execution_with_its_words(client: Client, machine: str) -> None:
    suffix = "a" * 60
    ended = run(client, machine, {"job_name_suffix": suffix}, "too-long")
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobNotCreated")
    assert ended["cause"].startswith(f"guide-{suffix} was not created: ")
    assert "less than or equal to 63" in ended["cause"]


def test_an_execution_fails_with_the_jobs_own_reason(client: Client, machine: str) -> None:
    ended = run(client, machine, {"hyperparameters": {"fails_with": "AlgorithmError: out of memory"}}, "failing")
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobFailed")
    assert ended["cause"] == f"{hashed(ended['executionArn'])}: AlgorithmError: out of memory"


def test_a_job_that_somebody_stopped_ends_its_execution(client: Client, machine: str) -> None:
    execution = start(client, machine, {"hyperparameters": {"looks": "1000"}}, "stopped")
    job = hashed(execution)
    until(lambda: job in jobs(client))
    client("sagemaker").stop_training_job(TrainingJobName=job)
    ended = until(lambda: _ended(client, execution))
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobStopped")
    assert ended["cause"] == f"{job} was stopped before it completed: Stopped"


def _ended(client: Client, execution: str) -> dict[str, Any] | None:
    found = client("stepfunctions").describe_execution(executionArn=execution)
    return None if found["status"] == "RUNNING" else dict(found)


@pytest.mark.parametrize("looks", ["2", "9"])
def test_a_look_that_is_throttled_is_repeated(client: Client, machine: str, looks: str) -> None:
    ended = run(client, machine, {"hyperparameters": {"throttled": looks}}, f"throttled-{looks}")
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    history = client("stepfunctions").get_execution_history(executionArn=ended["executionArn"], maxResults=1000)
    kinds = [event["type"] for event in history["events"]]
    assert kinds.count("TaskFailed") == int(looks)
    assert len([job for job in jobs(client) if job == hashed(ended["executionArn"])]) == 1


def earlier_job(client: Client, name: str, environment: dict[str, str]) -> None:
    client("sagemaker").create_training_job(
        TrainingJobName=name,
        RoleArn=f"arn:aws:iam::{ACCOUNT}:role/job",
        AlgorithmSpecification={"TrainingInputMode": "File", "TrainingImage": "image"},
        OutputDataConfig={"S3OutputPath": "s3://bucket/prefix"},
        ResourceConfig={"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4, "VolumeSizeInGB": 30},
        StoppingCondition={"MaxRuntimeInSeconds": 60},
        Environment=environment,
    )


def test_a_job_that_an_earlier_try_created_is_taken_up(client: Client, machine: str) -> None:
    execution = f"{machine.replace(':stateMachine:', ':execution:')}:again"
    earlier_job(client, hashed(execution), {OWNER_VARIABLE: execution})
    before = len(jobs(client))
    ended = run(client, machine, {}, "again")
    assert ended["executionArn"] == execution
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert len(jobs(client)) == before


@pytest.mark.parametrize("environment", [{OWNER_VARIABLE: "arn:of:another"}, {"A": "B"}])
def test_a_name_that_another_job_has_is_refused(client: Client, machine: str, environment: dict[str, str]) -> None:
    suffix = f"taken-{len(environment)}-{'A' in environment}"
    earlier_job(client, f"guide-{suffix}", environment)
    ended = run(client, machine, {"job_name_suffix": suffix}, suffix)
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobNameTaken")
    assert f"guide-{suffix}" in ended["cause"]
