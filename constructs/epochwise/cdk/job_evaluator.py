"""The function that judges a job's rules by CloudWatch's metrics: the files of `epochwise.watching`, as they are."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aws_cdk import ArnFormat, AssetHashType, Duration, IgnoreMode, Names, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

import epochwise.watching
from epochwise.catalog.instance_types import instance_type
from epochwise.catalog.watch_rule_names import parameters_of
from epochwise.cdk.acknowledgements import REGULATED, Pack, acknowledge, acknowledge_policy
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.job_ladder import Ladder
from epochwise.checks.declared_job import DeclaredJob
from epochwise.watching.evaluate import Configuration
from epochwise.watching.nccl_log import LOG_GROUP

HANDLER = "watching.handler.handle"
CONFIGURATION_VARIABLE = "CONFIGURATION"
_ROOM = Path(epochwise.watching.__file__).parent
_TIMEOUT_S = 60
_MEANT_TO_BE = (
    (
        "LambdaConcurrency",
        "one look of one job at a time calls it; reserving takes from the whole account",
        (Pack.HIPAA, Pack.NIST),
    ),
    (
        "LambdaDLQ",
        "the state machine waits for its answer and tries again; a dead-letter queue takes asynchronous calls only",
        (Pack.HIPAA, Pack.NIST, Pack.SERVERLESS),
    ),
    ("LambdaInsideVPC", "it asks CloudWatch and nothing in the VPC", REGULATED),
)
"""Rules of cdk-nag that its function is not meant to follow, and why."""


def evaluator_files() -> dict[str, bytes]:
    """Return the function's files by their path in its archive."""
    return {f"{_ROOM.name}/{file.name}": file.read_bytes() for file in sorted(_ROOM.glob("*.py"))}


def evaluator_configuration(
    job: DeclaredJob, *, instance_types: tuple[str, ...], file_system_id: str, ladder: Ladder | None
) -> str:
    """Return the function's configuration as JSON: every parameter of every rule, and what the types have.

    Parameters that are not declared take the defaults of the catalog, so that the function has no opinion of its own.
    """
    rules = {rule.name: _parameters(rule.name, rule.parameters) for rule in job.cloudwatch_rules}
    configuration = Configuration(
        workload=job.workload.name,
        rules=rules,
        instance_types={name: _size(name) for name in instance_types},
        file_system_id=file_system_id if ladder is not None else "",
        ceiling_mbps=0.0 if ladder is None else round(ladder.ceiling_mbps, 1),
    )
    document = asdict(configuration)
    document["ladder"] = [] if ladder is None else [list(asdict(rung).values()) for rung in ladder.rungs]
    return json.dumps(document, separators=(",", ":"))


class JobEvaluator(Construct):
    """A small function with a role and a log group of its own."""

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        workload_name: str,
        configuration: str,
        encryption_key: kms.IKey,
        reads_log: bool = False,
    ) -> None:
        """Create the function.

        It keeps no concurrency for itself: reserving takes it from the whole account, and a job asks once a look.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            workload_name: whose jobs it judges.
            configuration: JSON, of `evaluator_configuration`.
            encryption_key: key of its logs; its policy must let CloudWatch Logs use it for groups of this name.
            reads_log: whether it reads the log of training jobs too.
        """
        super().__init__(scope, construct_id)
        self.log_group = logs.LogGroup(
            self,
            "Logs",
            log_group_name=evaluator_log_group_name(scope),
            encryption_key=encryption_key,
            retention=logs.RetentionDays.ONE_YEAR,
            removal_policy=RemovalPolicy.DESTROY,
        )
        self.role = iam.Role(
            self,
            "Role",
            description="Evaluator of a training job's rules: reads metrics, writes its own logs",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
        )
        self.role.add_to_policy(
            iam.PolicyStatement(sid="ReadMetrics", actions=["cloudwatch:GetMetricData"], resources=["*"])
        )
        self.role.add_to_policy(
            iam.PolicyStatement(
                sid="WriteOwnLogs",
                actions=["logs:CreateLogStream", "logs:PutLogEvents"],
                resources=[self.log_group.log_group_arn],
            )
        )
        wildcards = {"*": "GetMetricData and X-Ray take no resource"}
        if reads_log:
            streams = training_log_arn(Stack.of(self))
            self.role.add_to_policy(
                iam.PolicyStatement(sid="ReadTrainingLog", actions=["logs:FilterLogEvents"], resources=[streams])
            )
            wildcards[streams] = "a log group's ARN ends with a wildcard in policies, for its streams"
        acknowledge_policy(self.role.node.find_child("DefaultPolicy"), wildcards)
        self.function = lambda_.Function(
            self,
            "Resource",
            description=f"Judges training jobs of {workload_name} by CloudWatch's metrics",
            runtime=lambda_.Runtime.PYTHON_3_14,
            architecture=lambda_.Architecture.ARM_64,
            handler=HANDLER,
            code=lambda_.Code.from_asset(
                str(_ROOM.parent),
                exclude=["*", f"!{_ROOM.name}", f"!{_ROOM.name}/*.py"],
                ignore_mode=IgnoreMode.GIT,
                asset_hash_type=AssetHashType.CUSTOM,
                asset_hash=_fingerprint(evaluator_files()),
            ),
            timeout=Duration.seconds(_TIMEOUT_S),
            memory_size=256,
            role=self.role,
            log_group=self.log_group,
            environment={CONFIGURATION_VARIABLE: configuration},
            tracing=lambda_.Tracing.ACTIVE,
        )
        for rule, reason, packs in _MEANT_TO_BE:
            acknowledge(self.function, rule, reason, *packs)


def evaluator_log_group_name(scope: Construct) -> str:
    """Return the name of the log group of an evaluator in a scope."""
    return f"/aws/lambda/{Names.unique_resource_name(scope, max_length=50, separator='-')}-evaluator"


def training_log_arn(stack: Stack) -> str:
    """Return the ARN of the log group that SageMaker writes all training jobs' logs to, as policies name it."""
    return stack.format_arn(
        service="logs", resource="log-group", resource_name=f"{LOG_GROUP}:*", arn_format=ArnFormat.COLON_RESOURCE_NAME
    )


def _fingerprint(files: Mapping[str, bytes]) -> str:
    """Return a hash of names and contents, the same wherever the library is installed."""
    whole = hashlib.sha256()
    for name, content in files.items():
        whole.update(f"{name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()


def _parameters(rule: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return every parameter of a rule but the scan interval, which the state machine's looks replace."""
    known = {name: parameter.default for name, parameter in parameters_of(rule).items()}
    return {name: value for name, value in (known | dict(declared)).items() if name != "scan_interval_us"}


def _size(name: str) -> tuple[int, int, int]:
    """Return vCPUs, accelerators and EFA interfaces for NCCL of an instance type."""
    found = instance_type(name)
    assert found is not None  # noqa: S101 - INSTANCE_TYPE_NOT_IN_SAGEMAKER refused unknown names
    return found.vcpu, found.accelerators, found.nccl_efa_interfaces
