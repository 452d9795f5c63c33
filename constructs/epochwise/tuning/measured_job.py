"""`MeasuredJob`: what CloudWatch kept of a job and of the file system it read from."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.watching.metrics import Host, Series


@dataclass(frozen=True)
class StorageMetrics:
    """Metrics of a file system, one value a period; an empty series is one that CloudWatch does not have.

    Source of what each counts: FSx User Guide, fs-metrics.
    """

    read_mbps: Series
    """MB/s (10^6 B/s) that clients read."""
    write_mbps: Series = ()
    disk_read_mbps: Series = ()
    """MB/s that all storage targets together read from their disks."""
    opens_per_s: Series = ()
    """File opens of all metadata targets together."""
    metadata_per_s: Series = ()
    """Metadata operations of all kinds."""
    connections: Series = ()
    """Most clients that were connected."""
    stored_bytes: Series = ()
    """Bytes on it, before compression."""
    network_percent: tuple[Series, ...] = ()
    """Of each object storage server, percent of its network throughput."""
    disk_percent: tuple[Series, ...] = ()
    """Of each object storage server, percent of its disk throughput."""
    metadata_cpu_percent: tuple[Series, ...] = ()
    """Of each metadata server, percent of its CPUs."""
    targets: int | None = None
    """Object storage targets that the file system has."""
    targets_seen: int = 0
    """Object storage targets whose disk reads were found."""


@dataclass(frozen=True)
class MeasuredJob:
    """A training job with its nodes' metrics and its file system's, all series of one length and time."""

    name: str
    status: str
    """SageMaker's TrainingJobStatus."""
    start: datetime
    end: datetime
    """Its end, or when it was looked at while it runs."""
    period_s: int
    """Seconds of one value."""
    instance_type: str
    hosts: tuple[Host, ...]
    """Every node, also one without metrics."""
    storage: StorageMetrics
    file_system: ExistingFileSystem

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return len(self.hosts)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.status in {"InProgress", "Stopping"}

    @property
    def completed(self) -> bool:
        """Whether it ran through."""
        return self.status == "Completed"


def summed(series: Iterable[Series]) -> Series:
    """Add series up; where one of them has a gap, so has the sum. Those without any value are left out.

    >>> summed([(1.0, 2.0, None), (3.0, None, 4.0), (None, None, None)])
    (4.0, None, None)
    """
    there = [each for each in series if any(value is not None for value in each)]
    return tuple(
        None if None in values else sum(value for value in values if value is not None)
        for values in zip(*there, strict=True)
    )


def averaged(series: Iterable[Series]) -> Series:
    """Return the mean of the values that are there, a gap where there is none.

    >>> averaged([(1.0, 2.0, None), (3.0, None, None)])
    (2.0, 2.0, None)
    """
    columns = ([value for value in values if value is not None] for values in zip(*series, strict=True))
    return tuple(sum(there) / len(there) if there else None for there in columns)
