"""Fetch a training job, its file system and their metrics."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from epochwise.catalog.cloudwatch_api import RETENTION
from epochwise.catalog.instance_types import instance_type
from epochwise.checks.tuning_refusals import (
    tune_metrics_expired,
    tune_mixed_instance_types,
    tune_no_file_system,
    tune_not_started,
    tune_several_file_systems,
)
from epochwise.live.aws import Aws
from epochwise.live.failure import NotFoundError, RefusedError
from epochwise.live.metric_data import fetched_series, listed_metrics, window_of
from epochwise.tuning.cloudwatch_metrics import file_system_keys, host_keys, hosts_of, part_keys, storage_of
from epochwise.tuning.existing_file_system import existing_file_system
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.refusal import refuse
from epochwise.workload.training_section import TRAIN_CHANNEL

_ABSENT = ("not found", "not find")
"""How SageMaker says in a ValidationException that a job does not exist; the wording is unverified."""


def observe_job(aws: Aws, name: str, now: datetime, file_system_id: str | None = None) -> MeasuredJob:
    """Return a job with its metrics, from its first minute of training to its end, or until now.

    Needs the permissions sagemaker:DescribeTrainingJob, fsx:DescribeFileSystems, cloudwatch:ListMetrics and
    cloudwatch:GetMetricData.

    Args:
        aws: where it is asked.
        name: the job's name or ARN.
        now: the time, with its zone.
        file_system_id: the file system; that of the job's own input by default.

    Raises:
        AwsError: AWS does not answer, or knows no such job or file system.
        NotTunableError: the job has not begun, has no file system, or its metrics are gone.
    """
    short = name.rpartition("training-job/")[2]
    job = _described(aws, short)
    status = str(job["TrainingJobStatus"])
    start: datetime | None = job.get("TrainingStartTime")
    refuse(tune_not_started(short, status=status, started=start is not None))
    begin = start or now
    end: datetime = job.get("TrainingEndTime") or now
    age = (now - end) / timedelta(days=1)
    refuse(tune_metrics_expired(short, ended=end, age_days=age, kept_days=RETENTION[-1].days))
    kind, nodes = _nodes(short, job.get("ResourceConfig", {}))
    file_system = existing_file_system(_file_system(aws, file_system_id or _input(short, job)))
    window, found_id = window_of(begin, end, now), file_system.file_system_id
    keys = (*host_keys(short, nodes), *file_system_keys(found_id), *part_keys(listed_metrics(aws, found_id)))
    found = fetched_series(aws, keys, window)
    return MeasuredJob(
        name=short,
        status=status,
        start=begin,
        end=end,
        period_s=window.period_s,
        instance_type=kind,
        hosts=hosts_of(found, short, nodes, instance_type(kind)),
        storage=storage_of(found, found_id, window.period_s),
        file_system=file_system,
    )


def _described(aws: Aws, name: str) -> dict[str, Any]:
    """Return what SageMaker says of a job."""
    try:
        return aws.ask("sagemaker", "describe_training_job", TrainingJobName=name)
    except RefusedError as error:
        if error.code == "ValidationException" and any(words in str(error).lower() for words in _ABSENT):
            raise NotFoundError(f"there is no training job of that name in {aws.region}") from None
        raise
    except NotFoundError:
        raise NotFoundError(f"there is no training job of that name in {aws.region}") from None


def _nodes(name: str, resources: Mapping[str, Any]) -> tuple[str, int]:
    """Return the instance type of a job's nodes, and how many there are."""
    groups = resources.get("InstanceGroups") or [resources]
    kinds = list(dict.fromkeys(str(group["InstanceType"]) for group in groups if group.get("InstanceType")))
    refuse(tune_mixed_instance_types(name, instance_types=kinds))
    return kinds[0], sum(int(group.get("InstanceCount") or 0) for group in groups)


def _input(name: str, job: Mapping[str, Any]) -> str:
    """Return the file system that a job reads from: its train channel's where there are several."""
    channels = job.get("InputDataConfig") or []
    sources = [(str(channel.get("ChannelName")), each) for channel in channels for each in _lustre(channel)]
    ids = list(dict.fromkeys(source for _, source in sources))
    refuse(tune_no_file_system(name, file_systems=ids, channels=len(channels)))
    of_train = list(dict.fromkeys(source for channel, source in sources if channel == TRAIN_CHANNEL))
    chosen = of_train if len(of_train) == 1 else ids
    refuse(tune_several_file_systems(name, file_systems=chosen))
    return chosen[0]


def _lustre(channel: Mapping[str, Any]) -> Iterator[str]:
    """Yield the FSx for Lustre file system that a channel is."""
    source = channel.get("DataSource", {}).get("FileSystemDataSource", {})
    if source.get("FileSystemType") == "FSxLustre":
        yield str(source["FileSystemId"])


def _file_system(aws: Aws, file_system_id: str) -> dict[str, Any]:
    """Return what FSx says of a file system."""
    try:
        found = aws.ask("fsx", "describe_file_systems", FileSystemIds=[file_system_id])["FileSystems"]
    except NotFoundError:
        found = []
    if not found:
        raise NotFoundError(
            f"file system {file_system_id} does not exist any more in {aws.region}, and what it was cannot be told"
        )
    described: dict[str, Any] = found[0]
    return described
