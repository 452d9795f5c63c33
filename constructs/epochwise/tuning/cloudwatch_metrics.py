"""Which metrics of CloudWatch tell what of a job, and how they are counted.

Source: FSx User Guide, fs-metrics; SageMaker Developer Guide, CloudWatch metrics of training jobs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from epochwise.catalog.instance_types import InstanceType
from epochwise.catalog.units import BYTES_PER_MB
from epochwise.tuning.measured_job import StorageMetrics, summed
from epochwise.watching.metrics import Host, Series, known, series_of

FSX = "AWS/FSx"
TRAINING_JOBS = "/aws/sagemaker/TrainingJobs"
FILE_SYSTEM = "FileSystemId"
_SERVER, _TARGET = "FileServer", "StorageTargetId"
_OF_PARTS = {
    "DiskReadBytes": (_TARGET, "OST", "Sum"),
    "FileOpenOperations": (_TARGET, "MDT", "Sum"),
    "NetworkThroughputUtilization": (_SERVER, "OSS", "Average"),
    "FileServerDiskThroughputUtilization": (_SERVER, "OSS", "Average"),
    "CPUUtilization": (_SERVER, "MDS", "Average"),
}
"""Metrics of one server or target: its dimension, how its names begin, and the statistic."""


class MetricKey(NamedTuple):
    """One series that CloudWatch keeps."""

    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]
    statistic: str


def host_keys(job: str, nodes: int) -> Iterator[MetricKey]:
    """Yield what is asked about the nodes of a job."""
    for number in range(1, nodes + 1):
        for name in ("CPUUtilization", "GPUUtilization"):
            yield MetricKey(TRAINING_JOBS, name, (("Host", f"{job}/algo-{number}"),), "Average")


def file_system_keys(file_system_id: str) -> Iterator[MetricKey]:
    """Yield what is asked about a file system as a whole."""
    asked = {
        "DataReadBytes": ("Sum", "SampleCount"),
        "DataWriteBytes": ("Sum",),
        "MetadataOperations": ("Sum",),
        "ClientConnections": ("Maximum",),
        "LogicalDiskUsage": ("Sum",),
    }
    for name, statistics in asked.items():
        for statistic in statistics:
            yield MetricKey(FSX, name, ((FILE_SYSTEM, file_system_id),), statistic)


def part_keys(listed: Iterable[tuple[str, Mapping[str, str]]]) -> Iterator[MetricKey]:
    """Yield what is asked about the servers and targets of a file system.

    Args:
        listed: the metrics that CloudWatch lists of the file system, each by name and dimensions.
    """
    for name, dimensions in listed:
        dimension, begins, statistic = _OF_PARTS.get(name, ("", "", ""))
        part = dimensions.get(dimension, "")
        if dimension and part.startswith(begins) and len(dimensions) == 2:
            ordered = ((FILE_SYSTEM, dimensions[FILE_SYSTEM]), (dimension, part))
            yield MetricKey(FSX, name, ordered, statistic)


def hosts_of(
    found: Mapping[MetricKey, Series], job: str, nodes: int, instance: InstanceType | None
) -> tuple[Host, ...]:
    """Return the nodes of a job in percent of the whole node; of a type that nobody knows they have no metrics."""
    if instance is None:
        return tuple(Host(f"algo-{number}") for number in range(1, nodes + 1))

    def percent(host: str, name: str, scale: int) -> Series:
        """Return one metric of a node."""
        key = MetricKey(TRAINING_JOBS, name, (("Host", f"{job}/{host}"),), "Average")
        return series_of(found.get(key, ()), scale)

    return tuple(
        Host(
            host,
            cpu=percent(host, "CPUUtilization", instance.vcpu),
            gpu=percent(host, "GPUUtilization", max(1, instance.accelerators)),
        )
        for host in (f"algo-{number}" for number in range(1, nodes + 1))
    )


def storage_of(found: Mapping[MetricKey, Series], file_system_id: str, period_s: int) -> StorageMetrics:
    """Return a file system's metrics as rates; what CloudWatch does not have is empty.

    A sum over a period of several minutes holds as many points a part as it has minutes.
    """
    minutes = period_s / 60

    def whole(name: str, statistic: str, scale: float) -> Series:
        return series_of(found.get(MetricKey(FSX, name, ((FILE_SYSTEM, file_system_id),), statistic), ()), scale)

    def parts(name: str, scale: float = 1.0) -> tuple[Series, ...]:
        of_name = sorted(key for key in found if key.namespace == FSX and key.name == name and len(key.dimensions) == 2)
        series = (series_of(found[key], scale) for key in of_name)
        return tuple(each for each in series if known(each))

    disks = parts("DiskReadBytes", period_s * BYTES_PER_MB)
    samples = known(whole("DataReadBytes", "SampleCount", minutes))
    return StorageMetrics(
        read_mbps=whole("DataReadBytes", "Sum", period_s * BYTES_PER_MB),
        write_mbps=whole("DataWriteBytes", "Sum", period_s * BYTES_PER_MB),
        disk_read_mbps=summed(disks),
        opens_per_s=summed(parts("FileOpenOperations", period_s)),
        metadata_per_s=whole("MetadataOperations", "Sum", period_s),
        connections=whole("ClientConnections", "Maximum", 1.0),
        stored_bytes=whole("LogicalDiskUsage", "Sum", minutes),
        network_percent=parts("NetworkThroughputUtilization"),
        disk_percent=parts("FileServerDiskThroughputUtilization"),
        metadata_cpu_percent=parts("CPUUtilization"),
        targets=round(max(samples)) if samples else None,
        targets_seen=len(disks),
    )
