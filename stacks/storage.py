"""The stack of the file system."""

from aws_cdk import RemovalPolicy, Stack
from constructs import Construct

from epochwise import Plan
from epochwise.cdk.file_system_removal import destroy_is_allowed
from epochwise.cdk.plan_summary import add_plan_summary
from epochwise.cdk.planned_file_system import link_dataset
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork


class StorageStack(Stack):
    """The file system that a plan chose, linked to its dataset."""

    def __init__(self, scope: Construct, construct_id: str, *, plan: Plan, network: TrainingNetwork) -> None:
        """Create the file system of a plan, which must have a choice."""
        super().__init__(scope, construct_id, description=f"File system of the training workload {plan.workload.name}")
        dataset = plan.workload.dataset
        self.file_system = TrainingFileSystem(
            self,
            "FileSystem",
            vpc=network.vpc,
            subnet=network.private_subnet,
            size=plan.choice,
            client_security_groups=network.security_groups,
            data_compression=dataset.compression_ratio > 1,
            removal_policy=RemovalPolicy.DESTROY if destroy_is_allowed(self) else None,
        )
        link_dataset(self.file_system, dataset)
        add_plan_summary(self, plan=plan, file_system=self.file_system)
