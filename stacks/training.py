"""The stack of the training job."""

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.checks.declared_job import DeclaredJob
from epochwise.sizing.plan import Plan
from stacks.deploy_rules import allow_region_of
from stacks.evaluator_archive import EvaluatorArchive, EvaluatorByParameters
from stacks.given_job import GivenJob, allow_planned_nodes, given_job


class TrainingStack(Stack):
    """The training job that reads from the file system."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        plan: Plan,
        network: TrainingNetwork,
        file_system: TrainingFileSystem,
        for_pipeline: bool = False,
    ) -> None:
        """Create the job of a plan's workload, which must declare one.

        Args:
            scope: the app.
            construct_id: the stack's name.
            plan: whose job it is.
            network: where the nodes are.
            file_system: what they read.
            for_pipeline: whether the template is deployed without the CDK: it asks for the image, the number of nodes,
                the bucket of the code, and where the evaluator's archive lies.
        """
        by_parameters = EvaluatorByParameters() if for_pipeline else None
        super().__init__(
            scope,
            construct_id,
            description=f"Training job of the workload {plan.workload.name}",
            synthesizer=by_parameters,
        )
        self._by_parameters = by_parameters
        if by_parameters is not None:
            by_parameters.asking = self
        declared = DeclaredJob.of(plan.workload)
        assert declared is not None  # noqa: S101 - the caller makes no such stack without a job
        given = given_job(self, declared) if for_pipeline else GivenJob()
        self.job = TrainingJob(
            self,
            "Job",
            workload=plan.workload,
            network=network,
            file_system=file_system,
            code_bucket=given.code_bucket,
            image=given.image,
            nodes=given.nodes,
            plan=plan,
        )
        if for_pipeline:
            allow_region_of(self, plan.workload)
            allow_planned_nodes(self, declared, self.job.shapes)
        CfnOutput(
            self, "StateMachineArn", value=self.job.state_machine.state_machine_arn, description="Start it to train"
        )
        CfnOutput(self, "FindingsTopicArn", value=self.job.topic.topic_arn, description="Subscribe to hear of findings")

    @property
    def archive(self) -> EvaluatorArchive | None:
        """What a pipeline copies to a bucket before it deploys the template; None where no function is needed."""
        return None if self._by_parameters is None else self._by_parameters.archive
