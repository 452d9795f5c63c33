"""Which stacks a plan becomes."""

from aws_cdk import Stack
from constructs import Construct

from epochwise import Plan
from epochwise.checks.training import no_job
from stacks.network import NetworkStack
from stacks.storage import StorageStack
from stacks.training import TrainingStack


def create_stacks(scope: Construct, plan: Plan) -> list[Stack]:
    """Create the stacks of a plan: network, storage, and training where the workload has a job in SageMaker."""
    name = f"epochwise-{plan.workload.name}"
    network = NetworkStack(scope, f"{name}-network", plan=plan)
    storage = StorageStack(scope, f"{name}-storage", plan=plan, network=network.network)
    stacks: list[Stack] = [network, storage]
    if no_job(plan.workload) is None:
        stacks.append(
            TrainingStack(
                scope, f"{name}-training", plan=plan, network=network.network, file_system=storage.file_system
            )
        )
    return stacks
