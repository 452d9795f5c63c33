"""The stack of the training job."""

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from epochwise import Plan
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork


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
    ) -> None:
        """Create the job of a plan's workload, which must declare one."""
        super().__init__(scope, construct_id, description=f"Training job of the workload {plan.workload.name}")
        self.job = TrainingJob(self, "Job", workload=plan.workload, network=network, file_system=file_system, plan=plan)
        CfnOutput(
            self, "StateMachineArn", value=self.job.state_machine.state_machine_arn, description="Start it to train"
        )
        CfnOutput(self, "FindingsTopicArn", value=self.job.topic.topic_arn, description="Subscribe to hear of findings")
