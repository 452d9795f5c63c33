from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from epochwise.catalog.cloudwatch_api import QUERIES_PER_CALL
from epochwise.live.aws import Aws
from epochwise.live.metric_data import MOST_PERIODS, Window, fetched_series, listed_metrics, window_of
from epochwise.tuning.cloudwatch_metrics import MetricKey, host_keys

NOON = datetime(2026, 10, 9, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Answers(Aws):
    """CloudWatch that answers in pages of two results, each with one point, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def pages(self, service: str, method: str, **request: Any) -> Iterator[dict[str, Any]]:
        assert service == "cloudwatch"
        self.asked.append(request)
        if method == "list_metrics":
            for name in ("DataReadBytes", "DiskReadBytes"):
                yield {"Metrics": [{"MetricName": name, "Dimensions": [{"Name": "FileSystemId", "Value": "fs-1"}]}]}
            return
        queries = request["MetricDataQueries"]
        for minute in range(2):
            for first in range(0, len(queries), 2):
                yield {
                    "MetricDataResults": [
                        {
                            "Id": query["Id"],
                            "Timestamps": [request["StartTime"] + timedelta(minutes=minute)],
                            "Values": [
                                float(query["MetricStat"]["Metric"]["Dimensions"][0]["Value"][9:]) + minute / 10
                            ],
                        }
                        for query in queries[first : first + 2]
                    ]
                }


def _number(query: dict[str, Any]) -> float:
    """Return the number of the node that a query is about."""
    return float(query["MetricStat"]["Metric"]["Dimensions"][0]["Value"].rpartition("-")[2])


@pytest.mark.parametrize(("nodes", "calls"), [(1, 1), (250, 1), (251, 2), (600, 3)])
def test_no_call_has_more_than_500_queries_and_every_page_is_read(nodes: int, calls: int) -> None:
    aws, keys = Answers(), list(host_keys("job", nodes))
    found = fetched_series(aws, [*keys, keys[0]], Window(NOON, NOON + timedelta(minutes=3), 60))
    assert [len(request["MetricDataQueries"]) <= QUERIES_PER_CALL for request in aws.asked] == [True] * calls
    assert len(found) == 2 * nodes
    for key, series in found.items():
        number = float(key.dimensions[0][1].rpartition("-")[2])
        # two of three minutes came, each on a page of its own
        assert series == (number, number + 0.1, None)
    assert {query["MetricStat"]["Period"] for request in aws.asked for query in request["MetricDataQueries"]} == {60}


def test_points_outside_the_window_are_left_out() -> None:
    aws, key = Answers(), MetricKey("n", "m", (("Host", "job/algo-7"),), "Average")
    assert fetched_series(aws, [key], Window(NOON, NOON + timedelta(minutes=1), 60)) == {key: (7.0,)}


def test_every_page_of_listed_metrics_is_read() -> None:
    assert listed_metrics(Answers(), "fs-1") == [
        ("DataReadBytes", {"FileSystemId": "fs-1"}),
        ("DiskReadBytes", {"FileSystemId": "fs-1"}),
    ]


@pytest.mark.parametrize(
    ("age", "length", "period_s"),
    [
        (15 * DAY - HOUR, HOUR, 60),
        (15 * DAY, HOUR, 300),
        (63 * DAY - HOUR, HOUR, 300),
        (63 * DAY, HOUR, 3600),
        (700 * DAY, HOUR, 3600),
        (3 * DAY, MOST_PERIODS * timedelta(minutes=1), 60),
        (3 * DAY, MOST_PERIODS * timedelta(minutes=1) + HOUR, 300),
        (14 * DAY, 13 * DAY, 3600),
    ],
)
def test_the_finest_period_that_is_kept_and_not_too_long_is_taken(
    age: timedelta, length: timedelta, period_s: int
) -> None:
    start = NOON - age
    window = window_of(start, start + length, NOON)
    assert window.period_s == period_s
    assert window.periods <= MOST_PERIODS + 1
    assert window.start <= start
    assert window.end >= start + length
    assert window.start.timestamp() % period_s == 0


def test_a_window_begins_and_ends_with_whole_minutes() -> None:
    start = NOON + timedelta(seconds=30)
    window = window_of(start, start + timedelta(seconds=61), NOON + DAY)
    assert (window.start, window.end, window.periods) == (NOON, NOON + timedelta(minutes=2), 2)
    instant = window_of(NOON, NOON, NOON + DAY)
    assert instant.periods == 1
