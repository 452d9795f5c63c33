"""What a user names in an account: a stack, a job, a run; refused in one sentence before anybody is asked."""

import re

from epochwise.cli.output import refuse

_STACK = re.compile(r"[a-zA-Z][-a-zA-Z0-9]{0,127}|arn:aws[a-z-]*:cloudformation:\S+:stack/\S+")
"""CloudFormation API, StackName."""
_JOB = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
"""SageMaker API, TrainingJobName."""
_EXECUTION = re.compile(r"[^\s:]{1,80}")
"""Step Functions API, StartExecution name: more than SageMaker takes."""
_JOB_ARN = "arn:aws:sagemaker:REGION:ACCOUNT:training-job/NAME"
_EXECUTION_ARN = "arn:aws:states:REGION:ACCOUNT:execution:MACHINE:NAME"
_SHOWN = 100


def stack_or_refuse(stack: str | None) -> None:
    """Refuse what cannot be a stack's name."""
    if stack is not None and not _STACK.fullmatch(stack):
        refuse(
            f"--stack must be the name of a stack, of letters, digits and hyphens, or its ARN, got {stack[:_SHOWN]!r}"
        )


def job_or_refuse(job: str, region: str | None) -> str | None:
    """Return the Region in which a training job is looked for: its ARN's, or the one that is named."""
    from epochwise.following.arns import TrainingJobArn

    arn = TrainingJobArn.parse(job)
    if arn is None and not _JOB.fullmatch(job):
        refuse(
            f"JOB must be the name of a training job, of letters, digits and hyphens, or its ARN, {_JOB_ARN}, got "
            f"{job[:_SHOWN]!r}"
        )
    return _region(None if arn is None else arn.region, region)


def run_or_refuse(run: str, region: str | None, *, stack: str | None) -> str | None:
    """Return the Region in which a run is looked for, an execution or a training job."""
    from epochwise.following.arns import ExecutionArn, TrainingJobArn

    arn = ExecutionArn.parse(run) or TrainingJobArn.parse(run)
    if arn is None and not (_JOB if stack is None else _EXECUTION).fullmatch(run):
        named = "a training job's name" if stack is None else "an execution's or a training job's name"
        why = ""
        if ":stateMachine:" in run:
            why = "; a state machine is no run: name one of its executions"
        elif ":express:" in run:
            why = "; an express execution cannot be looked at later"
        refuse(
            f"EXECUTION|JOB must be {named}, or the ARN of an execution, {_EXECUTION_ARN}, or of a training job, "
            f"{_JOB_ARN}, got {run[:_SHOWN]!r}{why}"
        )
    return _region(None if arn is None else arn.region, region)


def file_system_or_refuse(file_system: str | None) -> None:
    """Refuse what cannot be a file system's id."""
    from epochwise.checks.file_system_access import file_system_id_invalid

    for finding in () if file_system is None else file_system_id_invalid(file_system):
        refuse(f"{finding.message}; {finding.fix} [{finding.id}]")


def _region(of_arn: str | None, named: str | None) -> str | None:
    """Return the Region to ask; an ARN says it, and what is named must not say another."""
    if of_arn is not None and named is not None and named != of_arn:
        refuse(f"--region must be the ARN's Region, {of_arn}, or left out, got {named[:_SHOWN]!r}")
    return of_arn or named
