"""What people ran into with roles and with starting a job, each row of the field reports by its number."""

import json
from pathlib import Path
from typing import Any

import pytest

from epochwise import Workload, plan

ROOT = Path(__file__).parents[2]
CONTEXT = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]


def synthesized(**changes: Any) -> dict[str, Any]:
    """Return the resources of one stack that holds the guide's network, file system and job, by logical id."""
    from aws_cdk import App, Stack
    from aws_cdk.assertions import Template

    from epochwise.cdk.training_file_system import TrainingFileSystem
    from epochwise.cdk.training_job import TrainingJob
    from epochwise.cdk.training_network import TrainingNetwork

    guide = Workload.from_file(ROOT / "workloads" / "guide.yaml")
    document = json.loads(guide.model_dump_json(exclude_unset=True))
    laid_out: dict[str, Any] = changes.pop("network", {})
    document["training"] |= changes.pop("training", {})
    workload = Workload.model_validate(document | changes)
    stack = Stack(App(context=CONTEXT), "test")
    network = TrainingNetwork(stack, "Network", nodes=4, instance_type=workload.cluster.instance_type, **laid_out)
    file_system = TrainingFileSystem(
        stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=plan(workload).choice
    )
    TrainingJob(
        stack,
        "Job",
        workload=workload,
        network=network,
        file_system=file_system,
        stop_on=workload.watch.names[:1],
    )
    return dict(Template.from_stack(stack).to_json()["Resources"])


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    return synthesized(watch={"rules": ["LowGpuUtilization", "LoadBalancing"], "using": ["debugger", "cloudwatch"]})


def states_of(resources: dict[str, Any]) -> dict[str, Any]:
    """Return the states of the machine that runs the job."""
    [machine] = [
        each
        for name, each in resources.items()
        if each["Type"] == "AWS::StepFunctions::StateMachine" and "Stopper" not in name
    ]
    [_, parts] = machine["Properties"]["DefinitionString"]["Fn::Join"]
    text = "".join(part if isinstance(part, str) else "<token>" for part in parts)
    return dict(json.loads(text)["States"])


def statements_of(resources: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return every statement that has a name, by that name."""
    return {
        statement["Sid"]: statement
        for each in resources.values()
        if each["Type"] == "AWS::IAM::Policy"
        for statement in each["Properties"]["PolicyDocument"]["Statement"]
        if "Sid" in statement
    }


def test_f78_the_jobs_role_may_describe_the_file_system_it_reads_and_no_other(resources: dict[str, Any]) -> None:
    statement = statements_of(resources)["DescribeFileSystem"]
    assert statement["Action"] == "fsx:DescribeFileSystems"
    text = json.dumps(statement["Resource"])
    assert ":file-system/" in text
    assert "FileSystem8A8E25C0" in text


def test_f80_the_keys_of_output_and_volumes_may_be_used_by_the_job_and_granted_by_its_creator() -> None:
    key = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
    resources = synthesized(
        training={"output_kms_key": key, "volume_kms_key": key, "distribution": "torchrun"},
        cluster={"instance_type": "ml.c5.18xlarge", "nodes": 4},
        watch={},
    )
    rights = [
        (policy["Properties"]["Roles"][0]["Ref"], statement["Sid"])
        for policy in resources.values()
        if policy["Type"] == "AWS::IAM::Policy"
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement.get("Resource") == key
    ]
    assert sorted(sid for _, sid in rights) == ["EncryptOutput", "EncryptVolumes", "EncryptVolumes"]
    assert len({role for role, sid in rights if sid == "EncryptVolumes"}) == 2
    sent = states_of(resources)["CreateTrainingJob"]["Parameters"]
    assert sent["OutputDataConfig"]["KmsKeyId"] == key


def test_f81_the_state_machine_sends_a_job_that_reads_from_the_file_system_alone(resources: dict[str, Any]) -> None:
    [channel] = states_of(resources)["CreateTrainingJob"]["Parameters"]["InputDataConfig"]
    assert set(channel["DataSource"]) == {"FileSystemDataSource"}
    assert "ReadChannels" not in statements_of(resources)


def test_f83_a_state_machine_starts_the_job_since_the_schemas_at_hand_have_no_such_type(
    resources: dict[str, Any],
) -> None:
    from aws_cdk import aws_sagemaker
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    assert not hasattr(aws_sagemaker, "CfnTrainingJob")
    assert "AWS::SageMaker::TrainingJob" not in PROVIDER_SCHEMA_MANAGER.get_resource_types(region="us-east-1")
    assert "AWS::SageMaker::TrainingJob" not in {each["Type"] for each in resources.values()}
    create = states_of(resources)["CreateTrainingJob"]
    assert create["Resource"] == "arn:<token>:states:::aws-sdk:sagemaker:createTrainingJob"


def test_f84_the_job_is_placed_into_the_private_subnet_and_its_role_may_do_that(resources: dict[str, Any]) -> None:
    statements = statements_of(resources)
    assert statements["CreateInterfaces"]["Action"] == "ec2:CreateNetworkInterface"
    places = json.dumps(statements["CreateInterfaces"]["Resource"])
    assert ":subnet/" in places
    assert ":security-group/" in places
    assert "ec2:DeleteNetworkInterface" in statements["UseInterfaces"]["Action"]
    assert "ec2:DescribeVpcs" in statements["DescribeNetwork"]["Action"]
    network = states_of(resources)["CreateTrainingJob"]["Parameters"]["VpcConfig"]
    assert [len(network[key]) for key in ("Subnets", "SecurityGroupIds")] == [1, 1]


def test_f86_a_job_without_a_way_out_asks_for_the_regional_address_of_sts() -> None:
    closed = synthesized(network={"nat_gateways": 0}, watch={})
    shared = states_of(closed)["TakeDeclared"]["Result"]
    assert shared["Environment"]["AWS_STS_REGIONAL_ENDPOINTS"] == "regional"
    services = json.dumps([each for each in closed.values() if each["Type"] == "AWS::EC2::VPCEndpoint"])
    assert ".sts" in services
    assert ".logs" in services


def test_f90_nothing_runs_before_its_role_may_do_what_it_needs(resources: dict[str, Any]) -> None:
    policies = {
        policy["Properties"]["Roles"][0]["Ref"]: name
        for name, policy in resources.items()
        if policy["Type"] == "AWS::IAM::Policy"
    }
    runners = {"AWS::StepFunctions::StateMachine": "RoleArn", "AWS::Lambda::Function": "Role"}
    checked = 0
    for name, each in resources.items():
        if each["Type"] in runners and name.startswith("Job"):
            [role, _] = each["Properties"][runners[each["Type"]]]["Fn::GetAtt"]
            assert policies[role] in each["DependsOn"]
            checked += 1
    assert checked == 3


def test_g98_findings_go_to_a_topic_and_stop_the_job_without_debuggers_built_in_actions(
    resources: dict[str, Any],
) -> None:
    states = states_of(resources)
    assert "action_json" not in json.dumps(states)
    assert states["TellFinding"]["Resource"].endswith(":sns:publish")
    assert "StopOnLowGpuUtilization" in states
    assert "StopOnLoadBalancing" not in states
    assert states["StopTrainingJob"]["Resource"].endswith(":sagemaker:stopTrainingJob")


def test_g102_the_state_machine_sends_the_efa_variables_that_older_images_leave_out() -> None:
    resources = synthesized(
        cluster={"instance_type": "ml.p5en.48xlarge", "nodes": 4},
        training={"distribution": "torchrun"},
        watch={},
    )
    states = states_of(resources)
    by_shape = {
        rule["StringEquals"]: states[choice["Next"]]["Result"]["Environment"]
        for choice in states["ChooseShape"]["Choices"]
        for rule in choice["Or"]
    }
    assert by_shape["4 ml.p5en.48xlarge"] == {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}
    assert by_shape["1 ml.p5en.48xlarge"] == {}


def test_f70_the_nodes_of_a_job_are_let_into_its_file_system_whoever_forgot_to(resources: dict[str, Any]) -> None:
    """A job in the same VPC could not mount: no rule let it in. Routes and groups of others are for a live check."""
    rules = {
        (kind, "Nodes" if "EfaSecurityGroup" in str(rule["GroupId"]) else "Servers", rule["FromPort"], rule["ToPort"])
        for kind, rule in ((each["Type"].rpartition("::")[2], each["Properties"]) for each in resources.values())
        if "Lustre" in rule.get("Description", "") and "clients" in rule["Description"]
    }
    assert rules == {
        (f"SecurityGroup{way}", side, *ports)
        for way in ("Ingress", "Egress")
        for side in ("Nodes", "Servers")
        for ports in ((988, 988), (1018, 1023))
    }
