"""Why the file system has the size it has, for whoever sees the template only."""

from typing import Any

from aws_cdk import CfnOutput, Stack

from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.sizing.plan import Plan

METADATA_KEY = "epochwise:plan"
"""Key of the summary in the template's Metadata."""
_SUMMARY = ("workload", "demand", "choice", "findings", "prices")
"""Parts of a plan that the summary keeps; every rejected shape would not fit into a template."""


def plan_summary(plan: Plan) -> dict[str, Any]:
    """Return the plan without the shapes that were not chosen, JSON-ready and the same on every day."""
    return {key: _without_fractions(value) for key, value in plan.as_dict().items() if key in _SUMMARY}


def _without_fractions(value: Any) -> Any:
    """Write fractions as strings: cfn-lint takes none as a number in Metadata."""
    match value:
        case dict():
            return {key: _without_fractions(each) for key, each in value.items()}
        case list():
            return [_without_fractions(each) for each in value]
        case float() if value.is_integer():
            return int(value)
        case float():
            return str(value)
        case _:
            return value


def why(plan: Plan) -> str:
    """Say in one line what was chosen and what decides it."""
    choice = plan.choice
    if choice is None:
        return f"{plan.workload.name}: no file system meets the target"
    return (
        f"{choice.label}: {plan.demand.read_mbps:.0f} MB/s are needed to read {plan.workload.name} in "
        f"{plan.workload.epoch.target:g} s, {choice.epoch_s.steady:.3g} s predicted, bound by {choice.binding}, "
        f"about {choice.monthly_usd:.0f} USD a month"
    )


def add_plan_summary(stack: Stack, *, plan: Plan, file_system: TrainingFileSystem) -> None:
    """Put the summary into a stack's Metadata, and what a client needs into its Outputs."""
    stack.add_metadata(METADATA_KEY, plan_summary(plan))
    CfnOutput(stack, "FileSystemId", value=file_system.file_system_id, description="FSx for Lustre file system")
    CfnOutput(stack, "DnsName", value=file_system.dns_name, description="Host to mount from")
    CfnOutput(stack, "MountName", value=file_system.mount_name, description="Lustre mount name")
    CfnOutput(stack, "Why", value=why(plan), description="What decides the size of the file system")
