"""Right-sized storage, network and jobs for training on many nodes, as AWS CDK constructs.

A declared workload becomes a `Plan`, a plan becomes constructs. Importing this package loads neither `aws_cdk` nor
`boto3`; each public name is loaded when it is first used (PEP 562).

Errors that a user meets: `WorkloadError` (a declaration that cannot be read; a `ValueError`) and `ValueError` from the
constructs, always with the value, what is allowed and the nearest legal one.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epochwise.cdk.epochwise_checks import EpochwiseChecks
    from epochwise.cdk.training_file_system import TrainingFileSystem
    from epochwise.cdk.training_job import TrainingJob
    from epochwise.cdk.training_network import TrainingNetwork
    from epochwise.checks.finding import Finding, Level
    from epochwise.sizing.candidate import Candidate
    from epochwise.sizing.plan import Choice, Plan
    from epochwise.sizing.planner import plan
    from epochwise.training.request import create_training_job_request
    from epochwise.workload import Workload, WorkloadError

_HOMES = {
    "Candidate": "epochwise.sizing.candidate",
    "Choice": "epochwise.sizing.plan",
    "EpochwiseChecks": "epochwise.cdk.epochwise_checks",
    "Finding": "epochwise.checks.finding",
    "Level": "epochwise.checks.finding",
    "Plan": "epochwise.sizing.plan",
    "TrainingFileSystem": "epochwise.cdk.training_file_system",
    "TrainingJob": "epochwise.cdk.training_job",
    "TrainingNetwork": "epochwise.cdk.training_network",
    "Workload": "epochwise.workload",
    "WorkloadError": "epochwise.workload",
    "create_training_job_request": "epochwise.training.request",
    "plan": "epochwise.sizing.planner",
}

__all__ = [
    "Candidate",
    "Choice",
    "EpochwiseChecks",
    "Finding",
    "Level",
    "Plan",
    "TrainingFileSystem",
    "TrainingJob",
    "TrainingNetwork",
    "Workload",
    "WorkloadError",
    "create_training_job_request",
    "plan",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names without loading them."""
    return sorted([*globals(), *_HOMES])
