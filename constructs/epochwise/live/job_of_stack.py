"""Find the training jobs of a deployed stack: what their templates say of them, and where their state machines are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from epochwise.following.deployed_job import DeployedJob, UnreadableJobError, jobs_in
from epochwise.live.aws import Aws
from epochwise.live.deployed_template import UnreachableStackError, deployed_template
from epochwise.templates.template_file import UnreadableTemplateError

_DASHBOARD = "AWS::CloudWatch::Dashboard"


@dataclass(frozen=True)
class JobOfStack:
    """A training job that a stack has deployed."""

    stack: str
    logical_id: str
    machine_arn: str
    deployed: DeployedJob
    dashboards: tuple[str, ...]
    """Names of the stack's dashboards."""
    found_at: datetime
    """AWS's own time when it was found, in whole seconds."""

    @property
    def names(self) -> tuple[str, str]:
        """What it may be called: the state machine's logical id, and its name."""
        return self.logical_id, self.machine_arn.rpartition(":")[2]


def job_of_stack(aws: Aws, stack: str, machine: str | None = None) -> JobOfStack:
    """Return the training job of a stack.

    Needs the permissions cloudformation:GetTemplate and cloudformation:ListStackResources.

    Args:
        aws: where it is asked.
        stack: name or ARN of the stack.
        machine: logical id or name of the state machine, where the stack has several jobs.

    Raises:
        AwsError: AWS does not answer.
        UnreadableTemplateError: there is no such stack, or it has no job, or several and none is named.
    """
    try:
        jobs = jobs_in(deployed_template(stack, aws))
    except UnreadableJobError as error:
        raise UnreachableStackError(f"stack {stack}: {error}; deploy it with this version first") from None
    if not jobs:
        raise UnreachableStackError(
            f"stack {stack}: has no TrainingJob of this library; name the stack that has one, such as "
            "epochwise-guide-training, or deploy it with this version first"
        )
    resources, found_at = _resources(aws, stack)
    dashboards = tuple(each["PhysicalResourceId"] for each in resources if each["ResourceType"] == _DASHBOARD)
    arns = {each["LogicalResourceId"]: each.get("PhysicalResourceId") for each in resources}
    found = [
        JobOfStack(stack, logical_id, arn, job, dashboards, found_at)
        for logical_id, job in jobs.items()
        if (arn := arns.get(logical_id))
    ]
    return _chosen(found, stack, machine)


def _chosen(found: Sequence[JobOfStack], stack: str, machine: str | None) -> JobOfStack:
    """Return the job that is meant."""
    there = ", ".join(job.logical_id for job in found) or "none that is created"
    meant = [job for job in found if machine is None or machine in job.names]
    if len(meant) == 1:
        return meant[0]
    if machine is None and found:
        raise UnreachableStackError(f"stack {stack}: has several training jobs, {there}; name one with --machine")
    asked = "a state machine" if machine is None else machine
    raise UnreadableTemplateError(f"stack {stack}: has no training job {asked}; there is {there}")


def _resources(aws: Aws, stack: str) -> tuple[list[Mapping[str, Any]], datetime]:
    """Return a stack's resources, and when they were listed."""
    resources: list[Mapping[str, Any]] = []
    said = ""
    for page in aws.pages("cloudformation", "list_stack_resources", StackName=stack):
        resources += page["StackResourceSummaries"]
        said = page.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("date", "")
    return resources, _time(said)


def _time(said: str) -> datetime:
    """Read the time in an answer's header, else take this machine's."""
    try:
        return parsedate_to_datetime(said).astimezone(UTC)
    except (TypeError, ValueError):
        return datetime.now(UTC).replace(microsecond=0)
