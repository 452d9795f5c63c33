"""Jobs from which nothing can be concluded, each with what would help. One rule, one function, one id."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from epochwise.checks.finding import Finding, Level
from epochwise.checks.tuning import FINEST_DAYS, FINEST_PERIOD_S
from epochwise.declaration.quantity_text import seconds_text


def tune_no_file_system(job: str, *, file_systems: Sequence[str], channels: int) -> Iterator[Finding]:
    """A job that reads from no file system says nothing about one.

    Source: SageMaker API, DescribeTrainingJob InputDataConfig FileSystemDataSource.
    """
    if not file_systems:
        yield Finding(
            "TUNE_NO_FILE_SYSTEM",
            Level.ERROR,
            f"none of the {channels} input channels of {job} is an FSx for Lustre file system",
            "name it with --file-system where the container mounts one itself",
        )


def tune_several_file_systems(job: str, *, file_systems: Sequence[str]) -> Iterator[Finding]:
    """Of several file systems none can be chosen for the user. Source: as for one."""
    if len(file_systems) > 1:
        yield Finding(
            "TUNE_SEVERAL_FILE_SYSTEMS",
            Level.ERROR,
            f"{job} reads from {', '.join(file_systems)}, and its train channel from none of them alone",
            f"name one, such as --file-system {file_systems[0]}",
        )


def tune_other_region(job: str, *, region: str, declared: str) -> Iterator[Finding]:
    """A plan has the prices and the file systems of one Region, which must be the job's. Source: as for prices."""
    if region != declared:
        yield Finding(
            "TUNE_OTHER_REGION",
            Level.ERROR,
            f"{job} is looked for in {region}, and the workload file is planned for {declared}",
            f"write region: {region} into the file, or name a job of {declared} with --region {declared}",
        )


def tune_not_started(job: str, *, status: str, started: bool) -> Iterator[Finding]:
    """A job that has not begun to train has no metrics. Source: SageMaker API, TrainingStartTime."""
    if not started:
        yield Finding(
            "TUNE_NOT_STARTED",
            Level.ERROR,
            f"{job} has not begun to train, its status is {status}",
            "repeat it some minutes after it has begun, or name a job that ran",
        )


def tune_metrics_expired(job: str, *, ended: datetime, age_days: float, kept_days: float) -> Iterator[Finding]:
    """CloudWatch forgets metrics. Source: CloudWatch API, GetMetricData: points of an hour are kept for 455 days."""
    if age_days > kept_days:
        yield Finding(
            "TUNE_METRICS_EXPIRED",
            Level.ERROR,
            f"{job} ended on {ended:%Y-%m-%d}, {age_days:.0f} days ago, and CloudWatch keeps metrics for "
            f"{kept_days:.0f} days",
            "name a later job",
        )


def tune_no_metrics(file_system_id: str, *, reads: int) -> Iterator[Finding]:
    """Without DataReadBytes nothing is known of what a job read. Source: FSx User Guide, fs-metrics."""
    if not reads:
        yield Finding(
            "TUNE_NO_METRICS",
            Level.ERROR,
            f"CloudWatch has no DataReadBytes of {file_system_id} while the job ran",
            "check that the job read from this file system, and the Region that is asked",
        )


def tune_too_short(job: str, *, points: int, least: int, period_s: int) -> Iterator[Finding]:
    """A few points are no measurement; the first and the last, which are partly filled, do not count."""
    if points < least:
        yield Finding(
            "TUNE_TOO_SHORT",
            Level.ERROR,
            f"{job} has {points} whole periods of {period_s} s in which it read and has metrics; {least} are needed, "
            f"about {seconds_text((least + 2) * period_s)} of training",
            "name a longer job" + ("" if period_s == FINEST_PERIOD_S else f", or one of the last {FINEST_DAYS} days"),
        )


def tune_mixed_instance_types(job: str, *, instance_types: Sequence[str]) -> Iterator[Finding]:
    """A plan is for nodes of one type. Source: SageMaker API, ResourceConfig InstanceGroups."""
    if len(instance_types) != 1:
        yield Finding(
            "TUNE_MIXED_INSTANCE_TYPES",
            Level.ERROR,
            f"{job} ran on nodes of {len(instance_types)} types ({', '.join(instance_types) or 'none is named'}), and "
            "a plan is for one",
            "name a job on nodes of one type",
        )


def tune_not_lustre(file_system_id: str, file_system_type: str) -> Finding:
    """Only FSx for Lustre is sized here."""
    return Finding(
        "TUNE_NOT_LUSTRE",
        Level.ERROR,
        f"{file_system_id} is {file_system_type}, not FSx for Lustre",
        "name an FSx for Lustre file system",
    )


def tune_file_system_unknown(file_system_id: str, said: str) -> Finding:
    """A file system of a kind that the catalog does not know cannot be predicted."""
    return Finding(
        "TUNE_FILE_SYSTEM_UNKNOWN",
        Level.ERROR,
        f"{file_system_id} is of no kind that the catalog knows: {said}",
        "upgrade epochwise, whose catalog may know it by then",
    )
