"""What a local AWS account holds, as boto3 sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

Client = Callable[[str], Any]
Rules = set[tuple[str, str, int | None, int | None]]
"""Peer, protocol and ports of what a security group lets through in one direction."""


@dataclass(frozen=True)
class Account:
    """What an account holds at one time."""

    resources: dict[str, list[dict[str, Any]]]
    """Of each stack."""
    templates: dict[str, dict[str, Any]]
    vpcs: dict[str, str]
    """Addresses by id."""
    subnets: dict[str, dict[str, Any]]
    groups: dict[str, tuple[Rules, Rules]]
    """Ways in and out by id."""
    file_systems: dict[str, dict[str, Any]]
    links: dict[str, dict[str, Any]]
    """Of file systems to S3."""
    state_machines: set[str]

    def ids(self, stack: str, resource_type: str, part: str = "") -> list[str]:
        """Return the physical ids of a stack's resources of a type whose logical id holds the part."""
        return [
            each["PhysicalResourceId"]
            for each in self.resources[stack]
            if each["ResourceType"] == resource_type and part in each["LogicalResourceId"]
        ]

    def id(self, stack: str, resource_type: str, part: str = "") -> str:
        """Return the only one of these."""
        [found] = self.ids(stack, resource_type, part)
        return found


def look(client: Client) -> Account:
    """Return what is there now."""
    stacks = client("cloudformation")
    names = [each["StackName"] for page in _pages(stacks, "describe_stacks") for each in page["Stacks"]]
    ec2, fsx = client("ec2"), client("fsx")
    return Account(
        {name: stacks.list_stack_resources(StackName=name)["StackResourceSummaries"] for name in names},
        {name: _template(stacks.get_template(StackName=name)["TemplateBody"]) for name in names},
        {each["VpcId"]: each["CidrBlock"] for each in ec2.describe_vpcs()["Vpcs"]},
        {each["SubnetId"]: each for each in ec2.describe_subnets()["Subnets"]},
        {
            each["GroupId"]: (permissions(each["IpPermissions"]), permissions(each["IpPermissionsEgress"]))
            for each in ec2.describe_security_groups()["SecurityGroups"]
        },
        {each["FileSystemId"]: each for each in fsx.describe_file_systems()["FileSystems"]},
        {each["AssociationId"]: each for each in fsx.describe_data_repository_associations()["Associations"]},
        {each["stateMachineArn"] for each in client("stepfunctions").list_state_machines()["stateMachines"]},
    )


def permissions(listed: list[dict[str, Any]]) -> Rules:
    """Return permissions as peer, protocol and ports."""
    return {
        (peer, each["IpProtocol"], each.get("FromPort"), each.get("ToPort"))
        for each in listed
        for peer in [pair["GroupId"] for pair in each["UserIdGroupPairs"]] + [ip["CidrIp"] for ip in each["IpRanges"]]
    }


def _template(body: Any) -> dict[str, Any]:
    """Return a template, which boto3 gives parsed where the CLI has sent JSON."""
    parsed: dict[str, Any] = yaml.safe_load(body) if isinstance(body, str) else body
    return parsed


def _pages(client: Any, operation: str) -> Any:
    return client.get_paginator(operation).paginate()
