"""One metric of a job's node or of its file system, as GetMetricData is asked for it."""

from typing import Any

MAX_QUERIES = 500
"""Most of one GetMetricData call (CloudWatch API)."""
HOST_METRICS = {"cpu": "CPUUtilization", "gpu": "GPUUtilization", "gpu_memory": "GPUMemoryUtilization"}
"""What a node's series are called in CloudWatch. Source: SageMaker Developer Guide, metrics of training jobs."""


def host_query(query_id: str, metric: str, host: str, *, period_s: int = 60) -> dict[str, Any]:
    """Return the query of a node's mean; `host` is written `<job>/algo-1`."""
    dimension = {"Name": "Host", "Value": host}
    return _query(query_id, _metric("/aws/sagemaker/TrainingJobs", metric, dimension), "Average", period_s)


def file_system_query(query_id: str, metric: str, file_system_id: str, *, period_s: int = 60) -> dict[str, Any]:
    """Return the query of a file system's sum."""
    dimension = {"Name": "FileSystemId", "Value": file_system_id}
    return _query(query_id, _metric("AWS/FSx", metric, dimension), "Sum", period_s)


def _metric(namespace: str, name: str, dimension: dict[str, str]) -> dict[str, Any]:
    """Return a metric with its one dimension."""
    return {"Namespace": namespace, "MetricName": name, "Dimensions": [dimension]}


def _query(query_id: str, metric: dict[str, Any], statistic: str, period_s: int) -> dict[str, Any]:
    """Return one query of GetMetricData, a value a period."""
    return {"Id": query_id, "MetricStat": {"Metric": metric, "Period": period_s, "Stat": statistic}}
