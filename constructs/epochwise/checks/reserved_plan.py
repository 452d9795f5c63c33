"""Rules about a training plan whose capacity a job is to use."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.checks.finding import Finding, Level

_USABLE = {"Active", "Scheduled"}
_TARGET = "training-job"


@dataclass(frozen=True)
class ReservedPlan:
    """A training plan as SageMaker's DescribeTrainingPlan has it."""

    name: str
    status: str
    instance_types: tuple[str, ...]
    zones: tuple[str, ...]
    """Names and ids of the zones of its capacity."""
    nodes: int
    """All of it, those in use too."""
    targets: tuple[str, ...]
    """What may use it, such as training-job; empty where it is not said."""


def reserved_plan_unusable(
    plan: ReservedPlan, *, nodes: int, instance_type: str, zone: str | None
) -> Iterator[Finding]:
    """A training plan has nodes of the job's type in its zone, enough of them, and lets training jobs use them.

    Source: SageMaker API, DescribeTrainingPlan (botocore 1.44.8).
    """
    reasons = [
        f"its status is {plan.status}" if plan.status not in _USABLE else "",
        f"it is for {', '.join(plan.targets)}" if plan.targets and _TARGET not in plan.targets else "",
        f"it has {', '.join(plan.instance_types)}, the job wants {instance_type}"
        if instance_type not in plan.instance_types
        else "",
        f"it has {plan.nodes} nodes, the job wants {nodes}" if plan.nodes < nodes else "",
        f"it is in {', '.join(plan.zones)}, the nodes in {zone}"
        if zone and plan.zones and zone not in plan.zones
        else "",
    ]
    told = [reason for reason in reasons if reason]
    if told:
        yield Finding(
            "RESERVED_PLAN_UNUSABLE",
            Level.ERROR,
            f"training plan {plan.name} cannot be used: {'; '.join(told)}",
            "name another in training.training_plan, or change cluster to what it has",
        )
