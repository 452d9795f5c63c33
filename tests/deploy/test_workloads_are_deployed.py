"""Every declared workload goes up, changes and comes down with the real CDK CLI; what persists is still there."""

import json
import time
from functools import partial
from typing import Any

import boto3
import pytest

from tests.deploy.account import Account, Client, look
from tests.deploy.conftest import REGION, Cdk
from tests.deploy.every_workload import ASSETS, NAMES, PARTS, STATE_MACHINE, Apps, machine, stack, write_files
from tests.deploy.job_machine import start, switch_interpreter

LAST = "guide"
"""What is destroyed after all others."""
FILE_SYSTEM, LINK = "AWS::FSx::FileSystem", "AWS::FSx::DataRepositoryAssociation"
GROUP, VPC, BUCKET, KEY = "AWS::EC2::SecurityGroup", "AWS::EC2::VPC", "AWS::S3::Bucket", "AWS::KMS::Key"
OWN = {
    *(FILE_SYSTEM, LINK, GROUP, VPC, STATE_MACHINE, BUCKET, KEY),
    *("AWS::EC2::Subnet", "AWS::IAM::Role", "AWS::Logs::LogGroup"),
}
"""What no workload shares with another, and no change replaces."""


@pytest.fixture(scope="module")
def client(aws_environment: dict[str, str]) -> Client:
    """Return how to get a boto3 client of the local AWS, where state machines are kept and not run."""
    session = boto3.Session("testing", "testing", region_name=REGION)
    return partial(session.client, endpoint_url=aws_environment["AWS_ENDPOINT_URL"])


@pytest.fixture(scope="module")
def apps(cdk: Cdk, client: Client, tmp_path_factory: pytest.TempPathFactory) -> Apps:
    """Write the files of all workloads, and make the bucket of their assets."""
    client("s3").create_bucket(Bucket=ASSETS)
    folder = tmp_path_factory.mktemp("workloads")
    write_files(folder)
    return Apps(cdk, folder)


@pytest.fixture(scope="module")
def deployed(apps: Apps, client: Client) -> Account:
    """Deploy every workload."""
    apps.deploy("before")
    return look(client)


@pytest.fixture(scope="module")
def assembly(apps: Apps, deployed: Account) -> str:
    """Deploy every workload as it was changed."""
    return apps.deploy("after")


@pytest.fixture(scope="module")
def changed(assembly: str, client: Client) -> Account:
    """Look at what the change has made."""
    return look(client)


@pytest.fixture(scope="module")
def requests(changed: Account, client: Client, aws_environment: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Run every state machine as it is deployed until it has made its job; returns each workload's job."""
    steps = client("stepfunctions")
    machines = [steps.describe_state_machine(stateMachineArn=machine(changed, name)) for name in NAMES]
    endpoint = aws_environment["AWS_ENDPOINT_URL"]
    switch_interpreter(endpoint, on=True)
    executions = []
    for each in machines:
        # not hastened: the job is what is looked at, and not how the machine goes on
        made = steps.create_state_machine(**{key: each[key] for key in ("name", "definition", "roleArn")})
        executions.append(start(client, made["stateMachineArn"]))
    sagemaker, deadline = client("sagemaker"), time.monotonic() + 60
    while len(found := sagemaker.list_training_jobs()["TrainingJobSummaries"]) < len(NAMES):
        ended = [steps.describe_execution(executionArn=each) for each in executions]
        assert not [(each["error"], each["cause"]) for each in ended if each["status"] == "FAILED"]
        assert time.monotonic() < deadline, "jobs are missing"
        time.sleep(0.3)
    for execution in executions:
        steps.stop_execution(executionArn=execution)
    switch_interpreter(endpoint, on=False)
    described = [sagemaker.describe_training_job(TrainingJobName=job["TrainingJobName"]) for job in found]
    return {each["TrainingJobName"].rpartition("-")[0]: each for each in described}


@pytest.fixture(scope="module")
def others_destroyed(apps: Apps, assembly: str, changed: Account, requests: object, client: Client) -> Account:
    """Destroy of all workloads but one what AWS lets go at once: not the networks that file systems are left in."""
    apps.destroy(assembly, [name for name in NAMES if name != LAST])
    return look(client)


@pytest.fixture(scope="module")
def destroyed(apps: Apps, assembly: str, others_destroyed: Account, client: Client) -> Account:
    """Destroy the last one."""
    apps.destroy(assembly, [LAST])
    return look(client)


@pytest.mark.parametrize("name", NAMES)
def test_a_workload_becomes_the_file_system_of_its_plan_linked_to_its_data(
    name: str, apps: Apps, deployed: Account
) -> None:
    choice, storage = apps.choice(name, "before"), stack(name, "storage")
    there = deployed.file_systems[deployed.id(storage, FILE_SYSTEM)]

    assert there["StorageCapacity"] == choice.storage_capacity_gib
    assert there["LustreConfiguration"]["DeploymentType"] == choice.deployment_type
    assert there["LustreConfiguration"].get("PerUnitStorageThroughput") == choice.per_unit_storage_throughput
    link = deployed.links[deployed.id(storage, LINK)]
    source = apps.workload(name, "before").dataset.source
    assert source is not None
    assert (link["FileSystemId"], link["DataRepositoryPath"]) == (there["FileSystemId"], str(source))


@pytest.mark.parametrize("name", NAMES)
def test_a_change_grows_the_file_system_in_its_place(
    name: str, apps: Apps, deployed: Account, changed: Account
) -> None:
    grown = apps.choice(name, "after").storage_capacity_gib
    file_system = deployed.id(stack(name, "storage"), FILE_SYSTEM)
    before, after = deployed.file_systems[file_system], changed.file_systems[file_system]

    assert grown is not None
    assert grown > before["StorageCapacity"]
    assert after == before | {"StorageCapacity": grown}
    for part in PARTS:
        kept = [
            {
                (each["LogicalResourceId"], each["PhysicalResourceId"])
                for each in account.resources[stack(name, part)]
                if each["ResourceType"] in OWN
            }
            for account in (deployed, changed)
        ]
        # a first rule that CloudWatch decides brings its function
        assert kept[0] <= kept[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_changed_machine_makes_a_job_that_aws_describes_so(
    name: str, apps: Apps, changed: Account, requests: dict[str, dict[str, Any]]
) -> None:
    cluster, job = apps.workload(name, "before").cluster, requests[name]

    assert job["ResourceConfig"]["InstanceCount"] == cluster.nodes + 1
    assert job["ResourceConfig"]["InstanceType"] == cluster.instance_type
    file_system = changed.id(stack(name, "storage"), FILE_SYSTEM)
    read = {each["DataSource"]["FileSystemDataSource"]["FileSystemId"] for each in job["InputDataConfig"]}
    assert read == {file_system}
    [subnet] = job["VpcConfig"]["Subnets"]
    assert [subnet] == changed.file_systems[file_system]["SubnetIds"]
    assert set(job["VpcConfig"]["SecurityGroupIds"]) <= set(changed.ids(stack(name, "network"), GROUP))


@pytest.mark.parametrize("name", NAMES)
def test_the_changed_machine_watches_one_more_rule(name: str, apps: Apps, deployed: Account, changed: Account) -> None:
    before, after = (set(apps.workload(name, version).watch.rules) for version in ("before", "after"))
    [rule] = after - before
    assert isinstance(rule, str)
    texts = [json.dumps(account.templates[stack(name, "training")]) for account in (deployed, changed)]
    assert (rule in texts[0], rule in texts[1]) == (False, True)


def test_workloads_in_one_account_share_nothing(deployed: Account) -> None:
    ids = [
        each["PhysicalResourceId"]
        for name in NAMES
        for part in PARTS
        for each in deployed.resources[stack(name, part)]
        if each["ResourceType"] in OWN
    ]
    assert len(ids) == len(set(ids)) > len(NAMES) * len(PARTS)
    # each job comes with the machine that stops it when its execution is aborted
    assert len(deployed.state_machines) == 2 * len(NAMES)


def test_destroying_others_leaves_a_workload_alone(changed: Account, others_destroyed: Account) -> None:
    assert others_destroyed.state_machines == set(changed.ids(stack(LAST, "training"), STATE_MACHINE))
    for part in PARTS:
        name = stack(LAST, part)
        assert others_destroyed.templates[name] == changed.templates[name]
        assert others_destroyed.resources[name] == changed.resources[name]
        for group in changed.ids(name, GROUP):
            assert others_destroyed.groups[group] == changed.groups[group]
    file_system = changed.id(stack(LAST, "storage"), FILE_SYSTEM)
    assert others_destroyed.file_systems[file_system] == changed.file_systems[file_system]


@pytest.mark.parametrize("name", NAMES)
def test_destroy_leaves_what_persists_and_nothing_else_of_it(
    name: str, apps: Apps, changed: Account, destroyed: Account, client: Client
) -> None:
    storage, training = stack(name, "storage"), stack(name, "training")
    file_system = changed.id(storage, FILE_SYSTEM)

    assert not {storage, training} & destroyed.resources.keys()
    assert machine(changed, name) not in destroyed.state_machines
    kept = apps.persists(name)
    assert (stack(name, "network") in destroyed.resources) == kept
    assert (changed.id(stack(name, "network"), VPC) in destroyed.vpcs) == kept
    assert destroyed.file_systems.get(file_system) == (changed.file_systems[file_system] if kept else None)
    link = changed.id(storage, LINK)
    assert destroyed.links.get(link) == (changed.links[link] if kept else None)
    for group in (changed.id(storage, GROUP), *changed.ids(stack(name, "network"), GROUP)):
        assert destroyed.groups.get(group) == (changed.groups[group] if kept else None)
    buckets = {each["Name"] for each in client("s3").list_buckets()["Buckets"]}
    assert set(changed.ids(training, BUCKET)) <= buckets
    keys = {each["KeyId"] for each in client("kms").list_keys()["Keys"]}
    assert set(changed.ids(training, KEY)) <= keys
    roles = {role["RoleName"] for page in _roles(client) for role in page["Roles"]}
    assert not roles & set(changed.ids(training, "AWS::IAM::Role"))


def _roles(client: Client) -> Any:
    return client("iam").get_paginator("list_roles").paginate()


def test_a_network_that_a_file_system_is_left_in_stays(apps: Apps, destroyed: Account, client: Client) -> None:
    left = stack(next(name for name in NAMES if apps.persists(name)), "network")
    client("cloudformation").delete_stack(StackName=left)

    [there] = client("cloudformation").describe_stacks(StackName=left)["Stacks"]
    assert there["StackStatus"] == "DELETE_FAILED"
    events = client("cloudformation").describe_stack_events(StackName=left)["StackEvents"]
    reasons = [each.get("ResourceStatusReason", "") for each in events]
    assert any("depend" in each for each in reasons), reasons
