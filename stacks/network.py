"""The stack of the network."""

from aws_cdk import BootstraplessSynthesizer, Stack
from constructs import Construct

from epochwise.cdk.training_network import TrainingNetwork
from epochwise.sizing.plan import Plan
from stacks.deploy_rules import allow_region_of


class NetworkStack(Stack):
    """One zone, its subnets and the security group of the nodes."""

    def __init__(self, scope: Construct, construct_id: str, *, plan: Plan, for_pipeline: bool = False) -> None:
        """Create the network of a plan's cluster, with room for the file servers of its choice.

        Args:
            scope: the app.
            construct_id: the stack's name.
            plan: whose network it is.
            for_pipeline: whether the template is deployed without the CDK, so that it guards itself.
        """
        super().__init__(
            scope,
            construct_id,
            description=f"Network of the training workload {plan.workload.name}",
            synthesizer=BootstraplessSynthesizer() if for_pipeline else None,
        )
        cluster = plan.workload.cluster
        self.network = TrainingNetwork(
            self,
            "Network",
            nodes=cluster.nodes,
            instance_type=cluster.instance_type,
            availability_zone=cluster.availability_zone,
            file_system_servers=0 if plan.choice is None else plan.choice.addresses,
        )
        if for_pipeline:
            allow_region_of(self, plan.workload)
