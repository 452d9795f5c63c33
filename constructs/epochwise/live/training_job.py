"""Describe a training job."""

from collections.abc import Mapping
from typing import Any

from epochwise.following.run import Job, RuleStatus
from epochwise.live.aws import Aws
from epochwise.live.failure import NotFoundError, RefusedError
from epochwise.workload.training_section import OWNER_VARIABLE


def describe_job(aws: Aws, name: str) -> Job:
    """Return how a job stands.

    Needs the permission sagemaker:DescribeTrainingJob.

    Raises:
        AwsError: AWS does not answer; a NotFoundError where there is no such job.
    """
    try:
        answer = aws.ask("sagemaker", "describe_training_job", TrainingJobName=name)
    except RefusedError as error:
        # SageMaker has no code of its own for it
        if "not found" in str(error).lower():
            raise NotFoundError(f"there is no training job {name} in {aws.region}") from None
        raise
    transitions: list[Mapping[str, Any]] = answer.get("SecondaryStatusTransitions") or []
    last: Mapping[str, Any] = transitions[-1] if transitions else {}
    resources: Mapping[str, Any] = answer.get("ResourceConfig") or {}
    return Job(
        name=answer["TrainingJobName"],
        status=answer["TrainingJobStatus"],
        secondary=answer.get("SecondaryStatus", ""),
        instance_type=resources.get("InstanceType", ""),
        nodes=int(resources.get("InstanceCount", 0)),
        created=answer["CreationTime"],
        message=" ".join(str(last.get("StatusMessage", "")).split()),
        since=last.get("StartTime"),
        training_start=answer.get("TrainingStartTime"),
        training_end=answer.get("TrainingEndTime"),
        file_system_id=_file_system(answer.get("InputDataConfig") or []),
        failure_reason=answer.get("FailureReason"),
        execution_arn=(answer.get("Environment") or {}).get(OWNER_VARIABLE),
        rules=tuple(
            RuleStatus(rule["RuleConfigurationName"], rule.get("RuleEvaluationStatus", "unknown"))
            for member in ("ProfilerRuleEvaluationStatuses", "DebugRuleEvaluationStatuses")
            for rule in answer.get(member) or []
        ),
    )


def _file_system(channels: list[Mapping[str, Any]]) -> str | None:
    """Return the FSx file system that a job reads, the first channel's where there are several."""
    for channel in channels:
        source = channel.get("DataSource", {}).get("FileSystemDataSource", {})
        if source.get("FileSystemType") == "FSxLustre":
            return str(source["FileSystemId"])
    return None
