"""The stack of the file system."""

from aws_cdk import BootstraplessSynthesizer, RemovalPolicy, Stack
from constructs import Construct

from epochwise.cdk.file_system_removal import destroy_is_allowed
from epochwise.cdk.plan_summary import add_plan_summary
from epochwise.cdk.planned_file_system import link_dataset
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.sizing.plan import Plan
from stacks.deploy_rules import allow_region_of
from stacks.given_bucket import given_bucket


class StorageStack(Stack):
    """The file system that a plan chose, linked to its dataset."""

    def __init__(
        self, scope: Construct, construct_id: str, *, plan: Plan, network: TrainingNetwork, for_pipeline: bool = False
    ) -> None:
        """Create the file system of a plan, which must have a choice.

        Args:
            scope: the app.
            construct_id: the stack's name.
            plan: what was chosen.
            network: where the file system is.
            for_pipeline: whether the template is deployed without the CDK: it asks for the dataset's bucket.
        """
        super().__init__(
            scope,
            construct_id,
            description=f"File system of the training workload {plan.workload.name}",
            synthesizer=BootstraplessSynthesizer() if for_pipeline else None,
        )
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
        bucket = None
        if for_pipeline and dataset.source is not None:
            bucket = given_bucket(self, "DatasetBucket", dataset.source, "the dataset")
        link_dataset(self.file_system, dataset, bucket=bucket)
        add_plan_summary(self, plan=plan, file_system=self.file_system)
        if for_pipeline:
            allow_region_of(self, plan.workload)
