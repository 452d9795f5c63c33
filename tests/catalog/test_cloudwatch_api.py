"""What is said about CloudWatch is what botocore's own text says."""

import re
from typing import Any

from botocore.loaders import Loader

from epochwise.catalog.cloudwatch_api import LISTED_DAYS, QUERIES_PER_CALL, RETENTION


def service() -> dict[str, Any]:
    """Return botocore's model of CloudWatch."""
    model: dict[str, Any] = Loader().load_service_model("cloudwatch", "service-2")
    return model


def test_periods_and_their_retention_are_those_of_the_api() -> None:
    text = re.sub(r"<[^>]+>", "", service()["operations"]["GetMetricData"]["documentation"])
    found = re.findall(r"period of (\d+) seconds \([^)]*\) are available for (\d+) days", text)
    assert [(int(period), int(days)) for period, days in found] == list(RETENTION)
    assert f"as many as {QUERIES_PER_CALL} different metrics" in text


def test_metrics_are_listed_for_two_weeks() -> None:
    text = service()["operations"]["ListMetrics"]["documentation"]
    assert "in the past two weeks" in text
    assert LISTED_DAYS == 14
