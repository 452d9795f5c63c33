"""The whole CreateTrainingJob request of a declared workload."""

import math
import re
from dataclasses import dataclass
from typing import Any, Self

from epochwise.catalog.debugger import evaluator_image
from epochwise.catalog.training_job import DEFAULT_QUOTA_RUNTIME_S, DEFAULT_RUNTIME_S, MAX_RUNTIME_S
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Level
from epochwise.checks.training import no_job, training_findings
from epochwise.checks.training_checkpoint import CHECKPOINT_CHANNEL
from epochwise.training.distribution import efa_environment
from epochwise.training.hyperparameters import hyperparameters
from epochwise.training.watch_rules import watch_rules
from epochwise.workload import Workload

_VOLUME_SIZE_GB = 30
"""What AWS's SDK sends for every type; types with NVMe of their own ignore it. Source: sagemaker 2.257.7."""
_PROFILING_INTERVAL_MS = 500
"""CreateTrainingJob's own default. Source: botocore 1.44.8."""
_RUNTIME_HEADROOM = 2
"""Covers start-up, a first epoch that reads from S3, evaluation and checkpoints."""
_MAX_SUBNETS = 16
_MAX_SECURITY_GROUPS = 5
"""CreateTrainingJob's limits of VpcConfig. Source: botocore 1.44.8."""
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

    def __post_init__(self) -> None:
        """Refuse what no job can be deployed with.

        Raises:
            ValueError: naming the field, what is allowed and the value.
        """
        for name in ("file_system_path", "checkpoint_path"):
            path: str = getattr(self, name)
            if not path.startswith(("/", _TOKEN_MARKER)):
                raise ValueError(f"{name} must begin with /, got {path!r}")
        for name, most in (("subnet_ids", _MAX_SUBNETS), ("security_group_ids", _MAX_SECURITY_GROUPS)):
            ids: tuple[str, ...] = getattr(self, name)
            if not 1 <= len(ids) <= most:
                raise ValueError(f"{name} must hold 1 to {most}, got {len(ids)}")
        if self.output_s3_uri.endswith("/"):
            raise ValueError(f"output_s3_uri must not end with /, got {self.output_s3_uri!r}")

    @classmethod
    def placeholders(cls, workload: Workload) -> Self:
        """Stand in for an account: what is still to be filled in is written <LIKE_THIS>."""
        return cls(
            job_name="<TRAINING_JOB_NAME>",
            role_arn="<ARN_OF_THE_EXECUTION_ROLE>",
            subnet_ids=("<SUBNET_ID>",),
            security_group_ids=("<SECURITY_GROUP_ID>",),
            file_system_id="<FILE_SYSTEM_ID>",
            mount_name="<MOUNT_NAME>",
            output_s3_uri="s3://<BUCKET>/output",
            region=workload.region,
        )


def create_training_job_request(workload: Workload, deployment: JobDeployment) -> dict[str, Any]:
    """Return the request, ready for boto3 or a state machine.

    | choice | why |
    |---|---|
    | channel `train`: the dataset on FSx for Lustre, read only | every node sees all of it, nothing is copied |
    | channel `checkpoints`, writable, with `workload.checkpoint` only | CheckpointConfig cannot go with Debugger here |
    | no DebugHookConfig | its hook sits in the training script; profiler rules do without |
    | the run is stopped after twice the declared time | see `max_runtime_s` |

    Raises:
        ValueError: the workload has no SageMaker training job, or a check finds an error in it; the message is the
            findings, one a line.
    """
    job = DeclaredJob.of(workload)
    if job is None:
        raise ValueError(str(no_job(workload)))
    errors = [str(finding) for finding in training_findings(workload) if finding.level is Level.ERROR]
    if errors:
        raise ValueError("\n".join(errors))
    return _request(job, deployment)


def max_runtime_s(job: DeclaredJob) -> int:
    """Return the seconds after which SageMaker stops the job.

    Twice what all epochs may take, but at least SageMaker's default of a day. Headroom never lifts it above the default
    quota (assumed: five days), which would have the request refused; only a run that needs more does, up to SageMaker's
    28 days.
    """
    needed_s = job.declared_runtime_s
    ceiling_s = DEFAULT_QUOTA_RUNTIME_S if needed_s <= DEFAULT_QUOTA_RUNTIME_S else MAX_RUNTIME_S
    return min(max(DEFAULT_RUNTIME_S, math.ceil(needed_s * _RUNTIME_HEADROOM)), ceiling_s)


def _request(job: DeclaredJob, deployment: JobDeployment) -> dict[str, Any]:
    """Put the request together."""
    workload = job.workload
    request: dict[str, Any] = {
        "TrainingJobName": deployment.job_name,
        "RoleArn": deployment.role_arn,
        "AlgorithmSpecification": {
            "TrainingImage": job.training.image,
            "TrainingInputMode": "File",
            "EnableSageMakerMetricsTimeSeries": True,
        },
        "HyperParameters": hyperparameters(job, job_name=deployment.job_name, region=deployment.region),
        "InputDataConfig": [_channel("train", deployment, deployment.file_system_path, "ro")],
        "OutputDataConfig": {"S3OutputPath": deployment.output_s3_uri},
        "ResourceConfig": {
            "InstanceType": workload.cluster.instance_type,
            "InstanceCount": workload.cluster.nodes,
            "VolumeSizeInGB": _VOLUME_SIZE_GB,
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": max_runtime_s(job)},
        "VpcConfig": {
            "Subnets": list(deployment.subnet_ids),
            "SecurityGroupIds": list(deployment.security_group_ids),
        },
        "Environment": efa_environment(workload.cluster.instance, workload.cluster.nodes),
        "Tags": [{"Key": "epochwise:workload", "Value": workload.name}],
    }
    if workload.checkpoint is not None:
        request["InputDataConfig"].append(_channel(CHECKPOINT_CHANNEL, deployment, deployment.checkpoint_path, "rw"))
    return request | _profiling(workload, deployment)


def _channel(name: str, deployment: JobDeployment, path: str, mode: str) -> dict[str, Any]:
    """Return an input channel that mounts a directory of the file system, which begins with the mount name."""
    directory = re.sub("/+", "/", path).rstrip("/")
    return {
        "ChannelName": name,
        "DataSource": {
            "FileSystemDataSource": {
                "FileSystemId": deployment.file_system_id,
                "FileSystemType": "FSxLustre",
                "FileSystemAccessMode": mode,
                "DirectoryPath": "/" + deployment.mount_name + directory,
            }
        },
    }


def _profiling(workload: Workload, deployment: JobDeployment) -> dict[str, Any]:
    """Return the profiler's part of the request: switched off unless a rule needs it."""
    rules = watch_rules(workload)
    if not rules:
        return {"ProfilerConfig": {"DisableProfiler": True}}
    image = evaluator_image(workload.region)
    assert image is not None  # noqa: S101 - DEBUGGER_REGION refused Regions without one
    return {
        "ProfilerConfig": {
            "S3OutputPath": deployment.output_s3_uri,
            "ProfilingIntervalInMilliseconds": _PROFILING_INTERVAL_MS,
            "DisableProfiler": False,
        },
        "ProfilerRuleConfigurations": [rule.profiler_rule_configuration(image) for rule in rules],
    }
