"""Simulated jobs in a local AWS: the file system, the training job, and every metric that CloudWatch would have."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import boto3

from tests.live.taught_training_jobs import END, START, STATUS
from tests.tuning.simulated_job import Metric, Simulated, metrics

POINTS = 500
"""Of one PutMetricData call."""
ROLE = "arn:aws:iam::123456789012:role/training"


def create_file_system(done: Simulated, **lustre: Any) -> str:
    """Create the file system of a job and return its id."""
    candidate = done.truth.candidate
    mode = candidate.metadata_mode
    configuration: dict[str, Any] = {"DeploymentType": str(candidate.deployment_type)}
    if candidate.per_unit_storage_throughput is not None:
        configuration["PerUnitStorageThroughput"] = candidate.per_unit_storage_throughput
    if mode is not None:
        configuration["MetadataConfiguration"] = {"Mode": str(mode), "Iops": candidate.metadata_iops}
    created = boto3.client("fsx").create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=candidate.storage_capacity_gib,
        StorageType="SSD",
        SubnetIds=["subnet-0123456789abcdef0"],
        LustreConfiguration=configuration | lustre,
    )
    return str(created["FileSystem"]["FileSystemId"])


def create_job(
    name: str,
    file_systems: dict[str, str],
    *,
    start: datetime | None,
    end: datetime | None,
    status: str = "Completed",
    instance_type: str = "ml.p4d.24xlarge",
    nodes: int = 4,
    **sources: Any,
) -> None:
    """Create a training job that ran from one time to another.

    Args:
        name: of the job.
        file_systems: input channel to the file system that it mounts.
        start: when it began to train; None before that.
        end: when it ended; None while it runs.
        status: SageMaker's.
        instance_type: of its nodes.
        nodes: how many.
        sources: input channel to another data source.
    """
    channels = {
        channel: {
            "FileSystemDataSource": {
                "FileSystemId": file_system,
                "FileSystemType": "FSxLustre",
                "FileSystemAccessMode": "ro",
                "DirectoryPath": "/fsx",
            }
        }
        for channel, file_system in file_systems.items()
    }
    boto3.client("sagemaker").create_training_job(
        TrainingJobName=name,
        RoleArn=ROLE,
        AlgorithmSpecification={"TrainingImage": "image", "TrainingInputMode": "File"},
        InputDataConfig=[
            {"ChannelName": channel, "DataSource": source} for channel, source in (channels | sources).items()
        ],
        OutputDataConfig={"S3OutputPath": "s3://bucket/output"},
        ResourceConfig={"InstanceType": instance_type, "InstanceCount": nodes, "VolumeSizeInGB": 30},
        StoppingCondition={"MaxRuntimeInSeconds": 86400},
        HyperParameters={STATUS: status, START: _seconds(start), END: _seconds(end)},
    )


def _seconds(time: datetime | None) -> str:
    return "" if time is None else str(time.timestamp())


def put_metrics(done: Simulated, job: str, file_system_id: str, start: datetime) -> None:
    """Put every metric of a job into CloudWatch."""
    cloudwatch = boto3.client("cloudwatch")
    waiting: dict[str, list[dict[str, Any]]] = {}
    for metric in metrics(done, job, file_system_id):
        waiting.setdefault(metric.namespace, []).extend(_points(metric, start))
    for namespace, points in waiting.items():
        for first in range(0, len(points), POINTS):
            cloudwatch.put_metric_data(Namespace=namespace, MetricData=points[first : first + POINTS])


def _points(metric: Metric, start: datetime) -> Iterator[dict[str, Any]]:
    """Yield the points of a metric."""
    for minute, value in enumerate(metric.values):
        if value is None:
            continue
        part = value / metric.samples
        yield {
            "MetricName": metric.name,
            "Dimensions": [{"Name": name, "Value": each} for name, each in metric.dimensions],
            "Timestamp": start + timedelta(minutes=minute),
            "StatisticValues": {"SampleCount": metric.samples, "Sum": value, "Minimum": part, "Maximum": part},
        }


def run(done: Simulated, name: str, start: datetime, **job: Any) -> str:
    """Have a simulated job run in a local AWS, and return its file system."""
    file_system = create_file_system(done)
    cluster = done.truth.workload.cluster
    times: dict[str, Any] = {"start": start, "end": start + timedelta(seconds=done.seconds)}
    nodes: dict[str, Any] = {"instance_type": cluster.instance_type, "nodes": cluster.nodes}
    create_job(name, {"train": file_system}, **(times | nodes | job))
    put_metrics(done, name, file_system, start)
    return file_system
