"""Right-sized storage, network and jobs for training on many nodes, as AWS CDK constructs.

A declared workload becomes a `Plan`, a plan becomes constructs. Importing this package loads neither `aws_cdk` nor
`boto3`; each public name is loaded when it is first used (PEP 562).

Errors that a user meets: `WorkloadError` (a declaration that cannot be read; a `ValueError`) and `ValueError` from the
constructs, always with the value, what is allowed and the nearest legal one.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
    from epochwise.catalog.lustre_client_versions import ClientOs
    from epochwise.cdk.epochwise_checks import EpochwiseChecks
    from epochwise.cdk.file_system_alarms import FileSystemAlarms
    from epochwise.cdk.imported_file_system import ImportedTrainingFileSystem
    from epochwise.cdk.lustre_client_documents import PreloadDocument, ReleaseDocument
    from epochwise.cdk.lustre_file_system import LustreFileSystem
    from epochwise.cdk.node_launch_template import NodeLaunchTemplate
    from epochwise.cdk.plan_summary import add_plan_summary
    from epochwise.cdk.training_dashboard import TrainingDashboard
    from epochwise.cdk.training_file_system import TrainingFileSystem
    from epochwise.cdk.training_job import TrainingJob
    from epochwise.cdk.training_network import TrainingNetwork
    from epochwise.checks.file_system_settings import AutoImportPolicy, LogLevel, ReadCacheMode
    from epochwise.checks.finding import Finding, Level
    from epochwise.clients.striping import default_stripe_command, imported_file_chunk_mib, stripe_command
    from epochwise.sizing.candidate import Candidate
    from epochwise.sizing.plan import Choice, Plan
    from epochwise.sizing.planner import plan
    from epochwise.training.request import JobDeployment, create_training_job_request
    from epochwise.workload import Objective, Workload, WorkloadError

_HOMES = {
    "AutoImportPolicy": "epochwise.checks.file_system_settings",
    "Candidate": "epochwise.sizing.candidate",
    "Choice": "epochwise.sizing.plan",
    "ClientOs": "epochwise.catalog.lustre_client_versions",
    "DeploymentType": "epochwise.catalog.fsx_lustre",
    "DriveCacheType": "epochwise.catalog.fsx_lustre",
    "FileSystemAlarms": "epochwise.cdk.file_system_alarms",
    "EpochwiseChecks": "epochwise.cdk.epochwise_checks",
    "Finding": "epochwise.checks.finding",
    "ImportedTrainingFileSystem": "epochwise.cdk.imported_file_system",
    "JobDeployment": "epochwise.training.request",
    "Level": "epochwise.checks.finding",
    "LogLevel": "epochwise.checks.file_system_settings",
    "LustreFileSystem": "epochwise.cdk.lustre_file_system",
    "MetadataMode": "epochwise.catalog.fsx_lustre",
    "NodeLaunchTemplate": "epochwise.cdk.node_launch_template",
    "Objective": "epochwise.workload",
    "Plan": "epochwise.sizing.plan",
    "PreloadDocument": "epochwise.cdk.lustre_client_documents",
    "ReadCacheMode": "epochwise.checks.file_system_settings",
    "ReleaseDocument": "epochwise.cdk.lustre_client_documents",
    "StorageType": "epochwise.catalog.fsx_lustre",
    "TrainingDashboard": "epochwise.cdk.training_dashboard",
    "TrainingFileSystem": "epochwise.cdk.training_file_system",
    "TrainingJob": "epochwise.cdk.training_job",
    "TrainingNetwork": "epochwise.cdk.training_network",
    "Workload": "epochwise.workload",
    "WorkloadError": "epochwise.workload",
    "add_plan_summary": "epochwise.cdk.plan_summary",
    "create_training_job_request": "epochwise.training.request",
    "default_stripe_command": "epochwise.clients.striping",
    "imported_file_chunk_mib": "epochwise.clients.striping",
    "plan": "epochwise.sizing.planner",
    "stripe_command": "epochwise.clients.striping",
}

__all__ = [
    "AutoImportPolicy",
    "Candidate",
    "Choice",
    "ClientOs",
    "DeploymentType",
    "DriveCacheType",
    "EpochwiseChecks",
    "FileSystemAlarms",
    "Finding",
    "ImportedTrainingFileSystem",
    "JobDeployment",
    "Level",
    "LogLevel",
    "LustreFileSystem",
    "MetadataMode",
    "NodeLaunchTemplate",
    "Objective",
    "Plan",
    "PreloadDocument",
    "ReadCacheMode",
    "ReleaseDocument",
    "StorageType",
    "TrainingDashboard",
    "TrainingFileSystem",
    "TrainingJob",
    "TrainingNetwork",
    "Workload",
    "WorkloadError",
    "add_plan_summary",
    "create_training_job_request",
    "default_stripe_command",
    "imported_file_chunk_mib",
    "plan",
    "stripe_command",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names without loading them."""
    return sorted([*globals(), *_HOMES])
