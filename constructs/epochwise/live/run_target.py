"""Find what is to be watched: an execution or a training job, as a user names it."""

from epochwise.following.arns import ExecutionArn, TrainingJobArn
from epochwise.following.deployed_job import DeployedJob, UnreadableJobError, jobs_in
from epochwise.live.aws import Aws
from epochwise.live.deployed_template import deployed_template
from epochwise.live.failure import AwsError, NotFoundError
from epochwise.live.job_of_stack import job_of_stack
from epochwise.live.run_follower import RunFollower
from epochwise.live.training_job import describe_job
from epochwise.templates.template_file import UnreadableTemplateError

_STACK_TAG, _LOGICAL_ID_TAG = "aws:cloudformation:stack-name", "aws:cloudformation:logical-id"
"""What CloudFormation tags a stack's resources with (CloudFormation User Guide, resource tags)."""


def follower_of(
    target: str, stack: str | None = None, machine: str | None = None, region: str | None = None
) -> RunFollower:
    """Return what follows a run; only as much is asked as it takes to know which run that is.

    Args:
        target: ARN of an execution or of a training job, or a training job's name, or with a stack an execution's.
        stack: name of the stack that runs it.
        machine: logical id or name of the state machine, where the stack has several jobs.
        region: where it is looked for; by default the ARN's, else the environment's.

    Raises:
        AwsError: AWS does not answer, or there is no such run.
        UnreadableTemplateError: there is no such stack, or it has no such job.
    """
    execution, job = ExecutionArn.parse(target), TrainingJobArn.parse(target)
    arn = execution or job
    aws = Aws(region if arn is None else arn.region)
    found = None if stack is None else job_of_stack(aws, stack, machine)
    if found is not None and arn is None and _exists(aws, named := ExecutionArn.of(found.machine_arn, target)):
        execution = named
    job_name = None
    if execution is None:
        described = describe_job(aws, target if job is None else job.name)
        job_name, execution = described.name, ExecutionArn.parse(described.execution_arn or "")
    there = execution is not None and (job_name is None or _exists(aws, execution))
    follower = RunFollower(aws, str(execution) if there else None, job_name)
    if found is not None:
        follower.deployed = found.deployed
    elif execution is not None:
        _add_deployed(follower, execution.machine_arn)
    else:
        follower.not_deployed = "the job was not started by an execution of this library; name its stack with --stack"
    return follower


def _exists(aws: Aws, execution: ExecutionArn) -> bool:
    """Tell whether there is such an execution; Step Functions forgets them after 90 days."""
    try:
        aws.ask("stepfunctions", "describe_execution", executionArn=str(execution))
    except NotFoundError:
        return False
    return True


def _add_deployed(follower: RunFollower, machine_arn: str) -> None:
    """Read what the template says of the state machine, or say why that is not known."""
    try:
        follower.deployed = _deployed(follower.aws, machine_arn)
    except (AwsError, UnreadableTemplateError, UnreadableJobError) as error:
        follower.not_deployed = str(error)
    else:
        if follower.deployed is None:
            follower.not_deployed = "no stack is known for the state machine; name it with --stack"


def _deployed(aws: Aws, machine_arn: str) -> DeployedJob | None:
    """Return what the template says of a state machine, whose stack its tags name; None without tags."""
    answer = aws.ask("stepfunctions", "list_tags_for_resource", resourceArn=machine_arn)
    tags = {tag["key"]: tag["value"] for tag in answer.get("tags", [])}
    if _STACK_TAG not in tags or _LOGICAL_ID_TAG not in tags:
        return None
    return jobs_in(deployed_template(tags[_STACK_TAG], aws)).get(tags[_LOGICAL_ID_TAG])
