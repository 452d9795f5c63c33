"""Which stacks a plan becomes."""

from collections.abc import Iterator

from aws_cdk import Stack
from constructs import Construct

from epochwise.checks.finding import Level
from epochwise.checks.training import no_job
from epochwise.sizing.plan import Plan
from stacks.network import NetworkStack
from stacks.storage import StorageStack
from stacks.training import TrainingStack


def why_not_built(plan: Plan) -> Iterator[str]:
    """Yield every reason why no stacks can be made of a plan."""
    errors = [str(finding) for finding in plan.findings if finding.level is Level.ERROR]
    yield from errors
    if plan.choice is None and not errors:
        yield "no file system meets the target"


def create_stacks(scope: Construct, plan: Plan, *, for_pipeline: bool = False) -> list[Stack]:
    """Create the stacks of a plan: network, storage, and training where the workload has a job in SageMaker.

    Args:
        scope: the app.
        plan: a plan with a choice.
        for_pipeline: whether the templates are deployed without the CDK: they then ask by Parameters for what only the
            pipeline knows, refuse by Rules what does not fit, and need neither assets nor a bootstrap.

    Raises:
        ValueError: a check refuses the workload's job, network or file system.
    """
    name = stack_prefix(plan)
    network = NetworkStack(scope, f"{name}-network", plan=plan, for_pipeline=for_pipeline)
    storage = StorageStack(scope, f"{name}-storage", plan=plan, network=network.network, for_pipeline=for_pipeline)
    stacks: list[Stack] = [network, storage]
    if no_job(plan.workload) is None:
        stacks.append(
            TrainingStack(
                scope,
                f"{name}-training",
                plan=plan,
                network=network.network,
                file_system=storage.file_system,
                for_pipeline=for_pipeline,
            )
        )
    return stacks


def stack_prefix(plan: Plan) -> str:
    """Return how the names of a plan's stacks begin."""
    return f"epochwise-{plan.workload.name}"
