"""The whole CreateTrainingJob request of a declared workload."""

from dataclasses import dataclass, fields
from typing import Any, Self, get_type_hints

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.file_system_path import file_system_path_invalid
from epochwise.checks.hint_kinds import Judge
from epochwise.checks.job_deployment import (
    MOST_SECURITY_GROUPS,
    MOST_SUBNETS,
    deployment_value_illegal,
    output_uri_ends_in_slash,
    vpc_config_out_of_range,
)
from epochwise.checks.job_placement import workload_of_other_region
from epochwise.checks.judged_arguments import judged_arguments
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.rule_actions import rule_action_closed_vpc
from epochwise.checks.training import required_job, training_findings
from epochwise.training.channels import file_system_channel, s3_channel
from epochwise.training.distribution import efa_environment, nccl_environment
from epochwise.training.hyperparameters import hyperparameters
from epochwise.training.options import algorithm, resources, stopping, switches
from epochwise.training.pass_through import merged
from epochwise.training.watch_rules import debugger_part
from epochwise.workload import Workload
from epochwise.workload.training_section import CHECKPOINT_CHANNEL, TRAIN_CHANNEL

JOB_NAME_PLACEHOLDER = "<TRAINING_JOB_NAME>"
"""Stands for the name of a job that is not named yet."""
_TOKEN_MARKER = "${Token["  # noqa: S105 - how CDK writes a value that is known at deployment only


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDeployment:
    """What a request needs to know of the account it runs in.

    Every value is a plain string that is only ever put in or appended to, so tokens of the CDK pass through.
    """

    job_name: str
    role_arn: str
    """The role that the job runs as."""
    subnet_ids: tuple[str, ...]
    security_group_ids: tuple[str, ...]
    file_system_id: str
    mount_name: str
    """The file system's LustreMountName."""
    output_s3_uri: str
    """Where the model and the profile go; without a slash at its end."""
    region: str
    """Where the job runs."""
    file_system_path: str = "/"
    """Where in the file system the dataset lies."""
    checkpoint_path: str = "/"
    """Which directory of the file system takes the checkpoints; it must exist when the job starts, as the root does."""
    closed_vpc: bool = False
    """Whether the subnets have no way to the internet: built-in actions of rules do nothing, and STS has a regional
    address only."""

    def __post_init__(self) -> None:
        """Refuse what no job can be deployed with.

        Raises:
            ValueError: naming the field, what is allowed and the value.
        """
        hints = get_type_hints(type(self))
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        refuse_errors(found for name, value in given.items() for found in Judge().findings(name, value, hints[name]))
        texts = [
            (name, text)
            for name, value in given.items()
            if name not in {"file_system_path", "checkpoint_path", "closed_vpc"}
            for text in ([value] if isinstance(value, str) else value)
        ]
        paths = {"file_system_path": self.file_system_path, "checkpoint_path": self.checkpoint_path}
        refuse_errors(
            [
                *(
                    finding
                    for name, path in paths.items()
                    if _TOKEN_MARKER not in path
                    for finding in file_system_path_invalid(name, path)
                ),
                *vpc_config_out_of_range("subnet_ids", len(self.subnet_ids), MOST_SUBNETS),
                *vpc_config_out_of_range("security_group_ids", len(self.security_group_ids), MOST_SECURITY_GROUPS),
                *output_uri_ends_in_slash(self.output_s3_uri),
                *(finding for name, text in texts for finding in deployment_value_illegal(name, text)),
            ]
        )

    @classmethod
    def placeholders(cls, workload: Workload) -> Self:
        """Stand in for an account: what is still to be filled in is written <LIKE_THIS>."""
        return cls(
            job_name=JOB_NAME_PLACEHOLDER,
            role_arn="<ARN_OF_THE_EXECUTION_ROLE>",
            subnet_ids=("<SUBNET_ID>",),
            security_group_ids=("<SECURITY_GROUP_ID>",),
            file_system_id="<FILE_SYSTEM_ID>",
            mount_name="<MOUNT_NAME>",
            output_s3_uri="s3://<BUCKET>/output",
            region=workload.region,
        )


@judged_arguments()
def create_training_job_request(workload: Workload, deployment: JobDeployment) -> dict[str, Any]:
    """Return the request, ready for boto3 or a state machine.

    | choice | why |
    |---|---|
    | channel `train`: the dataset on FSx for Lustre, read only | every node sees all of it, nothing is copied |
    | channel `checkpoints`, writable, with `workload.checkpoint` only | `training.checkpoint_s3` has SageMaker copy |
    | DebugHookConfig with rules about tensors only | it changes the training script; profiler rules do without |
    | the run is stopped after twice the declared time | unless `training.max_runtime` says otherwise |
    | `training.request` last | what has an option here is refused there |

    Raises:
        ValueError: the workload has no SageMaker training job, or a check finds an error in it; the message is the
            findings, one a line.
    """
    job = required_job(workload)
    found = [*training_findings(workload), *filter(None, [rule_action_closed_vpc(job, closed=deployment.closed_vpc)])]
    if _TOKEN_MARKER not in deployment.region:
        found += workload_of_other_region(workload.region, deployment.region)
    refuse_errors(found)
    return _request(job, deployment)


def _request(job: DeclaredJob, deployment: JobDeployment) -> dict[str, Any]:
    """Put the request together."""
    workload, training = job.workload, job.training
    cluster = workload.cluster
    output: dict[str, Any] = {"S3OutputPath": deployment.output_s3_uri}
    # older SDKs in images ask for the global address, which no endpoint of the VPC answers for
    closed = {"AWS_STS_REGIONAL_ENDPOINTS": "regional"} if deployment.closed_vpc else {}
    if training.output_kms_key is not None:
        output["KmsKeyId"] = training.output_kms_key
    request: dict[str, Any] = {
        "TrainingJobName": deployment.job_name,
        "RoleArn": deployment.role_arn,
        "AlgorithmSpecification": algorithm(job),
        "HyperParameters": hyperparameters(job, job_name=deployment.job_name, region=deployment.region),
        "InputDataConfig": _channels(job, deployment),
        "OutputDataConfig": output,
        "ResourceConfig": resources(job),
        "StoppingCondition": stopping(job),
        "VpcConfig": {
            "Subnets": list(deployment.subnet_ids),
            "SecurityGroupIds": list(deployment.security_group_ids),
        },
        "Environment": efa_environment(cluster.instance, cluster.nodes)
        | nccl_environment(job)
        | closed
        | training.environment,
        "Tags": [
            {"Key": key, "Value": value}
            for key, value in {"epochwise:workload": workload.name, **training.tags}.items()
        ],
        **switches(job),
        **debugger_part(job, job_name=deployment.job_name, output_s3_uri=deployment.output_s3_uri),
    }
    return merged(request, training.request)


def _channels(job: DeclaredJob, deployment: JobDeployment) -> list[dict[str, Any]]:
    """Return the file system's channels, then those of S3."""
    mounted = {TRAIN_CHANNEL: (deployment.file_system_path, "ro")}
    if job.workload.checkpoint is not None and job.training.checkpoint_s3 is None:
        mounted[CHECKPOINT_CHANNEL] = (deployment.checkpoint_path, "rw")
    file_system = [
        file_system_channel(
            name,
            file_system_id=deployment.file_system_id,
            mount_name=deployment.mount_name,
            path=path,
            mode=mode,
        )
        for name, (path, mode) in mounted.items()
    ]
    return [*file_system, *(s3_channel(name, channel) for name, channel in job.training.channels.items())]
