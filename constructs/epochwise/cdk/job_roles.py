"""What the roles around a job may do: rights that follow from the request, and those of the state machine."""

from typing import Any

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_iam as iam

from epochwise.cdk.job_shapes import Request
from epochwise.cdk.key_in_policy import key_in_policy
from epochwise.checks.training_channels import MANIFEST_TYPES
from epochwise.checks.training_request_addresses import is_other_run


def request_statements(
    stack: Stack, request: Request, *, jobs: str
) -> tuple[list[iam.PolicyStatement], dict[str, str]]:
    """Return what the job's role needs beyond its own artifacts, and why each wildcard among it is there.

    Channels, checkpoints and runs to compare with in S3, outputs that the declaration sends elsewhere, keys, shells
    into the containers, and what Debugger's rules do by themselves to the workload's `jobs`. Of a channel with a
    manifest it is the manifest alone, by MANIFEST_OBJECTS_UNSEEN. Source: SageMaker Developer Guide, sagemaker-roles,
    CreateTrainingJob API: execution role permissions.
    """
    own = request["OutputDataConfig"]["S3OutputPath"]
    sources = [
        channel["DataSource"]["S3DataSource"]
        for channel in request["InputDataConfig"]
        if "S3DataSource" in channel["DataSource"]
    ]
    manifests = [source["S3Uri"] for source in sources if source["S3DataType"] in MANIFEST_TYPES]
    read = [source["S3Uri"] for source in sources if source["S3DataType"] not in MANIFEST_TYPES]
    other_runs = [
        f"{uri.rstrip('/')}/"
        for rule in request.get("DebugRuleConfigurations", ())
        for name, uri in rule.get("RuleParameters", {}).items()
        if is_other_run(name)
    ]
    written = [
        uri
        for uri in (
            request.get("CheckpointConfig", {}).get("S3Uri"),
            request.get("ProfilerConfig", {}).get("S3OutputPath"),
            request.get("DebugHookConfig", {}).get("S3OutputPath"),
            request.get("TensorBoardOutputConfig", {}).get("S3OutputPath"),
            *(rule.get("S3OutputPath") for rule in request.get("DebugRuleConfigurations", ())),
            *(rule.get("S3OutputPath") for rule in request.get("ProfilerRuleConfigurations", ())),
        )
        if uri and not f"{uri}/".startswith(f"{own}/")
    ]
    statements: list[iam.PolicyStatement] = []
    wildcards: dict[str, str] = {}
    for sid, uris, actions in (
        ("ReadChannels", read, ["s3:GetObject"]),
        ("ReadManifests", manifests, ["s3:GetObject"]),
        ("ReadOtherRuns", other_runs, ["s3:GetObject"]),
        ("WriteElsewhere", written, ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"]),
    ):
        whole = uris is manifests
        places = [_place(stack, uri, whole=whole) for uri in dict.fromkeys(uris)]
        if places:
            statements.append(iam.PolicyStatement(sid=sid, actions=actions, resources=[arn for _, arn, _ in places]))
            if not whole:
                wildcards |= {arn: "everything below the declared prefix is meant" for _, arn, _ in places}
        statements += [
            iam.PolicyStatement(
                sid=f"List{sid}{number}",
                actions=["s3:ListBucket"],
                resources=[bucket],
                conditions={"StringLike": {"s3:prefix": [prefix if whole else f"{prefix}*"]}},
            )
            for number, (bucket, _, prefix) in enumerate(places, 1)
        ]
    acting, why = _action_statements(stack, request, jobs)
    keys, shells = job_key_statements(stack, request), _shell_statements(request)
    if shells:
        why["*"] = "the channels that Systems Manager's agent opens take no resource"
    return [*statements, *keys, *shells, *acting], wildcards | why


def _shell_statements(request: Request) -> list[iam.PolicyStatement]:
    """Return the rights of a shell into the containers, which Systems Manager opens from within.

    Source: SageMaker Developer Guide, train-remote-debugging.
    """
    if not request.get("RemoteDebugConfig", {}).get("EnableRemoteDebug"):
        return []
    channels = ("CreateControlChannel", "CreateDataChannel", "OpenControlChannel", "OpenDataChannel")
    actions = [f"ssmmessages:{channel}" for channel in channels]
    return [iam.PolicyStatement(sid="OpenShells", actions=actions, resources=["*"])]


def _action_statements(stack: Stack, request: Request, jobs: str) -> tuple[list[iam.PolicyStatement], dict[str, str]]:
    """Return the rights of rules that stop the job, or tell by email or SMS; they run as the job's role.

    Source: SageMaker Developer Guide, debugger-built-in-actions; the topic is named by smdebug_rulesconfig 1.0.1.
    """
    parameters = [rule.get("RuleParameters", {}) for rule in request.get("DebugRuleConfigurations", ())]
    actions = " ".join(each.get("action_json", "") for each in parameters)
    statements, wildcards = [], {}
    if "stoptraining" in actions or any("training_job_name_prefix" in each for each in parameters):
        statements += [
            iam.PolicyStatement(sid="StopByRule", actions=["sagemaker:StopTrainingJob"], resources=[jobs]),
            iam.PolicyStatement(sid="FindJobToStop", actions=["sagemaker:ListTrainingJobs"], resources=["*"]),
        ]
        wildcards = {jobs: "the end of a job's name is a hash of the execution, not known before it starts"}
    if "endpoint" in actions:
        topic = stack.format_arn(service="sns", resource="SMDebugRules", arn_format=ArnFormat.NO_RESOURCE_NAME)
        tell = ["sns:CreateTopic", "sns:Publish", "sns:Subscribe"]
        statements.append(iam.PolicyStatement(sid="TellByRule", actions=tell, resources=[topic]))
    return statements, wildcards


def job_key_statements(stack: Stack, request: Request) -> list[iam.PolicyStatement]:
    """Return the rights to the keys of a job's output and volumes, for the job's role.

    The volumes' key needs a grant for EC2 as well. Key policies of other accounts must allow it too.
    """
    output = _key_arn(stack, request["OutputDataConfig"].get("KmsKeyId"))
    volume = _key_arn(stack, request["ResourceConfig"].get("VolumeKmsKeyId"))
    statements = []
    if output is not None:
        statements.append(
            _key_statement("EncryptOutput", ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"], output)
        )
    if volume is not None:
        statements += volume_key_statements(stack, request)
    return statements


def volume_key_statements(stack: Stack, request: Request) -> list[iam.PolicyStatement]:
    """Return the rights to the volumes' key, which whoever creates the job needs as the job's role does."""
    volume = _key_arn(stack, request["ResourceConfig"].get("VolumeKmsKeyId"))
    if volume is None:
        return []
    return [_key_statement("EncryptVolumes", ["kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey"], volume)]


def machine_statements(
    stack: Stack, *, jobs: str, role: iam.IRole, request: Request, evaluator_arn: str | None
) -> list[iam.PolicyStatement]:
    """Return what the state machine may do with jobs, without the topic's part."""
    plan = request["ResourceConfig"].get("TrainingPlanArn")
    statements = [
        iam.PolicyStatement(
            sid="RunJobs",
            actions=["sagemaker:CreateTrainingJob", "sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"],
            resources=[jobs, *([plan] if plan else [])],
        ),
        iam.PolicyStatement(sid="TagJobs", actions=["sagemaker:AddTags"], resources=[jobs]),
        iam.PolicyStatement(
            sid="PassJobRole",
            actions=["iam:PassRole"],
            resources=[role.role_arn],
            conditions={"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}},
        ),
        *volume_key_statements(stack, request),
    ]
    if evaluator_arn is not None:
        statements.append(
            iam.PolicyStatement(sid="AskEvaluator", actions=["lambda:InvokeFunction"], resources=[evaluator_arn])
        )
    return statements


def _key_statement(sid: str, actions: list[str], key: tuple[str, dict[str, Any]]) -> iam.PolicyStatement:
    """Return a statement about one key."""
    resource, conditions = key
    return iam.PolicyStatement(sid=sid, actions=actions, resources=[resource], conditions=conditions or None)


def _key_arn(stack: Stack, key: str | None) -> tuple[str, dict[str, Any]] | None:
    """Return the resource and condition that name a key, given as CreateTrainingJob takes it: id, ARN or alias.

    A policy cannot name a key by its alias; a condition on the alias does, over this account's keys.
    """
    if key is None:
        return None
    alias = key.rpartition(":")[2]
    if alias.startswith("alias/"):
        every = stack.format_arn(service="kms", resource="key", resource_name="*")
        return every, {"ForAnyValue:StringEquals": {"kms:ResourceAliases": alias}}
    if key.startswith(("arn:", "${Token[")):
        return key, {}
    return stack.format_arn(service="kms", resource="key", resource_name=key), {}


def _place(stack: Stack, uri: str, *, whole: bool) -> tuple[str, str, str]:
    """Return the ARNs of a bucket and of what lies below a prefix of it, and the prefix, or of one whole key."""
    bucket, _, prefix = uri.removeprefix("s3://").partition("/")
    arn = stack.format_arn(service="s3", region="", account="", resource=bucket, arn_format=ArnFormat.NO_RESOURCE_NAME)
    literal = key_in_policy(prefix)
    return arn, f"{arn}/{literal}" if whole else f"{arn}/{literal}*", literal
