"""Judge the SageMaker training jobs that state machines start."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from epochwise.checks.plain_resources import multi_node_job_without_vpc, training_subnet_in_another_zone
from epochwise.policy.app_resources import AppResources, Resource
from epochwise.policy.file_systems import lustre_file_systems
from epochwise.policy.joined_text import joined_text, marked_value
from epochwise.policy.violation import Violation

STATE_MACHINE = "AWS::StepFunctions::StateMachine"
_CREATES = "sagemaker:createtrainingjob"
"""In the resource of a task, with .sync or through aws-sdk, whatever its case."""


@dataclass(frozen=True)
class StartedJob:
    """A CreateTrainingJob request in a state machine, values of the deploy in their templates' form."""

    machine: Resource
    state: str
    request: dict[str, Any]

    @property
    def nodes(self) -> int | None:
        """Number of instances; None where only the execution knows it."""
        resources = self.request.get("ResourceConfig")
        count = resources.get("InstanceCount") if isinstance(resources, dict) else None
        return count if isinstance(count, int) and not isinstance(count, bool) else None

    @property
    def subnets(self) -> list[Any]:
        """Values of the subnets."""
        vpc = self.request.get("VpcConfig")
        subnets = vpc.get("Subnets") if isinstance(vpc, dict) else None
        return [marked_value(each) for each in subnets] if isinstance(subnets, list) else []

    @property
    def has_vpc(self) -> bool:
        """Whether the request places the job, be it by what only the execution knows."""
        return any(name in self.request for name in ("VpcConfig", "VpcConfig.$"))


def training_job_violations(app: AppResources) -> Iterator[Violation]:
    """Yield jobs of several nodes outside a VPC, and jobs in another zone than the app's file systems."""
    zones = {
        zone: file_system.logical_id
        for file_system in lustre_file_systems(app)
        for value in file_system.items("SubnetIds")
        if (zone := _zone(app, file_system.template, value)) is not None
    }
    for machine in app.of_type(STATE_MACHINE):
        for job in _jobs(machine):
            for finding in multi_node_job_without_vpc(job.state, nodes=job.nodes, has_vpc=job.has_vpc):
                yield Violation.of(machine, "Properties/DefinitionString", finding)
            for value in job.subnets:
                zone = _zone(app, machine.template, value)
                if zone is None or not zones:
                    continue
                for finding in training_subnet_in_another_zone(job.state, zone=zone, file_systems=zones):
                    yield Violation.of(machine, "Properties/DefinitionString", finding)


def _zone(app: AppResources, template: str, value: Any) -> str | None:
    """Return the zone of a subnet of the app, by name or by id as it is written; None where it is not known."""
    subnet = app.resource(template, value)
    if subnet is None or subnet.type != "AWS::EC2::Subnet":
        return None
    zone = subnet.value("AvailabilityZone") or subnet.value("AvailabilityZoneId")
    return zone if isinstance(zone, str) else None if zone is None else json.dumps(zone, sort_keys=True)


def _jobs(machine: Resource) -> Iterator[StartedJob]:
    """Yield the requests of a machine's tasks; none where its definition cannot be read here."""
    definition = machine.value("Definition")
    if not isinstance(definition, dict):
        text = joined_text(machine.value("DefinitionString"))
        try:
            definition = json.loads(text) if text is not None else None
        except ValueError:
            return
    yield from _tasks(machine, definition)


def _tasks(machine: Resource, value: Any, name: str = "") -> Iterator[StartedJob]:
    """Yield the jobs that the states of a definition create, those in branches too."""
    match value:
        case dict():
            if value.get("Type") == "Task" and _CREATES in str(value.get("Resource", "")).lower():
                request = value.get("Parameters", value.get("Arguments"))
                if isinstance(request, dict):
                    yield StartedJob(machine, name, request)
                return
            for key, each in value.items():
                yield from _tasks(machine, each, key)
        case list():
            for each in value:
                yield from _tasks(machine, each, name)
