"""Whether the zone has the nodes' type, and whether the type is what the catalog says."""

from typing import Any

from epochwise.catalog.zones import is_zone_id
from epochwise.checks.described_type import DescribedType, efa_not_described, instance_type_differs
from epochwise.checks.network import instance_type_without_efa
from epochwise.checks.preflight import Preflight, judged
from epochwise.checks.zone import zone_not_chosen
from epochwise.checks.zone_offerings import (
    instance_type_not_in_region,
    instance_type_not_in_zone,
    subnet_in_another_zone,
)
from epochwise.live.by_hand import aws_command, filters
from epochwise.live.given_network import subnet_of
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject


def _zone(subject: Subject) -> Preflight:
    """Look up the zones that offer the type, which for SageMaker's nodes is told by their EC2 name."""
    name = subject.workload.cluster.instance.name
    offered = subject.account.listed(
        "ec2",
        "describe_instance_type_offerings",
        "InstanceTypeOfferings",
        LocationType=_location_type(subject),
        Filters=[{"Name": "instance-type", "Values": [name]}],
    )
    zones = sorted({str(each["Location"]) for each in offered})
    zone = subject.zone
    elsewhere = []
    if subject.named.subnet is not None:
        subnet = subnet_of(subject)
        of_subnet = [str(subnet["AvailabilityZone"]), str(subnet.get("AvailabilityZoneId", ""))]
        elsewhere = list(subnet_in_another_zone(subject.named.subnet, of_subnet, zone))
        zone = zone or of_subnet[0]
    findings = [
        *instance_type_not_in_region(name, subject.region, zones),
        *instance_type_not_in_zone(name, zone, zones),
        *elsewhere,
        *zone_not_chosen(zone, name),
    ]
    others = [each for each in zones if each != zone]
    said = f"{zone} offers {name}" if zone else f"{name} is offered in {', '.join(zones)}"
    said += f", and so do {', '.join(others)}" if zone and others else ""
    said += "; that is EC2's offer, SageMaker's own capacity is not shown" if subject.workload.runs_in_sagemaker else ""
    instead = "" if zone or not zones else "set cluster.availability_zone to one of them"
    return judged("zone", said, findings, instead=instead)


def _location_type(subject: Subject) -> str:
    """Return how zones are named: as the declared one is."""
    return "availability-zone-id" if subject.zone and is_zone_id(subject.zone) else "availability-zone"


def _zone_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to list the zones."""
    return (
        aws_command(
            "ec2",
            "describe-instance-type-offerings",
            region=subject.region,
            location_type=_location_type(subject),
            filters=filters(instance_type=subject.workload.cluster.instance.name),
            query="InstanceTypeOfferings[].Location",
        ),
    )


def _type(subject: Subject) -> Preflight:
    """Compare EC2's description of the type with the catalog's row."""
    cluster, row = subject.workload.cluster, subject.workload.cluster.instance
    described = subject.account.listed(
        "ec2",
        "describe_instance_types",
        "InstanceTypes",
        Filters=[{"Name": "instance-type", "Values": [row.name]}],
    )
    if not described:
        return judged("instance-type", "", instance_type_not_in_region(row.name, subject.region, ()))
    seen = described_type(described[0])
    choice = subject.plan.choice
    relied_on = (cluster.nodes > 1 and row.efa_interfaces > 0) or (choice is not None and choice.efa_enabled)
    findings = [
        *instance_type_differs(row, seen),
        *efa_not_described(row, seen, relied_on=relied_on),
        *instance_type_without_efa(cluster.nodes, cluster.instance_type),
    ]
    efa = f"{seen.efa_interfaces} EFA interfaces" if seen.efa_interfaces else "no EFA"
    said = f"{row.name} has {seen.vcpu} vCPUs, {seen.memory_gib:g} GiB, {seen.accelerators} accelerators and {efa}"
    return judged("instance-type", said if seen.differences(row) else f"{said}, as in the catalog", findings)


def described_type(description: dict[str, Any]) -> DescribedType:
    """Read one of DescribeInstanceTypes' descriptions."""
    network = description.get("NetworkInfo", {})
    accelerators = [
        *description.get("GpuInfo", {}).get("Gpus", []),
        *description.get("NeuronInfo", {}).get("NeuronDevices", []),
        *description.get("InferenceAcceleratorInfo", {}).get("Accelerators", []),
    ]
    return DescribedType(
        vcpu=int(description["VCpuInfo"]["DefaultVCpus"]),
        memory_gib=description["MemoryInfo"]["SizeInMiB"] / 1024,
        accelerators=sum(int(each.get("Count", 0)) for each in accelerators),
        network_cards=int(network.get("MaximumNetworkCards", 1)),
        efa_interfaces=int(network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0))
        if network.get("EfaSupported")
        else 0,
    )


def _type_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to describe the type."""
    name = subject.workload.cluster.instance.name
    return (
        aws_command(
            "ec2",
            "describe-instance-types",
            region=subject.region,
            instance_types=name,
            query="InstanceTypes[].[VCpuInfo.DefaultVCpus,MemoryInfo.SizeInMiB,NetworkInfo.EfaInfo]",
        ),
    )


CHECKS = (Check("zone", _zone, _zone_by_hand), Check("instance-type", _type, _type_by_hand))
