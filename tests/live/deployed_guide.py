"""The guide's training job as a deployed stack of the local AWS, small and fast."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

from epochwise import Workload
from epochwise.cdk.job_shapes import job_shapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import WatchedFinding, Watching
from epochwise.following.deployed_job import METADATA_KEY, DeployedJob
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload.training_section import OWNER_VARIABLE
from tests.deploy.job_machine import hastened, switch_interpreter
from tests.live.local_aws import REGION, ROOT, local_aws

ACCOUNT = "123456789012"
GUIDE = ROOT / "workloads" / "guide.yaml"
FILE_SYSTEM = "fs-0123456789abcdef0"
TYPES = ("ml.p4d.24xlarge", "ml.p4de.24xlarge")
BY_DEBUGGER = WatchedFinding(
    rule="CpuBottleneck", source="debugger", configuration="CPUBottleneck", parameters={"threshold": 50}
)

Client = Callable[[str], Any]


@contextmanager
def guide_aws() -> Iterator[str]:
    """Run a local AWS that runs state machines, with the guide's job in a stack `guide`; yields its address."""
    with local_aws("tests.live.taught_runs") as address:
        switch_interpreter(address, on=True)
        client = client_of(address)
        topic = client("sns").create_topic(Name="findings")["TopicArn"]
        dashboard = {"DashboardName": "guide-dashboard", "DashboardBody": "{}"}
        deploy(
            client,
            "guide",
            {
                "JobResource": machine("guide", topic=topic, findings=(BY_DEBUGGER,)),
                "Dashboard": {"Type": "AWS::CloudWatch::Dashboard", "Properties": dashboard},
            },
        )
        yield address


def client_of(address: str) -> Client:
    """Return how to get a boto3 client of a local AWS."""
    session = boto3.Session("testing", "testing", region_name=REGION)
    return lambda service: session.client(service, endpoint_url=address)


def machine(stack: str, *, topic: str = "", findings: tuple[WatchedFinding, ...] = ()) -> dict[str, Any]:
    """Return a template's state machine for the guide, which may run on up to 8 nodes of two types.

    The definition is what is deployed, but waits no longer than a second.
    """
    guide = Workload.from_file(GUIDE)
    deployment = JobDeployment(
        job_name="guide",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/job",
        subnet_ids=("subnet-0123456789abcdef0",),
        security_group_ids=("sg-0123456789abcdef0",),
        file_system_id=FILE_SYSTEM,
        mount_name="abcdefgh",
        output_s3_uri="s3://bucket/guide",
        region=REGION,
    )
    shapes = job_shapes(
        guide,
        lambda workload: create_training_job_request(workload, deployment),
        max_nodes=8,
        instance_types=TYPES[1:],
    )
    states = job_states(
        shapes, watching=Watching(workload_name="guide", topic_arn=topic, findings=findings), partition="aws"
    )
    definition = hastened(states)
    definition["States"]["Wait"]["Seconds"] = 1
    return {
        "Type": "AWS::StepFunctions::StateMachine",
        "Properties": {
            "StateMachineName": f"{stack}-job",
            "DefinitionString": json.dumps(definition),
            "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/machine",
            # as CloudFormation tags it
            "Tags": [
                {"Key": "aws:cloudformation:stack-name", "Value": stack},
                {"Key": "aws:cloudformation:logical-id", "Value": "JobResource"},
            ],
        },
        "Metadata": {METADATA_KEY: DeployedJob(guide, shapes.counts, 3333.3, 3671.0).as_metadata()},
    }


def deploy(client: Client, stack: str, resources: Mapping[str, Any]) -> None:
    """Create a stack."""
    client("cloudformation").create_stack(StackName=stack, TemplateBody=json.dumps({"Resources": resources}))


def executions(client: Client, stack: str) -> list[str]:
    """Return the ARNs of the executions of a stack's job."""
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{stack}-job"
    listed = client("stepfunctions").list_executions(stateMachineArn=arn, maxResults=1000)["executions"]
    return [each["executionArn"] for each in listed]


def owners(client: Client) -> dict[str, str]:
    """Return the training jobs that there are, and the ARN of the execution that each belongs to."""
    jobs = client("sagemaker")
    names = [job["TrainingJobName"] for job in jobs.list_training_jobs(MaxResults=100)["TrainingJobSummaries"]]
    described = {name: jobs.describe_training_job(TrainingJobName=name) for name in names}
    return {name: job.get("Environment", {}).get(OWNER_VARIABLE, "") for name, job in described.items()}


def job_of(client: Client, execution: str) -> list[str]:
    """Return the names of the training jobs that belong to an execution."""
    return [name for name, owner in owners(client).items() if owner == execution]


def begun(*arguments: str | Path, variables: Mapping[str, str], **streams: Any) -> "subprocess.Popen[str]":
    """Start a live command and return its process, for tests that interrupt it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.Popen(
        [sys.executable, "-c", "from epochwise.cli import main; main()", *map(str, arguments)],
        text=True,
        cwd=ROOT,
        env=inherited | {"COLUMNS": "80"} | dict(variables),
        **pipes,
    )
