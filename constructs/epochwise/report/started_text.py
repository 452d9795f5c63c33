"""What is printed once an execution is started: what it is, where to see it, how to follow and to stop it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from epochwise.declaration.quantity_text import time_text
from epochwise.following.links import Link


def started_text(*, arn: str, job: str, start: datetime, given: Mapping[str, Any], links: Sequence[Link]) -> str:
    """Return the lines, none of which is broken: ARNs and addresses are to be copied.

    Args:
        arn: of the execution.
        job: name of its training job.
        start: when the execution started; earlier than now where it was running already.
        given: its input.
        links: pages of the console.
    """
    asked = ", ".join(f"{key} {_said(value)}" for key, value in given.items()) or "as deployed"
    lines = [
        f"{job}: started {time_text(start)}",
        f"  execution     {arn}",
        f"  asked for     {asked}",
        *(["  in the console"] if links else []),
        *(f"    {link.title:<12}  {link.url}" for link in links),
        f"  follow        epochwise watch {arn}",
        f"  stop          {stop_command(arn)}",
    ]
    return "\n".join(lines) + "\n"


def stop_command(execution_arn: str | None, job: str = "") -> str:
    """Return the command that stops an execution, and with it its job; or else a job alone.

    >>> stop_command(None, "guide-1")
    'aws sagemaker stop-training-job --training-job-name guide-1'
    """
    if execution_arn is None:
        return f"aws sagemaker stop-training-job --training-job-name {job}"
    return f"aws stepfunctions stop-execution --execution-arn {execution_arn}"


def _said(value: Any) -> str:
    """Render a value of the input."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}={inner}" for key, inner in value.items())
    return str(value)
