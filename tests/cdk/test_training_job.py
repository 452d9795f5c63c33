import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise import Plan, Workload
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.training.request import JobDeployment, create_training_job_request

POLICY = "AWS::IAM::Policy"


@pytest.fixture(scope="session")
def request_of_guide(guide: Workload) -> dict[str, Any]:
    return create_training_job_request(guide, JobDeployment.placeholders(guide))


def build(stack: Stack, plan: Plan, workload: Workload | None = None, **arguments: Any) -> TrainingJob:
    network = TrainingNetwork(stack, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
    file_system = TrainingFileSystem(
        stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=plan.choice
    )
    return TrainingJob(
        stack, "Job", workload=workload or plan.workload, network=network, file_system=file_system, **arguments
    )


def definition(template: Template) -> dict[str, Any]:
    """Return the state machine's definition, tokens written as their JSON."""
    [machine] = [
        each
        for name, each in template.find_resources("AWS::StepFunctions::StateMachine").items()
        if "Stopper" not in name
    ]
    [_, parts] = machine["Properties"]["DefinitionString"]["Fn::Join"]
    text = "".join(part if isinstance(part, str) else "<token>" for part in parts)
    return dict(json.loads(text))


def test_f83_the_request_is_sent_whole(
    templates: dict[str, Template], request_of_guide: dict[str, Any], guide: Workload
) -> None:
    states = definition(templates["training"])["States"]
    sent = states["CreateTrainingJob"]["Parameters"]
    assert {key.removesuffix(".$") for key in sent} == set(request_of_guide)
    for key in ("StoppingCondition", "ProfilerRuleConfigurations", "Tags"):
        assert sent[key] == request_of_guide[key]
    shared, of_shape = (states[state]["Result"]["HyperParameters"] for state in ("TakeDeclared", "TakeShapes1"))
    given = request_of_guide["HyperParameters"]
    assert {*shared, *of_shape} == set(given) - {"sagemaker_job_name"}


def test_f69_the_channel_begins_with_the_mount_name(templates: dict[str, Template]) -> None:
    [channel] = definition(templates["training"])["States"]["CreateTrainingJob"]["Parameters"]["InputDataConfig"]
    source = channel["DataSource"]["FileSystemDataSource"]
    assert source["DirectoryPath"] == "/<token>"
    assert source["FileSystemAccessMode"] == "ro"


def test_the_state_machine_logs_all_encrypted_and_traced(templates: dict[str, Template]) -> None:
    training = templates["training"]
    training.has_resource_properties(
        "AWS::StepFunctions::StateMachine",
        {
            "LoggingConfiguration": {"Level": "ALL", "IncludeExecutionData": True},
            "TracingConfiguration": {"Enabled": True},
        },
    )
    training.has_resource_properties(
        "AWS::Logs::LogGroup",
        {"KmsKeyId": Match.any_value(), "LogGroupName": Match.string_like_regexp("^/aws/vendedlogs/states/")},
    )
    training.has_resource_properties("AWS::KMS::Key", {"EnableKeyRotation": True})


def test_buckets_are_private_encrypted_versioned_logged_and_retained(templates: dict[str, Template]) -> None:
    training = templates["training"]
    training.resource_count_is("AWS::S3::Bucket", 2)
    training.all_resources(
        "AWS::S3::Bucket",
        {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain", "Properties": Match.any_value()},
    )
    training.all_resources_properties(
        "AWS::S3::Bucket",
        {
            "BucketEncryption": Match.any_value(),
            "VersioningConfiguration": {"Status": "Enabled"},
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
        },
    )
    training.resource_properties_count_is("AWS::S3::Bucket", {"LoggingConfiguration": Match.any_value()}, 1)
    training.all_resources_properties(
        "AWS::S3::BucketPolicy",
        {
            "PolicyDocument": {
                "Statement": Match.array_with(
                    [Match.object_like({"Effect": "Deny", "Condition": {"Bool": {"aws:SecureTransport": "false"}}})]
                )
            }
        },
    )


def test_sagemaker_assumes_the_jobs_role_for_this_account_only(templates: dict[str, Template]) -> None:
    templates["training"].has_resource_properties(
        "AWS::IAM::Role",
        {
            "AssumeRolePolicyDocument": {
                "Statement": [
                    {
                        "Action": "sts:AssumeRole",
                        "Effect": "Allow",
                        "Principal": {"Service": "sagemaker.amazonaws.com"},
                        "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}},
                    }
                ]
            }
        },
    )


def test_others_can_be_let_to_start_it(stack: Stack, guide_plan: Plan) -> None:
    user = iam.Role(stack, "Starter", assumed_by=iam.AccountRootPrincipal())
    build(stack, guide_plan).grant_start(user)
    assert "states:StartExecution" in json.dumps(Template.from_stack(stack).find_resources(POLICY))


def test_f80_a_bucket_with_a_key_brings_the_rights_to_it(stack: Stack, guide_plan: Plan) -> None:
    key = kms.Key(stack, "Key")
    bucket = s3.Bucket(stack, "Given", encryption_key=key)
    build(stack, guide_plan, artifacts_bucket=bucket, encryption_key=kms.Key(stack, "LogKey"))
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::S3::Bucket", 1)
    template.resource_count_is("AWS::KMS::Key", 2)
    assert "kms:GenerateDataKey*" in json.dumps(template.find_resources(POLICY))


def test_errors_of_the_training_section_are_refused_before_anything_is_built(
    stack: Stack, guide_plan: Plan, guide: Workload
) -> None:
    training = guide.training
    assert training is not None
    cluster = guide.cluster.model_copy(update={"instance_type": "ml.g5.xlarge"})
    broken = guide.model_copy(update={"cluster": cluster})
    with pytest.raises(ValueError, match="SMDDP"):
        build(stack, guide_plan, broken)
    assert stack.node.try_find_child("Job") is None


@pytest.mark.parametrize("change", [{"training": None}, {"training": None, "platform": "ec2"}])
def test_a_workload_without_a_job_is_refused(
    stack: Stack, guide_plan: Plan, guide: Workload, change: dict[str, Any]
) -> None:
    cluster = guide.cluster.model_copy(update={"platform": change.get("platform", "sagemaker")})
    without = guide.model_copy(update={"training": None, "cluster": cluster})
    with pytest.raises(ValueError, match="training"):
        build(stack, guide_plan, without)


def test_warnings_of_the_training_section_are_annotated(stack: Stack, guide_plan: Plan) -> None:
    build(stack, guide_plan)
    Annotations.from_stack(stack).has_warning("/test/Job", Match.string_like_regexp("DEBUGGER_CLOSED"))


def test_a_folder_that_does_not_begin_at_the_root_is_refused_before_anything_is_made(
    stack: Stack, guide_plan: Plan
) -> None:
    told = r"file_system_path must begin with /, .* got 'data' .*; nearest legal: /data \[FILE_SYSTEM_PATH_INVALID\]"
    with pytest.raises(ValueError, match=told):
        build(stack, guide_plan, file_system_path="data")
    assert stack.node.try_find_child("Job") is None
