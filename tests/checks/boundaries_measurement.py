"""Boundaries of what is said about how a dataset was measured, and when."""

from datetime import date, timedelta
from functools import partial

from epochwise.checks.measurement import (
    age_findings,
    estimate_counts_versions,
    estimate_of_prefix,
)
from epochwise.checks.measurement import (
    archived_objects_counted as counted,
)
from epochwise.workload import Dataset
from tests.checks.boundaries import Row

TODAY = date(2026, 10, 9)


def _measured(days_ago: int | None) -> Dataset:
    day = None if days_ago is None else TODAY - timedelta(days=days_ago)
    return Dataset.model_validate({"size": "100 GB", "source": "s3://bucket/x/", "measured_on": day})


ROWS = (
    Row("MEASUREMENT_OLD", partial(age_findings, _measured(31), TODAY), "2026-09-08, 31 days ago"),
    Row("MEASUREMENT_OLD", partial(age_findings, _measured(30), TODAY), None),
    Row("MEASUREMENT_OLD", partial(age_findings, _measured(None), TODAY), None),
    Row("MEASUREMENT_IN_FUTURE", partial(age_findings, _measured(-1), TODAY), "2026-10-10"),
    Row("MEASUREMENT_IN_FUTURE", partial(age_findings, _measured(0), TODAY), None),
    Row(
        "ARCHIVED_OBJECTS_COUNTED",
        partial(counted, objects=1, size_bytes=0, classes="GLACIER"),
        "1 object with",
    ),
    Row(
        "ARCHIVED_OBJECTS_COUNTED",
        partial(counted, objects=None, size_bytes=1, classes="GLACIER"),
        "GLACIER",
    ),
    Row("ARCHIVED_OBJECTS_COUNTED", partial(counted, objects=0, size_bytes=0, classes=""), None),
    Row("ESTIMATE_OF_PREFIX", partial(estimate_of_prefix, "s3://bucket/x/", "x/"), "s3://bucket/x/"),
    Row("ESTIMATE_OF_PREFIX", partial(estimate_of_prefix, "s3://bucket/", ""), None),
    Row("ESTIMATE_COUNTS_VERSIONS", partial(estimate_counts_versions, estimated=True), "daily metrics"),
    Row("ESTIMATE_COUNTS_VERSIONS", partial(estimate_counts_versions, estimated=False), None),
)
