"""The function that judges jobs goes up as an asset with the real CLI, and works out of what was published."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from epochwise.cdk.job_evaluator import evaluator_files
from tests.deploy.conftest import ACCOUNT, REGION, ROOT, Cdk
from tests.deploy.job_machine import Client, create, run, switch_interpreter
from tests.deploy.watched_jobs import SHAPE, Told

RULES = ["StorageBottleneck", "NcclWithoutEfa"]
INLINE_CHARACTERS = 4096
"""Most of a function whose code stands in the template (CloudFormation, AWS::Lambda::Function Code)."""


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the guide with rules that CloudWatch decides."""
    guide = yaml.safe_load((ROOT / "workloads" / "guide.yaml").read_text(encoding="utf-8"))
    file = tmp_path_factory.mktemp("workload") / "watched.yaml"
    guide |= {"name": "watched", "watch": {"rules": RULES, "using": ["cloudwatch"]}}
    file.write_text(yaml.safe_dump(guide), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def deployed(cdk: Cdk, client: Client, workload: Path) -> dict[str, str]:
    """Deploy it, and return the physical ids of the training stack by resource type and part of the logical id."""
    cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}")
    more = ("--all", "--require-approval", "never", "--method", "direct")
    cdk("deploy", *more, "--context", f"workload={workload}")
    listed = client("cloudformation").list_stack_resources(StackName="epochwise-watched-training")
    found = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in listed["StackResourceSummaries"]}
    return {
        key: next(found[name] for name in found if name.startswith(key)) for key in ("JobEvaluator", "JobFindings")
    } | {"machine": next(arn for arn in found.values() if ":stateMachine:" in arn and "Stopper" not in arn)}


@pytest.fixture
def topic(deployed: dict[str, str]) -> str:
    """The topic that was deployed."""
    return deployed["JobFindings"]


def evaluator(client: Client, deployed: dict[str, str]) -> dict[str, Any]:
    names = [each["FunctionName"] for each in client("lambda").list_functions()["Functions"]]
    [name] = [each for each in names if "Evaluator" in each]
    return dict(client("lambda").get_function(FunctionName=name))


def test_the_archive_that_was_published_holds_the_room_and_fits_no_template(
    client: Client, deployed: dict[str, str]
) -> None:
    bucket = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"
    keys = [each["Key"] for each in client("s3").list_objects_v2(Bucket=bucket)["Contents"]]
    [key] = [key for key in keys if key.endswith(".zip")]
    content = client("s3").get_object(Bucket=bucket, Key=key)["Body"].read()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    assert held == evaluator_files()
    assert INLINE_CHARACTERS < sum(map(len, held.values())) < 100_000
    assert evaluator(client, deployed)["Configuration"]["Handler"] == "watching.handler.handle"


def test_the_deployed_function_answers(client: Client, deployed: dict[str, str]) -> None:
    name = evaluator(client, deployed)["Configuration"]["FunctionName"]
    asked = {
        "job": "watched-none",
        "nodes": 4,
        "instance_type": "ml.p4d.24xlarge",
        "time": datetime.now(UTC).isoformat(),
    }
    answer = client("lambda").invoke(FunctionName=name, Payload=json.dumps(asked).encode())
    said = json.loads(answer["Payload"].read())
    assert said["found"] == {}
    assert list(said["reasons"]) == RULES


def test_the_deployed_machine_asks_it_and_tells_the_deployed_topic(
    client: Client, deployed: dict[str, str], aws_environment: dict[str, str], told: Told
) -> None:
    # moto keeps what CloudFormation creates among the machines that it does not run
    switch_interpreter(aws_environment["AWS_ENDPOINT_URL"], on=False)
    definition = client("stepfunctions").describe_state_machine(stateMachineArn=deployed["machine"])["definition"]
    switch_interpreter(aws_environment["AWS_ENDPOINT_URL"], on=True)
    hastened = create(client, "hastened", json.loads(definition))
    now = datetime.now(UTC)
    logs, stream = client("logs"), "watched-slow/algo-2-1790000000"
    logs.create_log_group(logGroupName="/aws/sagemaker/TrainingJobs")
    logs.create_log_stream(logGroupName="/aws/sagemaker/TrainingJobs", logStreamName=stream)
    line = {"timestamp": int((now - timedelta(minutes=3)).timestamp() * 1000), "message": "Using network Socket"}
    logs.put_log_events(logGroupName="/aws/sagemaker/TrainingJobs", logStreamName=stream, logEvents=[line])

    given = {"job_name_suffix": "slow", "hyperparameters": {"looks": "1"}}
    ended = run(client, hastened, given)
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    [finding] = told()
    assert set(finding) == SHAPE
    assert (finding["workload"], finding["rule"], finding["job"]) == ("watched", "NcclWithoutEfa", "watched-slow")
    job = client("sagemaker").describe_training_job(TrainingJobName="watched-slow")
    assert job["Environment"]["NCCL_DEBUG"] == "INFO"
    assert job["InputDataConfig"][0]["DataSource"]["FileSystemDataSource"]["DirectoryPath"] == "/abcdefgh"
