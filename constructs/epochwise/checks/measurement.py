"""Remarks about how a dataset was measured, and when."""

from collections.abc import Iterator
from datetime import date

from epochwise.checks.finding import Finding, Level
from epochwise.declaration.quantity_text import counted_text, size_text
from epochwise.workload import Dataset

FRESH_DAYS = 30
"""Days for which a measurement is taken as it is."""


def age_findings(dataset: Dataset, today: date) -> Iterator[Finding]:
    """Yield what the age of a dataset's measurement calls for."""
    if dataset.measured_on is not None:
        yield from measurement_old(dataset.measured_on, today, dataset.source)
        yield from measurement_in_future(dataset.measured_on, today)


def measurement_old(measured_on: date, today: date, source: str | None) -> Iterator[Finding]:
    """Datasets grow, and a plan for what a bucket held a while ago may be too small."""
    age_days = (today - measured_on).days
    if age_days > FRESH_DAYS:
        yield Finding(
            "MEASUREMENT_OLD",
            Level.WARNING,
            f"dataset.measured_on is {measured_on}, {age_days} days ago; what was measured more than {FRESH_DAYS} days "
            "ago may have grown",
            f"measure it again: epochwise measure {source or 's3://bucket/prefix/'} --write FILE",
        )


def measurement_in_future(measured_on: date, today: date) -> Iterator[Finding]:
    """Nothing can have been measured on a day that is still to come."""
    if measured_on > today:
        yield Finding(
            "MEASUREMENT_IN_FUTURE",
            Level.WARNING,
            f"dataset.measured_on is {measured_on}, which is after today, {today}",
            "write the day on which it was measured, or look at the clock",
        )


def archived_objects_counted(*, objects: int | None, size_bytes: int, classes: str) -> Iterator[Finding]:
    """Archived objects cannot be read before they are restored, so a file system linked to them waits in vain.

    It qualifies a figure: what was measured counts them. That a dataset which is about to be linked holds some is
    OBJECTS_ARCHIVED, an error.

    Source: S3 User Guide, restoring-objects: they are not accessible in real time.
    """
    if objects or size_bytes:
        many = "" if objects is None else f"{counted_text(objects, 'object')} with "
        yield Finding(
            "ARCHIVED_OBJECTS_COUNTED",
            Level.WARNING,
            f"{many}{size_text(size_bytes)} are archived ({classes}) and counted, but cannot be read before they are "
            "restored: a file system linked to them cannot load them on first read",
            "restore them, or copy them into S3 Standard, before the file system is linked",
        )


def estimate_of_prefix(uri: str, prefix: str) -> Iterator[Finding]:
    """CloudWatch's bucket metrics know nothing of prefixes.

    Source: S3 User Guide, metrics-dimensions: their dimensions are BucketName and StorageType.
    """
    if prefix:
        bucket = uri.removesuffix(prefix)
        yield Finding(
            "ESTIMATE_OF_PREFIX",
            Level.ERROR,
            f"--estimate reads the bucket's metrics, which count the whole bucket and no prefix, got {uri}",
            f"estimate {bucket}, give an S3 Inventory of it with --inventory, or leave --estimate out to list",
        )


def estimate_counts_versions(*, estimated: bool) -> Iterator[Finding]:
    """The bucket's metrics count more than what a listing shows.

    Source: S3 User Guide, metrics-dimensions: noncurrent versions, and parts of unfinished uploads.
    """
    if estimated:
        yield Finding(
            "ESTIMATE_COUNTS_VERSIONS",
            Level.INFO,
            "estimated from the bucket's daily metrics, which count noncurrent versions, delete markers, folder "
            "markers and unfinished uploads too, and tell no sizes of single files",
            "take it as an upper bound; leave --estimate out to count exactly",
        )
