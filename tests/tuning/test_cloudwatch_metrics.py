import pytest

from epochwise.catalog.instance_types import instance_type
from epochwise.tuning.cloudwatch_metrics import (
    FSX,
    MetricKey,
    file_system_keys,
    host_keys,
    hosts_of,
    part_keys,
    storage_of,
)
from epochwise.watching.metrics import Series

ID = "fs-0123456789abcdef0"


def of(name: str, *values: float | None, statistic: str = "Sum", **part: str) -> dict[MetricKey, Series]:
    """Return one series."""
    return {MetricKey(FSX, name, (("FileSystemId", ID), *part.items()), statistic): values}


def test_each_node_and_the_whole_file_system_are_asked_about() -> None:
    hosts = list(host_keys("job", 2))
    assert [key.dimensions for key in hosts] == [(("Host", f"job/algo-{number}"),) for number in (1, 1, 2, 2)]
    assert {key.name for key in hosts} == {"CPUUtilization", "GPUUtilization"}
    asked = {(key.name, key.statistic) for key in file_system_keys(ID)}
    assert {("DataReadBytes", "Sum"), ("DataReadBytes", "SampleCount"), ("ClientConnections", "Maximum")} <= asked


@pytest.mark.parametrize(
    ("name", "dimension", "part", "asked"),
    [
        ("DiskReadBytes", "StorageTargetId", "OST0000", "Sum"),
        ("DiskReadBytes", "StorageTargetId", "MDT0000", None),
        ("FileOpenOperations", "StorageTargetId", "MDT0001", "Sum"),
        ("NetworkThroughputUtilization", "FileServer", "OSS0002", "Average"),
        ("CPUUtilization", "FileServer", "MDS0000", "Average"),
        ("CPUUtilization", "FileServer", "OSS0000", None),
        ("DiskWriteBytes", "StorageTargetId", "OST0000", None),
        ("AgeOfOldestQueuedMessage", "Publisher", "AutoImport", None),
    ],
)
def test_of_what_cloudwatch_lists_the_servers_and_targets_are_asked_about(
    name: str, dimension: str, part: str, asked: str | None
) -> None:
    keys = list(part_keys([(name, {dimension: part, "FileSystemId": ID})]))
    wanted = [MetricKey(FSX, name, (("FileSystemId", ID), (dimension, part)), asked)] if asked else []
    assert keys == wanted


def test_a_metric_of_more_dimensions_is_another_metric() -> None:
    listed = {"FileSystemId": ID, "StorageTargetId": "OST0000", "Other": "x"}
    assert list(part_keys([("DiskReadBytes", listed)])) == []


def test_utilisation_is_of_the_whole_node() -> None:
    found = {
        MetricKey("/aws/sagemaker/TrainingJobs", name, (("Host", "job/algo-1"),), "Average"): (value,)
        for name, value in (("CPUUtilization", 4800.0), ("GPUUtilization", 400.0))
    }
    one, two = hosts_of(found, "job", 2, instance_type("ml.p4d.24xlarge"))
    assert (one.cpu, one.gpu) == ((50.0,), (50.0,))
    assert two.is_silent
    assert [host.is_silent for host in hosts_of(found, "job", 2, None)] == [True, True]


@pytest.mark.parametrize("period_s", [60, 300])
def test_rates_do_not_depend_on_the_period(period_s: int) -> None:
    minutes = period_s / 60
    found = (
        of("DataReadBytes", 6e9 * minutes, None)
        | of("DataReadBytes", 4 * minutes, None, statistic="SampleCount")
        | of("DataWriteBytes", 3e9 * minutes, 0.0)
        | of("MetadataOperations", 600.0 * minutes, None)
        | of("LogicalDiskUsage", 1e11 * minutes, 1e11 * minutes)
        | of("ClientConnections", 4.0, 5.0, statistic="Maximum")
        | of("DiskReadBytes", 3e9 * minutes, 1.0, StorageTargetId="OST0000")
        | of("DiskReadBytes", 1.5e9 * minutes, None, StorageTargetId="OST0001")
        | of("DiskReadBytes", None, None, StorageTargetId="OST0002")
        | of("FileOpenOperations", 120.0 * minutes, 0.0, StorageTargetId="MDT0000")
        | of("NetworkThroughputUtilization", 50.0, None, statistic="Average", FileServer="OSS0000")
        | of("CPUUtilization", 10.0, 20.0, statistic="Average", FileServer="MDS0000")
    )
    storage = storage_of(found, ID, period_s)
    assert storage.read_mbps == (100.0, None)
    assert storage.write_mbps == (50.0, 0.0)
    assert storage.disk_read_mbps == (75.0, None)
    assert storage.opens_per_s == (2.0, 0.0)
    assert storage.metadata_per_s == (10.0, None)
    assert storage.stored_bytes == (1e11, 1e11)
    assert storage.connections == (4.0, 5.0)
    assert (storage.targets, storage.targets_seen) == (4, 2)
    assert storage.network_percent == ((50.0, None),)
    assert storage.metadata_cpu_percent == ((10.0, 20.0),)
    assert storage.disk_percent == ()


def test_a_file_system_without_metrics_has_empty_series() -> None:
    storage = storage_of({}, ID, 60)
    assert (storage.read_mbps, storage.disk_read_mbps, storage.targets, storage.targets_seen) == ((), (), None, 0)
