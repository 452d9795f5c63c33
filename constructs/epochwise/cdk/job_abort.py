"""What stops the job of an execution that ended before it, since the execution itself cannot any more."""

from typing import Any

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from epochwise.cdk.acknowledgements import Pack, acknowledge, acknowledge_policy
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.job_name import OWNERS, SUFFIX_KEY, naming_states
from epochwise.cdk.job_tasks import is_object, task

ENDED_EARLY = ("ABORTED", "FAILED", "TIMED_OUT")
"""Statuses of an execution that may leave its job running."""
_OWN_ENDS = ("InputRefused", "TrainingJobNameTaken", "TrainingJobFailed", "TrainingJobStopped")
"""Errors by which an execution fails that has no job, or whose job has ended."""
_NOT_FOUND = "*not found*"
_NO_NAME = "*rainingJobName*failed to satisfy constraint*"
"""What SageMaker says of a name that no job can have, so that none was created (the wording of its validation errors is
from memory, unverified)."""


def stopper_states(workload_name: str, *, partition: str) -> dict[str, Any]:
    """Return the definition of the machine that stops one execution's job; its input is `{"executionArn": …}`.

    It asks for the execution's input and so comes to the same name as the execution did. It stops a job that carries
    this execution's ARN and no other, and is content where there is none: an execution may have ended before it created
    one, or failed because its job did. The repeated tries leave a call that was under way the time to create it.
    """
    not_there = ["SageMaker.ResourceNotFoundException", "SageMaker.SageMakerException"]
    describe = task(
        partition, "sagemaker:describeTrainingJob", {"TrainingJobName.$": "$.name.job"}, then="IsItsRunningJob"
    )
    describe["Retry"] = [
        {
            "ErrorEquals": [*not_there, *describe["Retry"][0]["ErrorEquals"][::2]],
            "IntervalSeconds": 10,
            "BackoffRate": 2,
            "MaxAttempts": 4,
        }
    ]
    return {
        "Comment": f"Stops the training job of an execution of {workload_name} that ended before it",
        "StartAt": "DescribeExecution",
        "TimeoutSeconds": 3600,
        "States": {
            "DescribeExecution": task(
                partition, "sfn:describeExecution", {"ExecutionArn.$": "$.executionArn"}, then="MayItHaveAJob"
            )
            | {
                # a deep scan finds nothing, instead of failing, where an execution has no error
                "ResultSelector": {
                    "text.$": "$.Input",
                    "input.$": "States.StringToJson($.Input)",
                    "errors.$": "$..Error",
                },
                "ResultPath": "$.asked",
            },
            "MayItHaveAJob": {
                "Type": "Choice",
                "Choices": [
                    {
                        "And": [
                            {"Variable": "$.asked.errors[0]", "IsPresent": True},
                            {"Or": [{"Variable": "$.asked.errors[0]", "StringEquals": error} for error in _OWN_ENDS]},
                        ],
                        "Next": "NothingToStop",
                    },
                    # of an empty list alone is it only the text that says that it is no object
                    {
                        "Not": {
                            "And": [
                                *is_object("$.asked.input"),
                                {"Variable": "$.asked.text", "StringMatches": "*{*"},
                            ]
                        },
                        "Next": "NothingToStop",
                    },
                ],
                "Default": "DefaultInput",
            },
            "DefaultInput": {
                "Type": "Pass",
                "Result": {SUFFIX_KEY: ""},
                "ResultPath": "$.defaults",
                "Next": "TakeInput",
            },
            "TakeInput": {
                "Type": "Pass",
                "Parameters": {
                    "executionArn.$": "$.executionArn",
                    "input.$": "States.JsonMerge($.defaults, $.asked.input, false)",
                },
                "Next": "NameJob",
            },
            **naming_states(
                workload_name,
                suffix=f"$.input.{SUFFIX_KEY}",
                execution_arn="$.executionArn",
                then="DescribeTrainingJob",
            ),
            "DescribeTrainingJob": describe
            | {
                "ResultSelector": {"Status.$": "$.TrainingJobStatus", "owners.$": OWNERS},
                "ResultPath": "$.look",
                "Catch": [{"ErrorEquals": not_there, "ResultPath": "$.failure", "Next": "IsThereAJob"}],
            },
            "IsThereAJob": {
                "Type": "Choice",
                "Choices": [
                    {"Variable": "$.failure.Error", "StringMatches": "*NotFound*", "Next": "NothingToStop"},
                    {"Variable": "$.failure.Cause", "StringMatches": _NOT_FOUND, "Next": "NothingToStop"},
                    {"Variable": "$.failure.Cause", "StringMatches": _NO_NAME, "Next": "NothingToStop"},
                ],
                "Default": "CannotLook",
            },
            "IsItsRunningJob": {
                "Type": "Choice",
                "Choices": [
                    {
                        "And": [
                            {"Variable": "$.look.owners[0]", "IsPresent": True},
                            {"Variable": "$.look.owners[0]", "StringEqualsPath": "$.executionArn"},
                            {"Variable": "$.look.Status", "StringEquals": "InProgress"},
                        ],
                        "Next": "StopTrainingJob",
                    }
                ],
                "Default": "NothingToStop",
            },
            "StopTrainingJob": task(
                partition, "sagemaker:stopTrainingJob", {"TrainingJobName.$": "$.name.job"}, then="Asked"
            ),
            "Asked": {"Type": "Succeed"},
            "NothingToStop": {"Type": "Succeed"},
            "CannotLook": {
                "Type": "Fail",
                "Error": "TrainingJobNotDescribed",
                "CausePath": "$.failure.Cause",
            },
        },
    }


class JobStopper(Construct):
    """A state machine that stops jobs, and the EventBridge rule that starts it.

    Step Functions tells EventBridge the status of every execution of a standard workflow, at least once; stopping a
    job twice does nothing.
    """

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        machine: sfn.StateMachine,
        workload_name: str,
        jobs_arn: str,
        log_group: logs.ILogGroup,
    ) -> None:
        """Watch one state machine.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            machine: whose executions' jobs are stopped.
            workload_name: begins the names of the jobs.
            jobs_arn: the ARN of those jobs, with a wildcard.
            log_group: where executions are logged.
        """
        super().__init__(scope, construct_id)
        stack = Stack.of(self)
        states = stopper_states(workload_name, partition=stack.partition)
        self.state_machine = sfn.StateMachine(
            self,
            "Resource",
            definition_body=sfn.DefinitionBody.from_string(stack.to_json_string(states)),
            tracing_enabled=True,
            logs=sfn.LogOptions(destination=log_group, level=sfn.LogLevel.ALL, include_execution_data=True),
        )
        executions = stack.format_arn(
            service="states",
            resource="execution",
            resource_name=f"{machine.state_machine_name}:*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        self.state_machine.add_to_role_policy(
            iam.PolicyStatement(
                sid="StopJobs",
                actions=["sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"],
                resources=[jobs_arn],
            )
        )
        self.state_machine.add_to_role_policy(
            iam.PolicyStatement(sid="ReadExecutions", actions=["states:DescribeExecution"], resources=[executions])
        )
        acknowledge_policy(
            self.state_machine.role.node.find_child("DefaultPolicy"),
            {
                jobs_arn: "the end of a job's name is a hash of the execution, not known before it starts",
                executions: "executions are named when they are started",
                "*": "Step Functions' log deliveries and X-Ray take no resource",
            },
        )
        self.rule = events.Rule(
            self,
            "EndedEarly",
            description=f"Executions for {workload_name} that ended before their training job",
            event_pattern=events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={"status": list(ENDED_EARLY), "stateMachineArn": [machine.state_machine_arn]},
            ),
            targets=[
                targets.SfnStateMachine(
                    self.state_machine,
                    input=events.RuleTargetInput.from_object(
                        {"executionArn": events.EventField.from_path("$.detail.executionArn")}
                    ),
                )
            ],
        )
        acknowledge_policy(self.state_machine.node.find_child("EventsRole").node.find_child("DefaultPolicy"))
        acknowledge(
            self.rule,
            "EventBusDLQ",
            "EventBridge tries for 24 hours, and the execution that ended early names its job",
            Pack.SERVERLESS,
        )
