"""The Lambda function: fetch a job's metrics and what NCCL logged from CloudWatch, and judge them."""

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3

from . import nccl_without_efa
from .evaluate import Configuration, Look, evaluate
from .metric_query import HOST_METRICS, MAX_QUERIES, file_system_query, host_query
from .metrics import Host, Metrics, begin_with_job, series_of
from .nccl_log import nccl_lines


def handle(event: Any, _context: Any) -> dict[str, Any]:
    """Answer with what is found in a job: `{"job": …, "nodes": …, "instance_type": …, "time": …}`, also as text."""
    asked: dict[str, Any] = json.loads(event) if isinstance(event, str) else event
    configuration = Configuration.from_json(json.loads(os.environ["CONFIGURATION"]))
    end = datetime.fromisoformat(asked["time"]).astimezone(UTC).replace(second=0, microsecond=0)
    start = end - timedelta(minutes=configuration.lookback_minutes)
    vcpus, gpus, efa = configuration.instance_types[asked["instance_type"]]
    scales = {"cpu": vcpus, "gpu": max(1, gpus), "gpu_memory": max(1, gpus)}
    names = [f"{asked['job']}/algo-{number}" for number in range(1, int(asked["nodes"]) + 1)]
    queries = [
        host_query(f"{kind}_{number}", metric, name)
        for number, name in enumerate(names)
        for kind, metric in HOST_METRICS.items()
    ]
    if configuration.file_system_id:
        queries.append(file_system_query("read", "DataReadBytes", configuration.file_system_id))
    fetched = _fetch(queries, start, end)
    nccl_over_efa = len(names) > 1 and efa > 0
    said: Mapping[str, tuple[str, ...]] = {}
    if nccl_over_efa and nccl_without_efa.RULE in configuration.rules:
        said = nccl_lines(boto3.client("logs"), asked["job"], len(names), start, end)
    empty: list[float | None] = [None] * configuration.lookback_minutes
    hosts = tuple(
        Host(
            name.rpartition("/")[2],
            **{kind: series_of(fetched.get(f"{kind}_{number}", empty), scale) for kind, scale in scales.items()},
            log=said.get(name.rpartition("/")[2], ()),
        )
        for number, name in enumerate(names)
    )
    metrics = Metrics(
        hosts,
        # bytes of a minute to MB/s
        read_mbps=series_of(fetched.get("read", empty), 60 * 1_000_000),
        covers_start=begin_with_job(hosts),
        nccl_over_efa=nccl_over_efa,
    )
    return evaluate(configuration, Look(asked["job"], asked["time"], metrics))


def _fetch(queries: list[dict[str, Any]], start: datetime, end: datetime) -> dict[str, list[float | None]]:
    """Return each query's values by minute."""
    minutes = int((end - start).total_seconds()) // 60
    found: dict[str, list[float | None]] = {query["Id"]: [None] * minutes for query in queries}
    for result in _pages(queries, start, end):
        for stamp, value in zip(result["Timestamps"], result["Values"], strict=True):
            minute = int((stamp - start).total_seconds()) // 60
            if 0 <= minute < minutes:
                found[result["Id"]][minute] = value
    return found


def _pages(queries: list[dict[str, Any]], start: datetime, end: datetime) -> Iterator[dict[str, Any]]:
    """Yield the results of all queries, page by page."""
    pages = boto3.client("cloudwatch").get_paginator("get_metric_data")
    for first in range(0, len(queries), MAX_QUERIES):
        for page in pages.paginate(
            MetricDataQueries=queries[first : first + MAX_QUERIES],
            StartTime=start,
            EndTime=end,
            ScanBy="TimestampAscending",
        ):
            yield from page["MetricDataResults"]
