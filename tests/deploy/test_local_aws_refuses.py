"""The local AWS can fail: its CloudFormation, its FSx and its SageMaker say no, and nothing half done is left."""

import json
from functools import partial
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from tests.deploy.account import Client
from tests.deploy.conftest import REGION
from tests.deploy.shapes import PERSISTENT, SCRATCH, but

LINK = {"FileSystemId": {"Ref": "FileSystem"}, "FileSystemPath": "/", "DataRepositoryPath": "s3://bucket/"}


@pytest.fixture(scope="module")
def client(aws_environment: dict[str, str]) -> Client:
    """Return how to get a boto3 client of the local AWS that sends whatever it is given."""
    session = boto3.Session("testing", "testing", region_name=REGION)
    sent = Config(parameter_validation=False)
    return partial(session.client, endpoint_url=aws_environment["AWS_ENDPOINT_URL"], config=sent)


@pytest.fixture(scope="module")
def place(client: Client) -> dict[str, Any]:
    """Return a subnet, and a group whose members reach each other, as properties of a file system."""
    ec2 = client("ec2")
    subnet = ec2.describe_subnets()["Subnets"][0]
    group = ec2.create_security_group(GroupName="servers", Description="servers", VpcId=subnet["VpcId"])["GroupId"]
    itself = [{"IpProtocol": "tcp", "FromPort": 988, "ToPort": 988, "UserIdGroupPairs": [{"GroupId": group}]}]
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=itself)
    return {"SubnetIds": [subnet["SubnetId"]], "SecurityGroupIds": [group]}


def template(file_system: dict[str, Any], **links: dict[str, Any]) -> str:
    """Return a template of one file system and its links."""
    resources = {"FileSystem": {"Type": "AWS::FSx::FileSystem", "Properties": file_system}} | {
        name: {"Type": "AWS::FSx::DataRepositoryAssociation", "Properties": link} for name, link in links.items()
    }
    return json.dumps({"Resources": resources})


def outcome(client: Client, name: str) -> tuple[str, str]:
    """Return a stack's status, and every reason that its events give."""
    stacks = client("cloudformation")
    [stack] = stacks.describe_stacks(StackName=name)["Stacks"]
    events = stacks.describe_stack_events(StackName=name)["StackEvents"]
    return stack["StackStatus"], " ".join(each.get("ResourceStatusReason", "") for each in events)


def there(client: Client) -> list[int]:
    """Return the storage capacity of all file systems."""
    return [each["StorageCapacity"] for each in client("fsx").describe_file_systems()["FileSystems"]]


@pytest.mark.parametrize(
    ("name", "change", "links", "reason"),
    [
        ("step", {"StorageCapacity": 3600}, {}, "multiple of 2400"),
        ("quota", {"StorageCapacity": 103_200}, {}, "exceed the account's 100800"),
        ("lnet", {"SecurityGroupIds": []}, {}, "LNET traffic on port 988"),
        ("overlap", {}, {"One": LINK, "Two": LINK | {"FileSystemPath": "/two"}}, "overlaps another"),
        ("unlinked", {}, {"One": LINK | {"FileSystemId": "fs-0"}}, "no file system fs-0"),
    ],
)
def test_a_stack_that_is_refused_leaves_nothing(
    client: Client, place: dict[str, Any], name: str, change: Any, links: Any, reason: str
) -> None:
    body = template(but(SCRATCH, **(place | change)), **links)
    client("cloudformation").create_stack(StackName=name, TemplateBody=body)

    status, reasons = outcome(client, name)
    assert status == "ROLLBACK_COMPLETE"
    assert reason in reasons
    assert there(client) == []
    assert client("fsx").describe_data_repository_associations()["Associations"] == []


def test_an_update_that_is_refused_changes_nothing(client: Client, place: dict[str, Any]) -> None:
    stacks, old = client("cloudformation"), but(PERSISTENT, **place)
    stacks.create_stack(StackName="grows", TemplateBody=template(old, Link=LINK))
    assert there(client) == [4800]
    for capacity, status, left in (
        (3600, "UPDATE_ROLLBACK_COMPLETE", 4800),
        (7200, "UPDATE_COMPLETE", 7200),
        (9600, "UPDATE_ROLLBACK_COMPLETE", 7200),
        # the same again is refused again: what was refused is not taken for what is there
        (9600, "UPDATE_ROLLBACK_COMPLETE", 7200),
    ):
        stacks.update_stack(StackName="grows", TemplateBody=template(but(old, StorageCapacity=capacity), Link=LINK))
        assert (outcome(client, "grows")[0], there(client)) == (status, [left])
    assert "6 h" in outcome(client, "grows")[1]

    stacks.delete_stack(StackName="grows")
    assert there(client) == []
    assert client("fsx").describe_data_repository_associations()["Associations"] == []


@pytest.mark.parametrize("policy", ["Retain", "Delete"])
def test_a_replaced_file_system_goes_unless_it_is_retained(client: Client, place: dict[str, Any], policy: str) -> None:
    stacks, name = client("cloudformation"), f"replaced-{policy.lower()}"
    subnets = [each["SubnetId"] for each in client("ec2").describe_subnets()["Subnets"]]
    for subnet in (place["SubnetIds"], [subnets[1]]):
        body = json.loads(template(but(SCRATCH, **(place | {"SubnetIds": subnet}))))
        body["Resources"]["FileSystem"]["UpdateReplacePolicy"] = policy
        call = stacks.create_stack if subnet == place["SubnetIds"] else stacks.update_stack
        call(StackName=name, TemplateBody=json.dumps(body))
    assert there(client) == [2400] * (2 if policy == "Retain" else 1)

    stacks.delete_stack(StackName=name)
    for left in client("fsx").describe_file_systems()["FileSystems"]:
        client("fsx").delete_file_system(FileSystemId=left["FileSystemId"])


def test_a_group_that_another_names_is_not_deleted(client: Client, place: dict[str, Any]) -> None:
    [named] = place["SecurityGroupIds"]
    ec2 = client("ec2")
    other = ec2.create_security_group(GroupName="nodes", Description="nodes")["GroupId"]
    rule = [{"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": named}]}]
    ec2.authorize_security_group_ingress(GroupId=other, IpPermissions=rule)
    with pytest.raises(ClientError, match="has a dependent object"):
        ec2.delete_security_group(GroupId=named)
    ec2.revoke_security_group_ingress(GroupId=other, IpPermissions=rule)
    ec2.delete_security_group(GroupId=named)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": "4", "VolumeSizeInGB": 30}},
            "InstanceCount",
        ),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 0}}, "MaxRuntimeInSeconds"),
        ({"RoleArn": None}, "RoleArn"),
    ],
)
def test_a_training_job_of_another_shape_is_refused(client: Client, change: dict[str, Any], reason: str) -> None:
    request = {
        "TrainingJobName": "job",
        "RoleArn": "arn:aws:iam::123456789012:role/job",
        "AlgorithmSpecification": {"TrainingInputMode": "File", "TrainingImage": "image"},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/prefix"},
        "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 60},
    }
    asked = {name: value for name, value in (request | change).items() if value is not None}
    with pytest.raises(ClientError, match=reason):
        client("sagemaker").create_training_job(**asked)
    assert client("sagemaker").list_training_jobs()["TrainingJobSummaries"] == []
