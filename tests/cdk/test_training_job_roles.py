"""Every role around a job, with exactly what it may do."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template

from epochwise import Workload, plan
from epochwise.cdk.job_roles import request_statements
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork

LOG_DELIVERY = {
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
    "xray:GetSamplingRules",
    "xray:GetSamplingTargets",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
}
"""What CDK gives a state machine that logs and is traced."""
AGNOSTIC = ":<AWS::Region>:<AWS::AccountId>:"
JOBS = f"arn:<AWS::Partition>:sagemaker{AGNOSTIC}training-job/guide-*"
EC2 = f"arn:<AWS::Partition>:ec2{AGNOSTIC}"

Allowed = set[tuple[frozenset[str], frozenset[str]]]
"""Actions and resources of each statement."""


def readable(value: Any) -> str:
    """Write a resource as one line: references in angle brackets, without hashes."""
    match value:
        case {"Fn::Join": [_, parts]}:
            return "".join(readable(part) for part in parts)
        case {"Ref": name} if name.startswith("AWS::"):
            return f"<{name}>"
        case {"Ref": name} | {"Fn::GetAtt": [name, _]}:
            return f"<{name[:-8]}>"
        case _:
            return str(value)


def allowed(resources: dict[str, Any], role: str, service: str) -> Allowed:
    """Return what the policies of the role allow that a service assumes, and whose logical id is this less its hash."""
    found: Allowed = set()
    for policy in resources.values():
        if policy["Type"] != "AWS::IAM::Policy":
            continue
        [holder] = policy["Properties"]["Roles"]
        trust = resources[holder["Ref"]]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        if holder["Ref"][:-8] != role or trust[0]["Principal"]["Service"] != f"{service}.amazonaws.com":
            continue
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]:
            assert statement["Effect"] == "Allow"
            actions, where = statement["Action"], statement["Resource"]
            found.add(
                (
                    frozenset([actions] if isinstance(actions, str) else actions),
                    frozenset(readable(each) for each in (where if isinstance(where, list) else [where])),
                )
            )
    return found


def statement(actions: str | set[str], *resources: str) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset({actions} if isinstance(actions, str) else actions), frozenset(resources)


Build = Callable[..., tuple[TrainingJob, dict[str, Any]]]


@pytest.fixture(scope="module")
def build(new_app: Callable[..., App], guide: Workload) -> Build:
    """Return how to build the guide's job with changes to its declaration; gives it and its stack's resources."""

    def make(training: dict[str, Any] | None = None, **changes: Any) -> tuple[TrainingJob, dict[str, Any]]:
        document = json.loads(guide.model_dump_json(exclude_unset=True))
        document["training"] |= training or {}
        workload = Workload.model_validate(document | changes)
        stack = Stack(new_app(), "test")
        choice = plan(workload).choice
        network = TrainingNetwork(stack, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
        file_system = TrainingFileSystem(
            stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=choice
        )
        job = TrainingJob(stack, "Job", workload=workload, network=network, file_system=file_system)
        return job, dict(Template.from_stack(stack).to_json()["Resources"])

    return make


@pytest.fixture(scope="module")
def resources(build: Build) -> dict[str, Any]:
    return build(watch={"rules": ["LowGpuUtilization"], "using": ["cloudwatch"]})[1]


def test_f78_the_job_may_do_exactly_what_it_needs(resources: dict[str, Any]) -> None:
    interfaces = f"{EC2}network-interface/*"
    assert allowed(resources, "JobRole", "sagemaker") == {
        statement({"s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"}, "<JobArtifacts>/guide/*"),
        statement("s3:ListBucket", "<JobArtifacts>"),
        statement("s3:GetObject", "arn:<AWS::Partition>:s3:::example-training-code/guide/sourcedir.tar.gz"),
        statement("s3:ListBucket", "arn:<AWS::Partition>:s3:::example-training-code"),
        statement("ecr:GetAuthorizationToken", "*"),
        statement(
            {"ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"},
            "arn:<AWS::Partition>:ecr:us-east-1:763104351884:repository/pytorch-training",
        ),
        statement(
            {"logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"},
            f"arn:<AWS::Partition>:logs{AGNOSTIC}log-group:/aws/sagemaker/*",
        ),
        statement("cloudwatch:PutMetricData", "*"),
        statement(
            "ec2:CreateNetworkInterface",
            interfaces,
            f"{EC2}subnet/<NetworkTrainingSubnet1Subnet>",
            f"{EC2}security-group/<NetworkEfaSecurityGroup>",
        ),
        statement(
            {
                "ec2:CreateNetworkInterfacePermission",
                "ec2:DeleteNetworkInterface",
                "ec2:DeleteNetworkInterfacePermission",
            },
            interfaces,
        ),
        statement(
            {
                "ec2:DescribeDhcpOptions",
                "ec2:DescribeNetworkInterfaces",
                "ec2:DescribeSecurityGroups",
                "ec2:DescribeSubnets",
                "ec2:DescribeVpcs",
            },
            "*",
        ),
        statement("fsx:DescribeFileSystems", f"arn:<AWS::Partition>:fsx{AGNOSTIC}file-system/<FileSystem>"),
    }


def test_the_state_machine_may_do_exactly_what_it_needs(resources: dict[str, Any]) -> None:
    assert allowed(resources, "JobRole", "states") == {
        statement(LOG_DELIVERY, "*"),
        statement({"sagemaker:CreateTrainingJob", "sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"}, JOBS),
        statement("sagemaker:AddTags", JOBS),
        statement("iam:PassRole", "<JobRole>"),
        statement("lambda:InvokeFunction", "<JobEvaluator>"),
        statement("sns:Publish", "<JobFindings>"),
        statement({"kms:Decrypt", "kms:GenerateDataKey"}, "<JobLogKey>"),
    }


def test_the_stopper_may_do_exactly_what_it_needs(resources: dict[str, Any]) -> None:
    assert allowed(resources, "JobStopperRole", "states") == {
        statement(LOG_DELIVERY, "*"),
        statement({"sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"}, JOBS),
        statement("states:DescribeExecution", f"arn:<AWS::Partition>:states{AGNOSTIC}execution:<Job>:*"),
    }
    assert allowed(resources, "JobStopperEventsRole", "events") == {statement("states:StartExecution", "<JobStopper>")}


def test_f103_an_evaluator_that_reads_what_nccl_logs_may_read_that_log_and_no_other(build: Build) -> None:
    _, resources = build(watch={"rules": ["NcclWithoutEfa"], "using": ["cloudwatch"]})
    assert allowed(resources, "JobEvaluatorRole", "lambda") == {
        statement("cloudwatch:GetMetricData", "*"),
        statement({"xray:PutTelemetryRecords", "xray:PutTraceSegments"}, "*"),
        statement(
            "logs:FilterLogEvents", f"arn:<AWS::Partition>:logs{AGNOSTIC}log-group:/aws/sagemaker/TrainingJobs:*"
        ),
        statement({"logs:CreateLogStream", "logs:PutLogEvents"}, "<JobEvaluatorLogs>"),
    }


def test_g98_rules_that_act_by_themselves_bring_the_jobs_role_the_rights_to_that_and_no_others(build: Build) -> None:
    def added(*actions: Any) -> Allowed:
        _, resources = build(watch={"rules": [{"Overfit": {"actions": list(actions)}}]})
        return allowed(resources, "JobRole", "sagemaker") - without

    _, resources = build(watch={"rules": ["Overfit"]})
    without = allowed(resources, "JobRole", "sagemaker")
    stop = {statement("sagemaker:StopTrainingJob", JOBS), statement("sagemaker:ListTrainingJobs", "*")}
    topic = f"arn:<AWS::Partition>:sns{AGNOSTIC}SMDebugRules"
    tell = {statement({"sns:CreateTopic", "sns:Publish", "sns:Subscribe"}, topic)}
    assert added("stop_training") == stop
    assert added({"email": "name@example.com"}) == tell
    assert added("stop_training", {"sms": "+15550100"}) == stop | tell


def test_the_evaluator_may_do_exactly_what_it_needs(resources: dict[str, Any]) -> None:
    assert allowed(resources, "JobEvaluatorRole", "lambda") == {
        statement("cloudwatch:GetMetricData", "*"),
        statement({"xray:PutTelemetryRecords", "xray:PutTraceSegments"}, "*"),
        statement({"logs:CreateLogStream", "logs:PutLogEvents"}, "<JobEvaluatorLogs>"),
    }


def test_the_jobs_role_goes_to_sagemaker_only_and_metrics_to_one_namespace(resources: dict[str, Any]) -> None:
    statements = [
        each
        for policy in resources.values()
        if policy["Type"] == "AWS::IAM::Policy"
        for each in policy["Properties"]["PolicyDocument"]["Statement"]
    ]
    conditions = {each["Sid"]: each["Condition"] for each in statements if "Condition" in each}
    assert conditions["PassJobRole"] == {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
    assert conditions["PutMetrics"] == {"StringEquals": {"cloudwatch:namespace": "/aws/sagemaker/TrainingJobs"}}


def test_f80_keys_of_output_and_volumes_bring_the_rights_to_them(build: Build) -> None:
    key = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
    _, resources = build(
        {"output_kms_key": key, "volume_kms_key": "alias/volumes", "distribution": "torchrun"},
        cluster={"instance_type": "ml.c5.18xlarge", "nodes": 4},
        watch={},
    )
    rights = allowed(resources, "JobRole", "sagemaker")
    assert statement({"kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"}, key) in rights
    every_key = f"arn:<AWS::Partition>:kms{AGNOSTIC}key/*"
    assert statement({"kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey"}, every_key) in rights
    assert '"kms:ResourceAliases": "alias/volumes"' in json.dumps(resources)


def test_channels_and_checkpoints_in_s3_bring_the_rights_to_them(build: Build) -> None:
    _, resources = build(
        {
            "channels": {"labels": {"s3": "s3://labels/v1/"}},
            "checkpoint_s3": "s3://checkpoints/guide/",
        },
        watch={},
    )
    rights = allowed(resources, "JobRole", "sagemaker")
    assert statement("s3:GetObject", "arn:<AWS::Partition>:s3:::labels/v1/*") in rights
    written = {"s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"}
    assert statement(written, "arn:<AWS::Partition>:s3:::checkpoints/guide/*") in rights


def test_runs_to_compare_with_and_manifests_bring_the_rights_to_read_them_and_nothing_beside_them(build: Build) -> None:
    trials = {"SimilarAcrossRuns": {"other_trials": ["s3://tensors/run-1", "s3://tensors/run-2/"]}}
    _, resources = build(
        {"channels": {"labels": {"s3": "s3://labels/train.manifest", "type": "ManifestFile"}}},
        watch={"rules": [trials]},
    )
    rights = allowed(resources, "JobRole", "sagemaker")
    s3 = "arn:<AWS::Partition>:s3:::"
    assert statement("s3:GetObject", f"{s3}tensors/run-1/*", f"{s3}tensors/run-2/*") in rights
    assert statement("s3:GetObject", f"{s3}labels/train.manifest") in rights
    read = [where for actions, where in rights if actions == {"s3:GetObject"}]
    assert len(read) == 3, "the code is the third"


@pytest.mark.parametrize("place", ["guide-other/ck", "guide2/"])
def test_a_neighbour_of_the_jobs_own_prefix_is_elsewhere_and_brings_the_rights_to_it(place: str) -> None:
    request = {
        "OutputDataConfig": {"S3OutputPath": "s3://mybucket/guide"},
        "InputDataConfig": [],
        "ResourceConfig": {},
        "CheckpointConfig": {"S3Uri": f"s3://mybucket/{place}"},
        "ProfilerConfig": {"S3OutputPath": "s3://mybucket/guide/profile"},
        "DebugHookConfig": {"S3OutputPath": "s3://mybucket/guide"},
    }
    statements, wildcards = request_statements(Stack(App(), "test"), request, jobs="jobs")
    assert [each.sid for each in statements] == ["WriteElsewhere", "ListWriteElsewhere1"]
    assert [key.rpartition(":::")[2] for key in wildcards] == [f"mybucket/{place}*"]


def test_what_is_a_pattern_in_a_policy_is_itself_in_a_key() -> None:
    request = {
        "OutputDataConfig": {"S3OutputPath": "s3://mybucket/guide"},
        "InputDataConfig": [],
        "ResourceConfig": {},
        "CheckpointConfig": {"S3Uri": "s3://mybucket/a*b?${aws:username}/"},
    }
    statements, _ = request_statements(Stack(App(), "test"), request, jobs="jobs")
    literal = "a${*}b${?}${$}{aws:username}/*"
    assert [each.resources[0].rpartition(":::")[2] for each in statements] == [f"mybucket/{literal}", "mybucket"]
    assert statements[1].conditions == {"StringLike": {"s3:prefix": [literal]}}


@pytest.mark.parametrize(
    "request_field",
    [
        {"TensorBoardOutputConfig": {"S3OutputPath": "s3://elsewhere/boards/"}},
        *(
            {
                key: [
                    {
                        "RuleConfigurationName": "Own",
                        "RuleEvaluatorImage": "image",
                        "RuleParameters": {"rule_to_invoke": "Own"},
                        "S3OutputPath": "s3://elsewhere/boards/",
                    }
                ]
            }
            for key in ("DebugRuleConfigurations", "ProfilerRuleConfigurations")
        ),
    ],
)
def test_outputs_of_passed_through_fields_bring_the_rights_to_them(build: Build, request_field: dict[str, Any]) -> None:
    _, resources = build({"request": request_field}, watch={})
    written = {"s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"}
    place = "arn:<AWS::Partition>:s3:::elsewhere/boards/*"
    assert statement(written, place) in allowed(resources, "JobRole", "sagemaker")


def test_a_shell_into_the_containers_brings_the_rights_to_open_it_and_none_without(build: Build) -> None:
    def opened(remote_debug: bool) -> Allowed:
        _, resources = build({"remote_debug": remote_debug}, watch={})
        return {each for each in allowed(resources, "JobRole", "sagemaker") if "ssmmessages" in str(each[0])}

    channels = ("CreateControlChannel", "CreateDataChannel", "OpenControlChannel", "OpenDataChannel")
    assert opened(True) == {statement({f"ssmmessages:{name}" for name in channels}, "*")}
    assert opened(False) == set()


@pytest.mark.parametrize(
    "request_field",
    [
        {"InputDataConfig": [{"ChannelName": "a"}]},
        {"InputDataConfig": [{"ChannelName": "a", "DataSource": None}]},
        {"InputDataConfig": [{"ChannelName": "a", "DataSource": {"S3DataSource": {}}}]},
        {"TensorBoardOutputConfig": "s3://elsewhere/boards"},
        {"TensorBoardOutputConfig": {"S3OutputPath": 5}},
        {"DebugRuleConfigurations": [{"RuleConfigurationName": "A", "RuleParameters": "a"}]},
    ],
)
def test_a_malformed_entry_is_refused_with_its_id(build: Build, request_field: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\[REQUEST_MALFORMED\]"):
        build({"request": request_field}, watch={})


ROLES = {
    ("JobRole", "sagemaker"),
    ("JobRole", "states"),
    ("JobStopperRole", "states"),
    ("JobStopperEventsRole", "events"),
    ("JobEvaluatorRole", "lambda"),
}


def test_no_further_role_is_made_for_a_job(resources: dict[str, Any]) -> None:
    roles = [
        (name[:-8], each["Properties"]["AssumeRolePolicyDocument"]["Statement"][0]["Principal"]["Service"])
        for name, each in resources.items()
        if each["Type"] == "AWS::IAM::Role" and name.startswith("Job")
    ]
    assert {(name, service.removesuffix(".amazonaws.com")) for name, service in roles} == ROLES
    assert len(roles) == len(ROLES)
