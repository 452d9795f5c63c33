"""The guide goes up and comes down again, with the real CDK CLI."""

import hashlib
import json
import re
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from tests.deploy.account import Client, permissions
from tests.deploy.conftest import ACCOUNT, REGION, Cdk
from tests.live.local_aws import epochwise_live


@pytest.fixture(scope="module")
def client(aws_environment: dict[str, str]) -> Client:
    """Return how to get a boto3 client of the local AWS."""
    session = boto3.Session("testing", "testing", region_name=REGION)
    return lambda service: session.client(service, endpoint_url=aws_environment["AWS_ENDPOINT_URL"])


@pytest.fixture(scope="module")
def deployed(cdk: Cdk, client: Client) -> dict[str, dict[str, str]]:
    """Deploy the guide, and return the physical ids of its resources by type and logical id."""
    cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}")
    # a change set of moto registers no exports
    cdk("deploy", "--all", "--require-approval", "never", "--method", "direct")
    resources: dict[str, dict[str, str]] = {}
    for stack in ("network", "storage", "training"):
        listed = client("cloudformation").list_stack_resources(StackName=f"epochwise-guide-{stack}")
        for each in listed["StackResourceSummaries"]:
            resources.setdefault(each["ResourceType"], {})[each["LogicalResourceId"]] = each["PhysicalResourceId"]
    return resources


def group(deployed: dict[str, dict[str, str]], part: str) -> str:
    """Return the id of the one security group whose logical id holds the part."""
    [found] = [each for name, each in deployed["AWS::EC2::SecurityGroup"].items() if part in name]
    return found


def test_the_vpc_has_one_wide_private_subnet_in_one_zone(deployed: dict[str, dict[str, str]], client: Client) -> None:
    [vpc] = deployed["AWS::EC2::VPC"].values()
    subnets = client("ec2").describe_subnets(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["Subnets"]
    assert sorted(subnet["CidrBlock"] for subnet in subnets) == ["10.0.0.0/18", "10.0.64.0/28"]
    assert len({subnet["AvailabilityZone"] for subnet in subnets}) == 1


def test_both_groups_have_exactly_their_rules(deployed: dict[str, dict[str, str]], client: Client) -> None:
    nodes, servers = group(deployed, "EfaSecurityGroup"), group(deployed, "FileSystemSecurityGroup")
    groups = {
        each["GroupId"]: each
        for each in client("ec2").describe_security_groups(GroupIds=[nodes, servers])["SecurityGroups"]
    }
    lustre = {(peer, "tcp", *ports) for peer in (nodes, servers) for ports in ((988, 988), (1018, 1023))}
    from_servers = {rule for rule in lustre if rule[0] == servers}
    itself = {(nodes, "-1", None, None)}
    assert permissions(groups[servers]["IpPermissions"]) == lustre
    assert permissions(groups[servers]["IpPermissionsEgress"]) == lustre
    assert permissions(groups[nodes]["IpPermissions"]) == itself | from_servers
    assert permissions(groups[nodes]["IpPermissionsEgress"]) == itself | from_servers | {("0.0.0.0/0", "tcp", 443, 443)}


def test_the_file_system_is_what_was_planned(deployed: dict[str, dict[str, str]], client: Client) -> None:
    from epochwise import Workload, plan
    from tests.deploy.conftest import ROOT

    choice = plan(Workload.from_file(ROOT / "workloads" / "guide.yaml")).choice
    assert choice is not None
    [file_system] = client("fsx").describe_file_systems()["FileSystems"]
    assert file_system["FileSystemType"] == "LUSTRE"
    assert file_system["StorageCapacity"] == choice.storage_capacity_gib
    assert file_system["LustreConfiguration"]["DeploymentType"] == choice.deployment_type
    assert file_system["LustreConfiguration"].get("PerUnitStorageThroughput") == choice.per_unit_storage_throughput


def test_what_is_deployed_can_be_launched(
    deployed: dict[str, dict[str, str]], client: Client, aws_environment: dict[str, str]
) -> None:
    [machine] = [arn for name, arn in deployed["AWS::StepFunctions::StateMachine"].items() if "Stopper" not in name]
    call = ("launch", "workloads/guide.yaml", "--stack", "epochwise-guide-training", "--json")
    started, again = (epochwise_live(*call, variables=aws_environment) for _ in range(2))
    assert started.returncode == 0, started.stderr
    document = json.loads(started.stdout)
    [execution] = client("stepfunctions").list_executions(stateMachineArn=machine)["executions"]
    assert execution["executionArn"] == document["execution_arn"]
    assert document["input"] == {}
    assert again.stdout == started.stdout


@pytest.fixture
def executing(aws_environment: dict[str, str]) -> Iterator[None]:
    """Switch on moto's interpreter of state machines; it keeps machines of its own."""
    for on in (True, False):
        body = json.dumps({"stepfunctions": {"execute_state_machine": on}}).encode()
        request = urllib.request.Request(
            f"{aws_environment['AWS_ENDPOINT_URL']}/moto-api/config", data=body, method="POST"
        )
        with urllib.request.urlopen(request, timeout=10):
            pass
        if on:
            yield


@pytest.fixture
def definition(deployed: dict[str, dict[str, str]], client: Client) -> dict[str, Any]:
    """Return what was deployed, with a shorter wait."""
    [arn] = [each for name, each in deployed["AWS::StepFunctions::StateMachine"].items() if "Stopper" not in name]
    machine = client("stepfunctions").describe_state_machine(stateMachineArn=arn)
    states = json.loads(machine["definition"])
    states["States"]["Wait"]["Seconds"] = 1
    return {"definition": json.dumps(states), "roleArn": machine["roleArn"]}


def run(client: Client, definition: dict[str, Any], name: str) -> dict[str, Any]:
    """Execute a state machine to its end."""
    steps = client("stepfunctions")
    arn = steps.create_state_machine(name=name, **definition)["stateMachineArn"]
    execution = steps.start_execution(stateMachineArn=arn, name="one")["executionArn"]
    deadline = time.monotonic() + 60
    while (ended := steps.describe_execution(executionArn=execution))["status"] == "RUNNING":
        assert time.monotonic() < deadline, "the execution does not end"
        time.sleep(0.2)
    steps.delete_state_machine(stateMachineArn=arn)
    return dict(ended)


def test_an_execution_runs_one_job_to_its_end(
    deployed: dict[str, dict[str, str]], definition: dict[str, Any], executing: None, client: Client
) -> None:
    ended = run(client, definition, "guide")

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    [job] = client("sagemaker").list_training_jobs()["TrainingJobSummaries"]
    described = client("sagemaker").describe_training_job(TrainingJobName=job["TrainingJobName"])
    assert re.fullmatch(r"guide-[0-9a-f]{32}", job["TrainingJobName"])
    assert json.loads(described["HyperParameters"]["sagemaker_job_name"]) == job["TrainingJobName"]
    assert described["VpcConfig"]["SecurityGroupIds"] == [group(deployed, "EfaSecurityGroup")]
    assert described["ResourceConfig"]["InstanceCount"] == 4
    assert described["RoleArn"] in {role["Arn"] for role in client("iam").list_roles()["Roles"]}


def test_an_execution_ends_with_the_jobs_own_reason(
    definition: dict[str, Any], executing: None, client: Client
) -> None:
    states = json.loads(definition["definition"])
    states["States"]["TakeDeclared"]["Result"]["HyperParameters"]["fails_with"] = "AlgorithmError: out of memory"
    ended = run(client, definition | {"definition": json.dumps(states)}, "failing")

    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobFailed")
    assert re.fullmatch(r"guide-[0-9a-f]{32}: AlgorithmError: out of memory", ended["cause"])


def test_a_job_that_an_earlier_try_created_is_taken_up(
    definition: dict[str, Any], executing: None, client: Client
) -> None:
    execution = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:again:one"
    name = f"guide-{hashlib.md5(execution.encode(), usedforsecurity=False).hexdigest()}"
    before = len(client("sagemaker").list_training_jobs()["TrainingJobSummaries"])
    client("sagemaker").create_training_job(
        TrainingJobName=name,
        RoleArn=definition["roleArn"],
        AlgorithmSpecification={"TrainingInputMode": "File", "TrainingImage": "image"},
        OutputDataConfig={"S3OutputPath": "s3://bucket/prefix"},
        ResourceConfig={"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4, "VolumeSizeInGB": 30},
        StoppingCondition={"MaxRuntimeInSeconds": 60},
        Environment={"EPOCHWISE_EXECUTION": execution},
    )
    ended = run(client, definition, "again")

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert len(client("sagemaker").list_training_jobs()["TrainingJobSummaries"]) == before + 1


def test_destroy_leaves_only_what_is_meant_to_stay(
    deployed: dict[str, dict[str, str]], cdk: Cdk, client: Client
) -> None:
    [vpc] = deployed["AWS::EC2::VPC"].values()
    cdk("destroy", "--all", "--force")

    ec2 = client("ec2")
    assert vpc not in {each["VpcId"] for each in ec2.describe_vpcs()["Vpcs"]}
    left = {each["GroupId"] for each in ec2.describe_security_groups()["SecurityGroups"]}
    assert not left & set(deployed["AWS::EC2::SecurityGroup"].values())
    assert not client("fsx").describe_file_systems()["FileSystems"]
    assert not client("stepfunctions").list_state_machines()["stateMachines"]
    roles = {role["RoleName"] for role in client("iam").list_roles()["Roles"]}
    assert not roles & set(deployed["AWS::IAM::Role"].values())
    buckets = {bucket["Name"] for bucket in client("s3").list_buckets()["Buckets"]}
    assert set(deployed["AWS::S3::Bucket"].values()) <= buckets
