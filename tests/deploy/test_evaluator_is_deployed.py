"""The function that judges jobs goes up as an asset with the real CLI, or beside templates without the CDK."""

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


@pytest.fixture(scope="module")
def piped(workload: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the templates of a workload of another name."""
    from epochwise import Workload, plan
    from stacks.pipeline_templates import pipeline_templates

    made = pipeline_templates(plan(Workload.from_file(workload).model_copy(update={"name": "piped"})))
    folder = tmp_path_factory.mktemp("piped")
    for name, content in made.files.items():
        (folder / name).write_bytes(content)
    return folder


def test_templates_deploy_into_a_vpc_that_is_there_without_the_cdk(
    client: Client, piped: Path, aws_environment: dict[str, str]
) -> None:
    ec2, s3, formation = client("ec2"), client("s3"), client("cloudformation")
    vpc = ec2.create_vpc(CidrBlock="172.30.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="172.30.0.0/20")["Subnet"]["SubnetId"]
    s3.create_bucket(Bucket="pipeline")
    manifest = json.loads((piped / "manifest.json").read_bytes())
    for name in manifest["files"]:
        s3.put_object(Bucket="pipeline", Key=f"release/{name}", Body=(piped / name).read_bytes())
    [archive] = [name for name in manifest["files"] if name.endswith(".zip")]
    given = {
        "VpcId": vpc,
        "SubnetId": subnet,
        "DatasetBucket": "our-data",
        "CodeBucket": "our-code",
        "Nodes": "2",
        "EvaluatorCodeBucket": "pipeline",
        "EvaluatorCodeKey": f"release/{archive}",
    }
    for step in manifest["deploy"]:
        template = step["templates"][-1]
        asked = manifest["files"][template]["parameters"]
        formation.create_stack(
            StackName=step["stack"],
            TemplateURL=f"{aws_environment['AWS_ENDPOINT_URL']}/pipeline/release/{template}",
            Capabilities=manifest["files"][template]["capabilities"],
            Parameters=[{"ParameterKey": key, "ParameterValue": given[key]} for key in asked if key in given],
        )
    listed = formation.list_stack_resources(StackName="epochwise-piped-training")["StackResourceSummaries"]
    physical = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in listed}

    [file_system] = [
        each for each in client("fsx").describe_file_systems()["FileSystems"] if each["SubnetIds"] == [subnet]
    ]
    exports = {each["Name"]: each["Value"] for each in formation.list_exports()["Exports"]}
    assert exports["epochwise-piped-FileSystemId"] == file_system["FileSystemId"]
    assert exports["epochwise-piped-VpcId"] == vpc
    function = client("lambda").get_function(FunctionName=physical["JobEvaluator253F8DC2"])
    assert function["Configuration"]["CodeSize"] == manifest["files"][archive]["bytes"]
    switch_interpreter(aws_environment["AWS_ENDPOINT_URL"], on=False)
    definition = client("stepfunctions").describe_state_machine(stateMachineArn=physical["Job3AAC5AA8"])["definition"]
    states = json.loads(definition)["States"]
    assert states["DefaultInput"]["Parameters"]["defaults"]["nodes"] == 2
    group = exports["epochwise-piped-NodesSecurityGroupId"]
    request = states["CreateTrainingJob"]["Parameters"]
    assert request["VpcConfig"] == {"Subnets": [subnet], "SecurityGroupIds": [group]}
    assert "s3://our-code/guide/sourcedir.tar.gz" in definition
