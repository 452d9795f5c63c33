"""Read out of the log of a job what NCCL says of its network."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .nccl_without_efa import LOG_FILTER, decided

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
"""Where SageMaker writes the logs of all training jobs, a stream of `<job>/algo-<number>-<time>` for each node.

Source: SageMaker Developer Guide, logging-cloudwatch.
"""
MAX_PAGES = 20
"""Pages of the log that are read at most, 10 000 lines or 1 MB each; NCCL says it when it starts."""


def nccl_lines(logs: Any, job: str, hosts: int, start: datetime, end: datetime) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of each node, by its name such as algo-1, that say what NCCL goes over.

    Reading ends early once every node has said it. Without a log group there is no line.

    Args:
        logs: boto3's client of CloudWatch Logs.
        job: the training job's name.
        hosts: how many nodes it has.
        start: where the log is read from.
        end: up to where.
    """
    of_job = re.compile(rf"{re.escape(job)}/(algo-\d+)(-|$)")
    found: dict[str, list[str]] = {}
    pages = logs.get_paginator("filter_log_events").paginate(
        logGroupName=LOG_GROUP,
        logStreamNamePrefix=f"{job}/algo-",
        filterPattern=LOG_FILTER,
        startTime=int(start.timestamp() * 1000),
        endTime=int(end.timestamp() * 1000),
    )
    try:
        for number, page in enumerate(pages, 1):
            for event in page["events"]:
                stream = of_job.match(event["logStreamName"])
                if stream and decided(event["message"]):
                    found.setdefault(stream[1], []).append(event["message"])
            if len(found) == hosts or number == MAX_PAGES:
                break
    except logs.exceptions.ResourceNotFoundException:
        return {}
    return {name: tuple(lines) for name, lines in found.items()}
