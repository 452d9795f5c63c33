"""Judge the SageMaker training jobs that state machines start."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from epochwise.checks.plain_resources import multi_node_job_without_vpc, training_subnet_in_another_zone
from epochwise.policy.app_resources import AppResources, Resource
from epochwise.policy.file_systems import lustre_file_systems
from epochwise.policy.joined_text import joined_text, marked_value
from epochwise.policy.violation import Violation

STATE_MACHINE = "AWS::StepFunctions::StateMachine"
_CREATES = "sagemaker:createtrainingjob"
"""In the resource of a task, with .sync or through aws-sdk, whatever its case."""
_ID = re.compile(r"-az\d+$")


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
    def file_systems(self) -> list[Any] | None:
        """Values of the file systems that it reads; None where only the execution knows them, or the image alone."""
        channels = self.request.get("InputDataConfig")
        sources = [
            source
            for channel in (channels if isinstance(channels, list) else [])
            if isinstance(channel, dict) and isinstance(source := channel.get("DataSource"), dict)
        ]
        named = [source["FileSystemDataSource"] for source in sources if "FileSystemDataSource" in source]
        if not sources or not all(isinstance(each, dict) for each in named):
            return None
        return [marked_value(each.get("FileSystemId")) for each in named]

    @property
    def has_vpc(self) -> bool:
        """Whether the request places the job, be it by what only the execution knows."""
        return any(name in self.request for name in ("VpcConfig", "VpcConfig.$"))


def training_job_violations(app: AppResources) -> Iterator[Violation]:
    """Yield jobs of several nodes outside a VPC, and jobs in another zone than the app's file systems."""
    for machine in app.of_type(STATE_MACHINE):
        for job in _jobs(machine):
            for finding in multi_node_job_without_vpc(job.state, nodes=job.nodes, has_vpc=job.has_vpc):
                yield Violation.of(machine, "Properties/DefinitionString", finding)
            zones = {
                _zone(app, each.template, at): each.logical_id for each in _read(app, job) for at in _subnets(each)
            }
            for value in job.subnets:
                zone = _zone(app, machine.template, value)
                known = {other: name for other, name in zones.items() if _may_be_compared(other, zone)}
                if zone is None or not known or len(known) < len(zones):
                    continue
                for finding in training_subnet_in_another_zone(job.state, zone=zone, file_systems=known):
                    yield Violation.of(machine, "Properties/DefinitionString", finding)


def _read(app: AppResources, job: StartedJob) -> list[Resource]:
    """Return the file systems of the app that a job reads: all of them where it does not say."""
    found = lustre_file_systems(app)
    if job.file_systems is None:
        return list(found)
    read = [app.resource(job.machine.template, value) for value in job.file_systems]
    return [each for each in found if each in read]


def _subnets(file_system: Resource) -> list[Any]:
    """Return the values of the subnets of a file system; one unknown value where only a deploy knows them."""
    return file_system.items("SubnetIds") or [None]


def _zone(app: AppResources, template: str, value: Any) -> str | None:
    """Return the zone of a subnet of the app, by name or by id as it is written; None where it is not known."""
    subnet = app.resource(template, value)
    if subnet is None or subnet.type != "AWS::EC2::Subnet":
        return None
    zone = subnet.value("AvailabilityZone") or subnet.value("AvailabilityZoneId")
    return zone if isinstance(zone, str) else None if zone is None else json.dumps(zone, sort_keys=True)


def _may_be_compared(one: str | None, other: str | None) -> TypeGuard[str]:
    """Tell whether two zones that are written differently are different: both names, both ids, or of one list."""
    return one is not None and other is not None and _kind(one) == _kind(other)


def _kind(zone: str) -> str:
    """Return what a zone is compared with: ids are an account's own names for zones, and functions give either."""
    if not zone.startswith("{"):
        return "id" if _ID.search(zone) else "name"
    match json.loads(zone):
        case {"Fn::Select": [_, list_]}:
            return json.dumps(list_, sort_keys=True)
    return zone


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
