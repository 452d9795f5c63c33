import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise import Plan, Workload
from epochwise.cdk.job_state_machine import LONGEST_NAME, job_name_expression, job_states, wait_s
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.training.request import JobDeployment, create_training_job_request

POLICY = "AWS::IAM::Policy"


@pytest.fixture(scope="session")
def request_of_guide(guide: Workload) -> dict[str, Any]:
    return create_training_job_request(guide, JobDeployment.placeholders(guide))


@pytest.fixture(scope="session")
def states(request_of_guide: dict[str, Any]) -> dict[str, Any]:
    return dict(job_states(request_of_guide, workload_name="guide", partition="aws")["States"])


def build(stack: Stack, plan: Plan, workload: Workload | None = None, **arguments: Any) -> TrainingJob:
    network = TrainingNetwork(stack, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
    file_system = TrainingFileSystem(
        stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=plan.choice
    )
    return TrainingJob(
        stack, "Job", workload=workload or plan.workload, network=network, file_system=file_system, **arguments
    )


def statements(template: Template, sid: str) -> dict[str, dict[str, Any]]:
    """Return the statements of the policy that has one of that name, by name or number."""
    policies = [
        policy["Properties"]["PolicyDocument"]["Statement"] for policy in template.find_resources(POLICY).values()
    ]
    [found] = [policy for policy in policies if any(statement.get("Sid") == sid for statement in policy)]
    return {statement.get("Sid", str(number)): statement for number, statement in enumerate(found)}


def definition(template: Template) -> dict[str, Any]:
    """Return the state machine's definition, tokens written as their JSON."""
    [machine] = template.find_resources("AWS::StepFunctions::StateMachine").values()
    [_, parts] = machine["Properties"]["DefinitionString"]["Fn::Join"]
    text = "".join(part if isinstance(part, str) else "<token>" for part in parts)
    return dict(json.loads(text))


def test_f83_the_request_is_sent_whole(
    templates: dict[str, Template], request_of_guide: dict[str, Any], guide: Workload
) -> None:
    sent = definition(templates["training"])["States"]["CreateTrainingJob"]["Parameters"]
    assert set(sent) == (set(request_of_guide) - {"TrainingJobName"}) | {"TrainingJobName.$"}
    fixed = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition", "ProfilerRuleConfigurations")
    for key in fixed:
        assert sent[key] == request_of_guide[key]
    given = request_of_guide["HyperParameters"]
    assert set(sent["HyperParameters"]) == (set(given) - {"sagemaker_job_name"}) | {"sagemaker_job_name.$"}


def test_f69_the_channel_begins_with_the_mount_name(templates: dict[str, Template]) -> None:
    [channel] = definition(templates["training"])["States"]["CreateTrainingJob"]["Parameters"]["InputDataConfig"]
    source = channel["DataSource"]["FileSystemDataSource"]
    assert source["DirectoryPath"] == "/<token>"
    assert source["FileSystemAccessMode"] == "ro"


def test_the_job_is_named_by_its_execution(states: dict[str, Any]) -> None:
    parameters = states["CreateTrainingJob"]["Parameters"]
    name = job_name_expression("guide")
    assert parameters["TrainingJobName.$"] == name
    assert states["DescribeTrainingJob"]["Parameters"] == {"TrainingJobName.$": name}
    assert parameters["HyperParameters"]["sagemaker_job_name.$"] == (
        "States.Format('\"guide-{}\"', States.Hash($$.Execution.Id, 'MD5'))"
    )


def test_the_longest_workload_name_leaves_room_for_the_hash() -> None:
    [limit] = [each.max_length for each in Workload.model_fields["name"].metadata if hasattr(each, "max_length")]
    assert limit + len("-") + 32 <= LONGEST_NAME


def test_a_job_that_is_there_already_is_looked_at(states: dict[str, Any]) -> None:
    [caught] = states["CreateTrainingJob"]["Catch"]
    assert "SageMaker.ResourceInUseException" in caught["ErrorEquals"]
    assert caught["Next"] == states["CreateTrainingJob"]["Next"] == "Wait"


def test_throttling_is_tried_again_with_growing_pauses(states: dict[str, Any]) -> None:
    for name in ("CreateTrainingJob", "DescribeTrainingJob", "DescribeFailure"):
        [retry] = states[name]["Retry"]
        assert "SageMaker.ThrottlingException" in retry["ErrorEquals"]
        assert retry["BackoffRate"] > 1
        assert retry["MaxAttempts"] > 1


def test_each_end_of_a_job_is_an_end_of_the_execution(states: dict[str, Any]) -> None:
    choices = {choice["StringEquals"]: choice["Next"] for choice in states["HasEnded"]["Choices"]}
    assert choices == {"Completed": "Completed", "Failed": "DescribeFailure", "Stopped": "Stopped"}
    assert states["HasEnded"]["Default"] == "Wait"
    assert states["DescribeFailure"]["ResultSelector"]["Reason.$"] == "$.FailureReason"
    assert states["DescribeFailure"]["Next"] == "Failed"
    assert "$.Reason" in states["Failed"]["CausePath"]
    assert states["Completed"]["Type"] == "Succeed"


@pytest.mark.parametrize("runtime_s", [60, 86_400, 28 * 86_400])
def test_the_longest_run_fits_into_an_executions_history(runtime_s: int) -> None:
    pause = wait_s({"StoppingCondition": {"MaxRuntimeInSeconds": runtime_s}})
    assert pause >= 60
    assert runtime_s / pause * 9 < 25_000


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


def test_f78_the_job_may_do_exactly_what_it_needs(templates: dict[str, Template]) -> None:
    allowed = statements(templates["training"], "OwnArtifacts")
    actions = {sid: statement["Action"] for sid, statement in allowed.items()}
    assert {sid: [each] if isinstance(each, str) else sorted(each) for sid, each in actions.items()} == {
        "OwnArtifacts": ["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"],
        "ListOwnArtifacts": ["s3:ListBucket"],
        "ReadCode": ["s3:GetObject"],
        "ListCode": ["s3:ListBucket"],
        "LogInToEcr": ["ecr:GetAuthorizationToken"],
        "PullImage": ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
        "WriteLogs": ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"],
        "PutMetrics": ["cloudwatch:PutMetricData"],
        "CreateInterfaces": ["ec2:CreateNetworkInterface"],
        "UseInterfaces": [
            "ec2:CreateNetworkInterfacePermission",
            "ec2:DeleteNetworkInterface",
            "ec2:DeleteNetworkInterfacePermission",
        ],
        "DescribeNetwork": [
            "ec2:DescribeDhcpOptions",
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSubnets",
            "ec2:DescribeVpcs",
        ],
    }
    assert "repository/pytorch-training" in json.dumps(allowed["PullImage"]["Resource"])
    assert ":763104351884:" in json.dumps(allowed["PullImage"]["Resource"])
    assert json.dumps(allowed["ReadCode"]["Resource"]).endswith('example-training-code/guide/sourcedir.tar.gz"]]}')
    assert json.dumps(allowed["OwnArtifacts"]["Resource"]).endswith('"/guide/*"]]}')
    assert allowed["PutMetrics"]["Condition"] == {
        "StringEquals": {"cloudwatch:namespace": "/aws/sagemaker/TrainingJobs"}
    }
    unbounded = {sid for sid, statement in allowed.items() if statement["Resource"] == "*"}
    assert unbounded == {"LogInToEcr", "PutMetrics", "DescribeNetwork"}


def test_the_state_machine_passes_the_jobs_role_to_sagemaker_only(templates: dict[str, Template]) -> None:
    allowed = statements(templates["training"], "PassJobRole")
    assert allowed["PassJobRole"]["Action"] == "iam:PassRole"
    assert allowed["PassJobRole"]["Condition"] == {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
    assert "JobRole" in json.dumps(allowed["PassJobRole"]["Resource"])
    assert json.dumps(allowed["RunJobs"]["Resource"]).endswith(':training-job/guide-*"]]}')


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
