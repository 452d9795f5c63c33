"""What SageMaker and FSx say of a job becomes a measured job, whatever shape they say it in."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from epochwise.live.aws import Aws
from epochwise.live.failure import AwsError, NotFoundError, RefusedError
from epochwise.live.job_observation import observe_job
from epochwise.tuning.refusal import NotTunableError

NOW = datetime(2026, 10, 9, 12, tzinfo=UTC)
START = NOW - timedelta(hours=2)


def lustre(name: str, channel: str = "train", kind: str = "FSxLustre") -> dict[str, Any]:
    """Return an input channel that mounts a file system."""
    source = {"FileSystemId": name, "FileSystemType": kind}
    return {"ChannelName": channel, "DataSource": {"FileSystemDataSource": source}}


class Account(Aws):
    """An account with one job and any file system; CloudWatch has one value, the same for all."""

    def __init__(self, failure: AwsError | None = None, **job: Any) -> None:
        self.region = "us-east-1"
        self.failure = failure
        self.job = {
            "TrainingJobStatus": "Completed",
            "TrainingStartTime": START,
            "TrainingEndTime": START + timedelta(minutes=3),
            "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4},
            "InputDataConfig": [lustre("fs-1")],
        } | job
        self.keys: list[tuple[str, str]] = []

    def ask(self, service: str, method: str, **request: Any) -> dict[str, Any]:
        if service == "sagemaker":
            if self.failure is not None:
                raise self.failure
            return {key: value for key, value in self.job.items() if value is not None}
        assert method == "describe_file_systems"
        [name] = request["FileSystemIds"]
        described = {
            "FileSystemId": name,
            "FileSystemType": "LUSTRE",
            "StorageType": "SSD",
            "StorageCapacity": 4800,
            "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 500},
        }
        return {"FileSystems": [] if name == "fs-0" else [described]}

    def pages(self, service: str, method: str, **request: Any) -> Iterator[dict[str, Any]]:
        assert service == "cloudwatch"
        if method == "list_metrics":
            listed = [{"Name": "StorageTargetId", "Value": "OST0000"}, *request["Dimensions"]]
            yield {"Metrics": [{"MetricName": "DiskReadBytes", "Dimensions": listed}]}
            return
        for query in request["MetricDataQueries"]:
            metric = query["MetricStat"]["Metric"]
            self.keys.append((metric["MetricName"], metric["Dimensions"][-1]["Value"]))
            yield {"MetricDataResults": [{"Id": query["Id"], "Timestamps": [request["StartTime"]], "Values": [6e9]}]}


def test_nodes_input_and_metrics_are_put_together() -> None:
    account = Account()
    job = observe_job(account, "job", NOW)
    assert (job.name, job.status, job.nodes, job.period_s) == ("job", "Completed", 4, 60)
    assert job.file_system.file_system_id == "fs-1"
    assert job.storage.read_mbps == (100.0, None, None)
    assert job.storage.disk_read_mbps == (100.0, None, None)
    assert ("GPUUtilization", "job/algo-4") in account.keys
    assert ("DiskReadBytes", "OST0000") in account.keys


def test_groups_of_one_type_are_nodes_and_groups_of_several_are_refused() -> None:
    def groups(*kinds: str) -> dict[str, Any]:
        return {"InstanceGroups": [{"InstanceType": kind, "InstanceCount": 2} for kind in kinds]}

    assert observe_job(Account(ResourceConfig=groups("ml.p4d.24xlarge", "ml.p4d.24xlarge")), "job", NOW).nodes == 4
    with pytest.raises(NotTunableError, match=r"nodes of 2 types \(ml\.p4d\.24xlarge, ml\.g5\.48xlarge\)"):
        observe_job(Account(ResourceConfig=groups("ml.p4d.24xlarge", "ml.g5.48xlarge")), "job", NOW)
    with pytest.raises(NotTunableError, match=r"\[TUNE_MIXED_INSTANCE_TYPES\]"):
        observe_job(Account(ResourceConfig={}), "job", NOW)


def test_a_channel_of_another_file_system_is_none() -> None:
    with pytest.raises(NotTunableError, match="none of the 2 input channels of job"):
        observe_job(Account(InputDataConfig=[lustre("fs-1", kind="EFS"), {"ChannelName": "x"}]), "job", NOW)
    with pytest.raises(NotTunableError, match="none of the 0 input channels of job"):
        observe_job(Account(InputDataConfig=None), "job", NOW)
    named = observe_job(Account(InputDataConfig=None), "job", NOW, "fs-2")
    assert named.file_system.file_system_id == "fs-2"


def test_one_file_system_in_several_channels_is_one() -> None:
    channels = [lustre("fs-1", "train"), lustre("fs-1", "checkpoints")]
    assert observe_job(Account(InputDataConfig=channels), "job", NOW).file_system.file_system_id == "fs-1"
    channels = [lustre("fs-1", "images"), lustre("fs-2", "checkpoints"), lustre("fs-3", "train")]
    assert observe_job(Account(InputDataConfig=channels), "job", NOW).file_system.file_system_id == "fs-3"


def test_a_job_without_an_end_ends_now() -> None:
    job = observe_job(Account(TrainingEndTime=None, TrainingJobStatus="InProgress"), "job", NOW)
    assert (job.end, job.running) == (NOW, True)
    assert len(job.storage.read_mbps) == 120


@pytest.mark.parametrize(
    "failure",
    [
        RefusedError("AWS refused it: Requested resource not found (ValidationException)", "ValidationException"),
        RefusedError("AWS refused it: Could not find training job 'x' (ValidationException)", "ValidationException"),
        NotFoundError("DescribeTrainingJob finds nothing of that name"),
    ],
)
def test_a_job_that_is_not_there_is_told_however_aws_says_it(failure: AwsError) -> None:
    with pytest.raises(NotFoundError, match="there is no training job of that name in us-east-1"):
        observe_job(Account(failure), "job", NOW)


def test_another_refusal_is_passed_on() -> None:
    with pytest.raises(RefusedError, match="too long"):
        observe_job(Account(RefusedError("AWS refused it: too long", "ValidationException")), "job", NOW)


def test_a_file_system_that_is_gone_is_told() -> None:
    with pytest.raises(NotFoundError, match="file system fs-0 does not exist any more"):
        observe_job(Account(), "job", NOW, "fs-0")
