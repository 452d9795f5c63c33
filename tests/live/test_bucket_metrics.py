"""A bucket is estimated from the metrics that S3 puts into CloudWatch once a day."""

from datetime import UTC, date, datetime
from typing import Any

import boto3
import pytest

from epochwise.live.bucket_metrics import estimated
from epochwise.live.failure import NotFoundError
from epochwise.sizing.measurement import Held, Method
from epochwise.workload.s3_address import S3Address

TODAY = date(2026, 10, 9)

pytestmark = pytest.mark.usefixtures("here")


def put(bucket: str, metric: str, storage_type: str, values: dict[int, float]) -> None:
    """Put a metric's values, by the day of October 2026."""
    data: list[dict[str, Any]] = [
        {
            "MetricName": metric,
            "Dimensions": [
                {"Name": "BucketName", "Value": bucket},
                {"Name": "StorageType", "Value": storage_type},
            ],
            "Timestamp": datetime(2026, 10, day, tzinfo=UTC),
            "Value": value,
        }
        for day, value in values.items()
    ]
    boto3.client("cloudwatch").put_metric_data(Namespace="AWS/S3", MetricData=data)


def test_all_storage_types_of_the_last_whole_day_are_summed() -> None:
    put("grown", "BucketSizeBytes", "StandardStorage", {6: 100e9, 7: 120e9})
    put("grown", "BucketSizeBytes", "GlacierStorage", {6: 5e9, 7: 6e9})
    put("grown", "BucketSizeBytes", "StandardIAStorage", {6: 1e9})
    put("grown", "BucketSizeBytes", "GlacierObjectOverhead", {7: 3e9})
    put("grown", "BucketSizeBytes", "GlacierStagingStorage", {7: 4e9})
    put("grown", "NumberOfObjects", "AllStorageTypes", {6: 1000, 7: 1234})
    put("another", "BucketSizeBytes", "StandardStorage", {7: 9e12})
    found = estimated(S3Address("grown", ""), TODAY)
    assert (found.size_bytes, found.files, found.measured_on) == (126_000_000_000, 1234, date(2026, 10, 7))
    assert found.method is Method.METRICS
    assert found.sizes is None
    assert found.archived == {"GlacierStorage": Held(None, 6_000_000_000)}
    assert [finding.id for finding in found.findings()] == ["ARCHIVED_OBJECTS_COUNTED", "ESTIMATE_COUNTS_VERSIONS"]


def test_a_day_on_which_objects_were_not_counted_is_passed_over() -> None:
    put("late", "BucketSizeBytes", "StandardStorage", {5: 50e9, 6: 60e9, 7: 70e9})
    put("late", "NumberOfObjects", "AllStorageTypes", {5: 5, 6: 6})
    found = estimated(S3Address("late", ""), TODAY)
    assert (found.size_bytes, found.objects, found.measured_on) == (60_000_000_000, 6, date(2026, 10, 6))


def test_metrics_of_long_ago_are_none() -> None:
    put("old", "BucketSizeBytes", "StandardStorage", {1: 50e9})
    put("old", "NumberOfObjects", "AllStorageTypes", {1: 5})
    with pytest.raises(NotFoundError, match="no daily metrics of the bucket old in us-east-1"):
        estimated(S3Address("old", ""), TODAY)


def test_a_bucket_without_metrics_is_told_with_what_may_be_the_reason() -> None:
    with pytest.raises(NotFoundError, match=r"in eu-west-1: it is empty .* another Region, which --region names"):
        estimated(S3Address("never", ""), TODAY, "eu-west-1")
