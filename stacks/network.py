"""The stack of the network."""

from aws_cdk import Stack
from constructs import Construct

from epochwise import Plan
from epochwise.cdk.training_network import TrainingNetwork


class NetworkStack(Stack):
    """One zone, its subnets and the security group of the nodes."""

    def __init__(self, scope: Construct, construct_id: str, *, plan: Plan) -> None:
        """Create the network of a plan's cluster, with room for the file servers of its choice."""
        super().__init__(scope, construct_id, description=f"Network of the training workload {plan.workload.name}")
        cluster = plan.workload.cluster
        self.network = TrainingNetwork(
            self,
            "Network",
            nodes=cluster.nodes,
            instance_type=cluster.instance_type,
            availability_zone=cluster.availability_zone,
            file_system_servers=0 if plan.choice is None else plan.choice.addresses,
        )
