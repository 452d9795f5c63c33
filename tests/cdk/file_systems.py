"""Kinds of file systems, and a stack with one of them."""

from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from epochwise import Plan
from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.cdk.plan_summary import METADATA_KEY, add_plan_summary
from epochwise.cdk.training_file_system import TrainingFileSystem

FILE_SYSTEM = "AWS::FSx::FileSystem"
LINK = "AWS::FSx::DataRepositoryAssociation"
RULES = ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress")
SCRATCH_1: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_1, "storage_capacity_gib": 1200}
SCRATCH_2: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_2, "storage_capacity_gib": 1200}
PERSISTENT_1: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_1,
    "storage_capacity_gib": 1200,
    "per_unit_storage_throughput": 100,
}
HDD: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_1,
    "storage_type": StorageType.HDD,
    "storage_capacity_gib": 1800,
    "per_unit_storage_throughput": 40,
}
PERSISTENT_2: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_2,
    "storage_capacity_gib": 4800,
    "per_unit_storage_throughput": 500,
}
EFA: dict[str, Any] = PERSISTENT_2 | {"storage_capacity_gib": 9600, "efa_enabled": True}
TIERING: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_2,
    "storage_type": StorageType.INTELLIGENT_TIERING,
    "throughput_capacity_mbps": 8000,
}


def imported_vpc(stack: Stack, construct_id: str = "Vpc", zone: str = "us-east-1a") -> ec2.IVpc:
    """Return a VPC that exists, which takes no resource and so no time."""
    return ec2.Vpc.from_vpc_attributes(
        stack,
        construct_id,
        vpc_id="vpc-0123456789abcdef0",
        availability_zones=[zone],
        private_subnet_ids=["subnet-0123456789abcdef0"],
        private_subnet_route_table_ids=["rtb-0123456789abcdef0"],
    )


def build(stack: Stack, construct_id: str = "FileSystem", **settings: Any) -> TrainingFileSystem:
    """Create a file system in a VPC that exists."""
    found = stack.node.try_find_child("Vpc")
    vpc: Any = imported_vpc(stack) if found is None else found
    where: dict[str, Any] = {"vpc": vpc, "subnet": vpc.private_subnets[0]}
    return TrainingFileSystem(stack, construct_id, **(where | settings))


def properties_of(stack: Stack, **settings: Any) -> dict[str, Any]:
    """Return the properties of the file system in a stack of its own."""
    build(stack, **settings)
    [resource] = Template.from_stack(stack).find_resources(FILE_SYSTEM).values()
    found: dict[str, Any] = resource["Properties"]
    return found


def summary(stack: Stack, planned: Plan) -> dict[str, Any]:
    """Return what a template says about the plan of its file system."""
    add_plan_summary(stack, plan=planned, file_system=build(stack, size=planned.choice))
    template = Template.from_stack(stack).to_json()
    found: dict[str, Any] = template["Metadata"][METADATA_KEY] | {"why": template["Outputs"]["Why"]["Value"]}
    return found
