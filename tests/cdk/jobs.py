"""Networks, file systems and jobs as a user would put them together, in one stack each."""

import json
from typing import Any

from aws_cdk import Stack
from aws_cdk.assertions import Annotations, Match

from epochwise import TrainingFileSystem, TrainingJob, TrainingNetwork, Workload
from epochwise.catalog.fsx_lustre import DeploymentType


def network_in(stack: Stack, **arguments: Any) -> TrainingNetwork:
    nodes: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
    return TrainingNetwork(stack, "Network", **(nodes | arguments))


def file_system_in(stack: Stack, network: TrainingNetwork, **arguments: Any) -> TrainingFileSystem:
    size: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_2, "storage_capacity_gib": 1200}
    places: dict[str, Any] = {"vpc": network.vpc, "subnet": network.private_subnet}
    return TrainingFileSystem(stack, "FileSystem", **(size | places | arguments))


def job_in(stack: Stack, workload: Workload, network: TrainingNetwork, file_system: Any, **more: Any) -> TrainingJob:
    return TrainingJob(stack, "Job", workload=workload, network=network, file_system=file_system, **more)


def changed(workload: Workload, **changes: Any) -> Workload:
    document = json.loads(workload.model_dump_json(exclude_unset=True))
    document["training"] |= changes.pop("training", {})
    return Workload.model_validate(document | changes)


def warned(stack: Stack) -> set[str]:
    """Return the ids that the job is annotated with, without those about its declaration."""
    found = Annotations.from_stack(stack).find_warning("/test/Job", Match.any_value())
    ids = {str(each.entry.data).rpartition("::")[2].rstrip("]") for each in found}
    return ids - {"DEBUGGER_CLOSED"}
