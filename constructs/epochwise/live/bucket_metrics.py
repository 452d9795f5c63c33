"""Estimate what a bucket holds from the metrics that S3 puts into CloudWatch once a day."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from epochwise.catalog.s3_storage import (
    ALL_STORAGE_TYPES,
    METRICS_NAMESPACE,
    OBJECTS_METRIC,
    SIZE_METRIC,
    holds_objects,
)
from epochwise.live.aws import Aws
from epochwise.live.failure import NotFoundError
from epochwise.sizing.measurement import Held, Measurement, Method
from epochwise.workload.s3_address import S3Address

_DAY_S = 86_400
_LOOK_BACK = timedelta(days=7)
"""The metrics of a day come a day or two later."""


def estimated(address: S3Address, today: date, region: str | None = None) -> Measurement:
    """Return what a whole bucket held on the last day for which there are metrics.

    Needs the permissions cloudwatch:ListMetrics and cloudwatch:GetMetricData.

    Raises:
        AwsError: AWS does not answer, or has no metrics of the bucket.
    """
    aws = Aws(region)
    storage_types = sorted(filter(holds_objects, _storage_types(aws, address.bucket)))
    measured = [(OBJECTS_METRIC, ALL_STORAGE_TYPES), *((SIZE_METRIC, each) for each in storage_types)]
    counted, *sizes = _by_day(aws, address.bucket, measured, today)
    days = sorted(day for day in counted if any(day in size for size in sizes))
    if not days:
        raise NotFoundError(
            f"CloudWatch has no daily metrics of the bucket {address.bucket} in {aws.region}: it is empty or younger "
            "than two days, does not exist, or lies in another Region, which --region names"
        )
    day = days[-1]
    held = {name: size[day] for name, size in zip(storage_types, sizes, strict=True) if day in size}
    return Measurement(
        source=address.uri,
        method=Method.METRICS,
        measured_on=day,
        objects=counted[day],
        folder_markers=0,
        size_bytes=sum(held.values()),
        sizes=None,
        storage_classes={name: Held(None, size) for name, size in held.items()},
    )


def _storage_types(aws: Aws, bucket: str) -> set[str]:
    """Return the storage types that a bucket has had of late."""
    pages = aws.pages(
        "cloudwatch",
        "list_metrics",
        Namespace=METRICS_NAMESPACE,
        MetricName=SIZE_METRIC,
        Dimensions=[{"Name": "BucketName", "Value": bucket}],
    )
    return {
        dimension["Value"]
        for page in pages
        for metric in page["Metrics"]
        for dimension in metric["Dimensions"]
        if dimension["Name"] == "StorageType"
    }


def _by_day(aws: Aws, bucket: str, measured: list[tuple[str, str]], today: date) -> list[dict[date, int]]:
    """Return the value of each metric and storage type by the day."""
    end = datetime.combine(today, datetime.min.time(), tzinfo=UTC) + timedelta(days=1)
    queries: list[dict[str, Any]] = [
        {
            "Id": f"m{place}",
            "MetricStat": {
                "Metric": {
                    "Namespace": METRICS_NAMESPACE,
                    "MetricName": metric,
                    "Dimensions": [
                        {"Name": "BucketName", "Value": bucket},
                        {"Name": "StorageType", "Value": storage_type},
                    ],
                },
                "Period": _DAY_S,
                "Stat": "Average",
            },
        }
        for place, (metric, storage_type) in enumerate(measured)
    ]
    found: dict[str, dict[date, int]] = {query["Id"]: {} for query in queries}
    pages = aws.pages(
        "cloudwatch", "get_metric_data", MetricDataQueries=queries, StartTime=end - _LOOK_BACK, EndTime=end
    )
    for page in pages:
        for result in page["MetricDataResults"]:
            for time, value in zip(result["Timestamps"], result["Values"], strict=True):
                found[result["Id"]][time.astimezone(UTC).date()] = round(value)
    return list(found.values())
