"""What a training job leaves behind: a bucket of artifacts, logs and findings, and their key."""

from collections.abc import Sequence

from aws_cdk import ArnFormat, Names, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from constructs import Construct

from epochwise.cdk.acknowledgements import REGULATED, acknowledge


def create_artifacts_bucket(scope: Construct) -> s3.Bucket:
    """Create the bucket of models and profiles, and the one of its access logs; both outlive the stack."""
    access_logs = s3.Bucket(
        scope,
        "AccessLogs",
        encryption=s3.BucketEncryption.S3_MANAGED,
        enforce_ssl=True,
        versioned=True,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        removal_policy=RemovalPolicy.RETAIN,
    )
    artifacts = s3.Bucket(
        scope,
        "Artifacts",
        encryption=s3.BucketEncryption.S3_MANAGED,
        enforce_ssl=True,
        versioned=True,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        server_access_logs_bucket=access_logs,
        removal_policy=RemovalPolicy.RETAIN,
    )
    acknowledge(
        access_logs, "S3DefaultEncryptionKMS", "S3 delivers access logs to buckets with its own key only", *REGULATED
    )
    acknowledge(
        artifacts,
        "S3DefaultEncryptionKMS",
        "encrypted by S3's own key; the workload's training.output_kms_key encrypts what a job writes",
        *REGULATED,
    )
    for bucket, why in (
        (artifacts, "what a job leaves can be trained again from dataset and code, and versions are kept"),
        (
            access_logs,
            "versions are kept, and a copy in another Region serves nobody",
        ),
    ):
        acknowledge(bucket, "S3BucketReplicationEnabled", why, *REGULATED)
    return artifacts


def machine_log_group_name(scope: Construct) -> str:
    """Return the name of the log group of a job's state machines.

    Logs of this prefix need no resource policy each, whose number and size an account limits.
    """
    return f"/aws/vendedlogs/states/{Names.unique_resource_name(scope, max_length=64, separator='-')}"


def job_key(scope: Construct, given: kms.IKey | None, log_group_names: Sequence[str]) -> kms.IKey:
    """Return the key of a job's logs and findings, created unless given, and let CloudWatch Logs use it.

    The policy of a key that was imported cannot be changed here and must allow that already.
    """
    stack = Stack.of(scope)
    key = given or kms.Key(
        scope,
        "LogKey",
        description="Logs and findings of a training job's state machine",
        enable_key_rotation=True,
        removal_policy=RemovalPolicy.RETAIN,
    )
    arns = [
        stack.format_arn(
            service="logs", resource="log-group", resource_name=name, arn_format=ArnFormat.COLON_RESOURCE_NAME
        )
        for name in log_group_names
    ]
    key.add_to_resource_policy(
        iam.PolicyStatement(
            sid="EncryptLogs",
            principals=[iam.ServicePrincipal("logs.amazonaws.com")],
            actions=["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
            resources=["*"],
            conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": arns}},
        )
    )
    return key


def create_log_group(scope: Construct, key: kms.IKey) -> logs.LogGroup:
    """Create the log group of a job's state machines, encrypted with a customer's key."""
    return logs.LogGroup(
        scope,
        "Logs",
        log_group_name=machine_log_group_name(scope),
        encryption_key=key,
        retention=logs.RetentionDays.ONE_YEAR,
        removal_policy=RemovalPolicy.DESTROY,
    )


def create_topic(scope: Construct, key: kms.IKey, workload_name: str) -> sns.Topic:
    """Create the topic that findings are told to: encrypted, and for TLS only."""
    return sns.Topic(
        scope,
        "Findings",
        display_name=f"Findings about training jobs of {workload_name}",
        master_key=key,
        enforce_ssl=True,
    )


def allow_to_tell(role: iam.IGrantable, topic: sns.ITopic, key: kms.IKey) -> None:
    """Let a principal publish to the topic that `create_topic` made with a key."""
    for statement in (
        iam.PolicyStatement(sid="TellFindings", actions=["sns:Publish"], resources=[topic.topic_arn]),
        iam.PolicyStatement(
            sid="EncryptFindings", actions=["kms:Decrypt", "kms:GenerateDataKey"], resources=[key.key_arn]
        ),
    ):
        role.grant_principal.add_to_principal_policy(statement)
