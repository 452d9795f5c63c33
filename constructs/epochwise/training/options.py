"""The fields of the request that an option of the training section sets, each left out where it is not declared."""

from typing import Any

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.training_checkpoint import CHECKPOINT_FOLDER

_DEFAULT_VOLUME_SIZE_GB = 30
"""What AWS's SDK sends for every type; types with NVMe of their own ignore it. Source: sagemaker 2.257.7."""


def algorithm(job: DeclaredJob) -> dict[str, Any]:
    """Return the image, and the metrics that are read from its log."""
    specification: dict[str, Any] = {
        "TrainingImage": job.training.image,
        "TrainingInputMode": "File",
        "EnableSageMakerMetricsTimeSeries": True,
    }
    if job.training.metrics:
        specification["MetricDefinitions"] = [
            {"Name": name, "Regex": regex} for name, regex in job.training.metrics.items()
        ]
    return specification


def resources(job: DeclaredJob) -> dict[str, Any]:
    """Return the nodes, their volumes, and what becomes of them afterwards."""
    training, cluster = job.training, job.workload.cluster
    return _declared(
        {
            "InstanceType": cluster.instance_type,
            "InstanceCount": cluster.nodes,
            "VolumeSizeInGB": training.volume_size_gb or _DEFAULT_VOLUME_SIZE_GB,
            "VolumeKmsKeyId": training.volume_kms_key,
            "KeepAlivePeriodInSeconds": _whole(training.keep_alive),
            "TrainingPlanArn": training.training_plan,
        }
    )


def stopping(job: DeclaredJob) -> dict[str, Any]:
    """Return after how long SageMaker stops the job, or stops waiting for capacity."""
    return _declared(
        {
            "MaxRuntimeInSeconds": job.max_runtime_s,
            "MaxWaitTimeInSeconds": _whole(job.training.max_wait),
            "MaxPendingTimeInSeconds": _whole(job.training.max_pending),
        }
    )


def switches(job: DeclaredJob) -> dict[str, Any]:
    """Return the fields that are there only where something is switched on or named."""
    training = job.training
    experiment = training.experiment
    return _declared(
        {
            "CheckpointConfig": None
            if training.checkpoint_s3 is None
            else {"S3Uri": training.checkpoint_s3, "LocalPath": CHECKPOINT_FOLDER},
            "EnableManagedSpotTraining": training.spot or None,
            "EnableNetworkIsolation": training.network_isolation or None,
            "EnableInterContainerTrafficEncryption": training.inter_container_encryption or None,
            "RetryStrategy": None if training.max_attempts is None else {"MaximumRetryAttempts": training.max_attempts},
            "RemoteDebugConfig": None
            if training.remote_debug is None
            else {"EnableRemoteDebug": training.remote_debug},
            "InfraCheckConfig": None if training.infra_check is None else {"EnableInfraCheck": training.infra_check},
            "ExperimentConfig": None
            if experiment is None
            else _declared(
                {
                    "ExperimentName": experiment.name,
                    "TrialName": experiment.trial,
                    "TrialComponentDisplayName": experiment.display_name,
                    "RunName": experiment.run,
                }
            ),
        }
    )


def _declared(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not declared."""
    return {key: value for key, value in fields.items() if value is not None}


def _whole(seconds: float | None) -> int | None:
    """Return declared seconds, which are whole, as a whole number."""
    return None if seconds is None else int(seconds)
