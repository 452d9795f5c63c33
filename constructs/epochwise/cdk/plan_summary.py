"""Why the file system has the size it has, for whoever sees the template only."""

from typing import Any

from aws_cdk import CfnOutput, Stack

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.checks.plan_summary import summary_name_invalid, summary_twice
from epochwise.sizing.plan import Plan

METADATA_KEY = "epochwise:plan"
"""Key of the summary in the template's Metadata."""
_SUMMARY = ("workload", "demand", "choice", "findings", "prices", "not_in_estimate")
"""Parts of a plan that the summary keeps; every rejected shape would not fit into a template."""


@arguments_of_their_kind()
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


@arguments_of_their_kind()
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


@arguments_of_their_kind()
def add_plan_summary(stack: Stack, *, plan: Plan, file_system: LustreFileSystem, name: str = "") -> None:
    """Put the summary into a stack's Metadata, and what a client needs into its Outputs.

    Args:
        stack: where to.
        plan: what the file system was chosen from.
        file_system: the file system.
        name: what the outputs' names begin with, letters and digits; needed by the second file system of a stack.

    Raises:
        ValueError: the name is none, or is taken in this stack.
    """
    refuse_errors(summary_name_invalid(name))
    taken = stack.node.try_find_child(f"{name}FileSystemId") is not None
    refuse_errors(summary_twice(name, taken=taken))
    stack.add_metadata(f"{METADATA_KEY}:{name}" if name else METADATA_KEY, plan_summary(plan))
    outputs = {
        "FileSystemId": (file_system.file_system_id, "FSx for Lustre file system"),
        "DnsName": (file_system.dns_name, "Host to mount from"),
        "MountName": (file_system.mount_name, "Lustre mount name"),
        "Why": (why(plan), "What decides the size of the file system"),
    }
    for output, (value, description) in outputs.items():
        CfnOutput(stack, f"{name}{output}", value=value, description=description)
