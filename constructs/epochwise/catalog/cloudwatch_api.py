"""What CloudWatch keeps of a metric and for how long, and how much of it one call gives."""

from typing import NamedTuple

from epochwise.catalog.data_file import load

_DATA = load("cloudwatch_api")


class Retention(NamedTuple):
    """For how long points of a period are kept."""

    period_s: int
    days: int


RETENTION: tuple[Retention, ...] = tuple(Retention(**row) for row in _DATA["retention"])
"""The finest period first."""
QUERIES_PER_CALL: int = _DATA["queries_per_call"]
"""Most series of one GetMetricData call."""
LISTED_DAYS: int = _DATA["listed_days"]
"""Days for which ListMetrics lists a metric that has no more points."""
