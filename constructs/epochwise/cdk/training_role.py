"""The role a training job runs as: its code, its artifacts, its image, its logs and its network interfaces."""

from dataclasses import dataclass

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from epochwise.cdk.acknowledgements import acknowledge_policy
from epochwise.cdk.key_in_policy import key_in_policy
from epochwise.checks.training_image import EcrImage

_METRIC_NAMESPACE = "/aws/sagemaker/TrainingJobs"
_DESCRIBE_ACTIONS = [
    "ec2:DescribeDhcpOptions",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcs",
]


@dataclass(frozen=True, slots=True)
class ObjectsOfJob:
    """What of S3 a job may touch."""

    artifacts: s3.IBucket
    artifacts_prefix: str
    """Where the job writes; without a slash at its end."""
    code_uri: str | None
    """The archive with the training code."""


def create_training_role(
    scope: Construct,
    role_id: str,
    *,
    image: str,
    objects: ObjectsOfJob,
    subnet: ec2.ISubnet,
    groups: list[ec2.ISecurityGroup],
    file_system_id: str,
) -> iam.Role:
    """Create the role, with what a job of this image in this subnet needs and no more.

    It may describe the one file system it reads, since training code that asks how it is mounted, and may not, falls
    back to TCP without a word. Source: SageMaker Developer Guide, sagemaker-roles, CreateTrainingJob API: execution
    role permissions.
    """
    stack = Stack.of(scope)
    role = iam.Role(
        scope,
        role_id,
        description="SageMaker training job: its code, artifacts, image, logs and network interfaces",
        assumed_by=iam.ServicePrincipal(
            "sagemaker.amazonaws.com", conditions={"StringEquals": {"aws:SourceAccount": stack.account}}
        ),
    )
    own_objects = objects.artifacts.arn_for_objects(f"{objects.artifacts_prefix}/*")
    log_groups = stack.format_arn(
        service="logs",
        resource="log-group",
        resource_name="/aws/sagemaker/*",
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )
    interfaces = stack.format_arn(service="ec2", resource="network-interface", resource_name="*")
    wildcards = {
        own_objects: "the job names its artifacts below the workload's prefix itself",
        log_groups: "SageMaker creates the log groups of training jobs under this prefix",
        interfaces: "SageMaker creates the interfaces, so that their ids are not known before",
        "*": "ECR's token, EC2's Describe actions, ListTrainingJobs and PutMetricData (limited by namespace) take no "
        "resource",
    }
    statements = [
        *_artifact_statements(objects, own_objects),
        *_image_statements(stack, image),
        *_observation_statements(log_groups),
        *_interface_statements(stack, interfaces, subnet, groups),
        iam.PolicyStatement(
            sid="DescribeFileSystem",
            actions=["fsx:DescribeFileSystems"],
            resources=[stack.format_arn(service="fsx", resource="file-system", resource_name=file_system_id)],
        ),
    ]
    if objects.code_uri is not None:
        bucket_arn, code_arn, prefix = _code_arns(stack, objects.code_uri)
        statements += _code_statements(bucket_arn, code_arn, prefix)
        if code_arn.endswith("*"):
            wildcards[code_arn] = "the code is declared as a prefix, and everything below it is code"
    for statement in statements:
        role.add_to_policy(statement)
    acknowledge_policy(role.node.find_child("DefaultPolicy"), wildcards)
    key = objects.artifacts.encryption_key
    if key is not None:
        key.grant_encrypt_decrypt(role)
    return role


def _artifact_statements(objects: ObjectsOfJob, own_objects: str) -> list[iam.PolicyStatement]:
    """Read and write below the job's own prefix."""
    prefix = objects.artifacts_prefix
    return [
        iam.PolicyStatement(
            sid="OwnArtifacts",
            actions=["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"],
            resources=[own_objects],
        ),
        iam.PolicyStatement(
            sid="ListOwnArtifacts",
            actions=["s3:ListBucket"],
            resources=[objects.artifacts.bucket_arn],
            conditions={"StringLike": {"s3:prefix": [prefix, f"{prefix}/*"]}},
        ),
    ]


def _code_arns(stack: Stack, code_uri: str) -> tuple[str, str, str]:
    """Return the ARNs of the code's bucket and of its objects, and the key or prefix."""
    bucket, _, written = code_uri.removeprefix("s3://").partition("/")
    key = key_in_policy(written)
    arn = stack.format_arn(service="s3", region="", account="", resource=bucket, arn_format=ArnFormat.NO_RESOURCE_NAME)
    return arn, f"{arn}/{key}*" if not key or key.endswith("/") else f"{arn}/{key}", key


def _code_statements(bucket_arn: str, code_arn: str, prefix: str) -> list[iam.PolicyStatement]:
    """Read the code and nothing beside it."""
    return [
        iam.PolicyStatement(sid="ReadCode", actions=["s3:GetObject"], resources=[code_arn]),
        iam.PolicyStatement(
            sid="ListCode",
            actions=["s3:ListBucket"],
            resources=[bucket_arn],
            conditions={"StringLike": {"s3:prefix": [f"{prefix}*"]}},
        ),
    ]


def _image_statements(stack: Stack, image: str) -> list[iam.PolicyStatement]:
    """Pull this image's repository; the token that ECR asks for has no resource."""
    statements = [iam.PolicyStatement(sid="LogInToEcr", actions=["ecr:GetAuthorizationToken"], resources=["*"])]
    parsed = EcrImage.parse(image)
    if parsed is not None:
        account = image[:12]
        statements.append(
            iam.PolicyStatement(
                sid="PullImage",
                actions=["ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage"],
                resources=[
                    stack.format_arn(
                        service="ecr",
                        region=parsed.region,
                        account=account,
                        resource="repository",
                        resource_name=parsed.repository,
                    )
                ],
            )
        )
    return statements


def _observation_statements(log_groups: str) -> list[iam.PolicyStatement]:
    """Write logs and metrics of training jobs."""
    return [
        iam.PolicyStatement(
            sid="WriteLogs",
            actions=["logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"],
            resources=[log_groups],
        ),
        iam.PolicyStatement(
            sid="PutMetrics",
            actions=["cloudwatch:PutMetricData"],
            resources=["*"],
            conditions={"StringEquals": {"cloudwatch:namespace": _METRIC_NAMESPACE}},
        ),
    ]


def _interface_statements(
    stack: Stack, interfaces: str, subnet: ec2.ISubnet, groups: list[ec2.ISecurityGroup]
) -> list[iam.PolicyStatement]:
    """Place network interfaces into the subnet, with the job's groups."""
    return [
        iam.PolicyStatement(
            sid="CreateInterfaces",
            actions=["ec2:CreateNetworkInterface"],
            resources=[
                interfaces,
                stack.format_arn(service="ec2", resource="subnet", resource_name=subnet.subnet_id),
                *(
                    stack.format_arn(service="ec2", resource="security-group", resource_name=group.security_group_id)
                    for group in groups
                ),
            ],
        ),
        iam.PolicyStatement(
            sid="UseInterfaces",
            actions=[
                "ec2:CreateNetworkInterfacePermission",
                "ec2:DeleteNetworkInterface",
                "ec2:DeleteNetworkInterfacePermission",
            ],
            resources=[interfaces],
        ),
        iam.PolicyStatement(sid="DescribeNetwork", actions=_DESCRIBE_ACTIONS, resources=["*"]),
    ]
