"""Fetch series of CloudWatch: as many as it takes, at the finest period that is still kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from epochwise.catalog.cloudwatch_api import QUERIES_PER_CALL, RETENTION
from epochwise.live.aws import Aws
from epochwise.tuning.cloudwatch_metrics import FILE_SYSTEM, FSX, MetricKey
from epochwise.watching.metrics import Series

MOST_PERIODS = 2880
"""Values of one series that are asked for at most: two days by the minute; longer jobs are looked at coarser."""


class Window(NamedTuple):
    """From when to when a job is looked at, in whole periods."""

    start: datetime
    end: datetime
    period_s: int

    @property
    def periods(self) -> int:
        """How many values a series has."""
        return round((self.end - self.start).total_seconds()) // self.period_s


def window_of(start: datetime, end: datetime, now: datetime) -> Window:
    """Return the window that covers a job: the finest period that is kept since its start, and not too many of them."""
    age_days = (now - start) / timedelta(days=1)
    length_s = (end - start).total_seconds()
    period_s = next(
        (each.period_s for each in RETENTION if age_days < each.days and length_s / each.period_s <= MOST_PERIODS),
        RETENTION[-1].period_s,
    )
    first = start.timestamp() // period_s
    last = -(-end.timestamp() // period_s)
    zone = start.tzinfo
    return Window(
        datetime.fromtimestamp(first * period_s, tz=zone),
        datetime.fromtimestamp(max(last, first + 1) * period_s, tz=zone),
        period_s,
    )


def listed_metrics(aws: Aws, file_system_id: str) -> list[tuple[str, dict[str, str]]]:
    """Return every metric that CloudWatch lists of a file system, by name and dimensions.

    Needs the permission cloudwatch:ListMetrics. It lists what had points in the last two weeks.

    Raises:
        AwsError: AWS does not answer.
    """
    asked = {"Namespace": FSX, "Dimensions": [{"Name": FILE_SYSTEM, "Value": file_system_id}]}
    return [
        (metric["MetricName"], {each["Name"]: each["Value"] for each in metric["Dimensions"]})
        for page in aws.pages("cloudwatch", "list_metrics", **asked)
        for metric in page.get("Metrics", ())
    ]


def fetched_series(aws: Aws, keys: Iterable[MetricKey], window: Window) -> dict[MetricKey, Series]:
    """Return each series by the period, None where CloudWatch has no point.

    Needs the permission cloudwatch:GetMetricData.

    Raises:
        AwsError: AWS does not answer.
    """
    found: dict[MetricKey, Series] = {}
    wanted = list(dict.fromkeys(keys))
    for first in range(0, len(wanted), QUERIES_PER_CALL):
        some = wanted[first : first + QUERIES_PER_CALL]
        values: dict[str, list[float | None]] = {_id(place): [None] * window.periods for place in range(len(some))}
        for result in _results(aws, some, window):
            _fill(values[result["Id"]], result, window)
        found |= {key: tuple(values[_id(place)]) for place, key in enumerate(some)}
    return found


def _results(aws: Aws, keys: Sequence[MetricKey], window: Window) -> Iterator[Mapping[str, Any]]:
    """Yield the results of one set of queries, page by page."""
    for page in aws.pages(
        "cloudwatch",
        "get_metric_data",
        MetricDataQueries=[_query(_id(place), key, window.period_s) for place, key in enumerate(keys)],
        StartTime=window.start,
        EndTime=window.end,
        ScanBy="TimestampAscending",
    ):
        yield from page.get("MetricDataResults", ())


def _fill(values: list[float | None], result: Mapping[str, Any], window: Window) -> None:
    """Put the points of a result in their places."""
    for stamp, value in zip(result["Timestamps"], result["Values"], strict=True):
        place = int((stamp - window.start).total_seconds() // window.period_s)
        if 0 <= place < len(values):
            values[place] = value


def _id(place: int) -> str:
    """Name a query; CloudWatch wants a lower case letter first."""
    return f"q{place}"


def _query(query_id: str, key: MetricKey, period_s: int) -> dict[str, Any]:
    """Return one query of GetMetricData."""
    return {
        "Id": query_id,
        "MetricStat": {
            "Metric": {
                "Namespace": key.namespace,
                "MetricName": key.name,
                "Dimensions": [{"Name": name, "Value": value} for name, value in key.dimensions],
            },
            "Period": period_s,
            "Stat": key.statistic,
        },
    }
