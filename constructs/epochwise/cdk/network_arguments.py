"""What is said about a network's arguments before anything of it is created."""

from collections.abc import Sequence

from aws_cdk import Stack, Token
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.zones import is_zone_id
from epochwise.cdk.existing_vpc import private_subnets
from epochwise.checks.finding import Finding
from epochwise.checks.given_subnet import (
    no_private_subnet,
    subnet_given_twice,
    subnet_not_chosen,
    subnet_without_vpc,
    subnets_not_one,
)
from epochwise.checks.network import zone_findings

_NO_ZONE_KNOWN = "dummy"
"""How CDK's stand-ins for an account's zones begin, until the CDK CLI has asked the account."""


def subnet_of_arguments(
    vpc: ec2.IVpc | None, subnet: ec2.ISubnet | None, subnets: Sequence[ec2.ISubnet] | None
) -> tuple[ec2.ISubnet | None, list[Finding]]:
    """Return the subnet that is given or found in the given VPC, and what is said about that choice."""
    remarks = list(subnet_given_twice(subnet=subnet is not None, subnets=subnets is not None))
    if subnets is not None:
        remarks += subnets_not_one([each.node.path for each in subnets])
    given = subnet or (subnets[0] if subnets else None)
    if vpc is None:
        remarks += subnet_without_vpc(None if given is None else given.node.path)
        return None, remarks
    there = [given] if given is not None else private_subnets(vpc)
    remarks += no_private_subnet(vpc.node.path, len(there))
    remarks += subnet_not_chosen([each.node.path for each in there])
    return (there[0] if there else None), remarks


def changed_arguments(**given: tuple[object, object]) -> list[str]:
    """Return the names of the arguments that are not what they are by default, each given beside its default.

    >>> changed_arguments(nat_gateways=(0, 1), flow_logs=(True, True))
    ['nat_gateways']
    """
    return [name for name, (value, default) in given.items() if value != default]


def zone_of_arguments(scope: Construct, zone: str | None, instance_type: str) -> list[Finding]:
    """Return what is said about the zone of a new VPC, as far as the stack knows its account and Region."""
    if Token.is_unresolved(zone):
        return []
    stack = Stack.of(scope)
    account_known, region_known = not Token.is_unresolved(stack.account), not Token.is_unresolved(stack.region)
    known: Sequence[str] = ()
    if account_known and region_known and zone is not None and not is_zone_id(zone):
        known = [each for each in stack.availability_zones if not each.startswith(_NO_ZONE_KNOWN)]
    return list(
        zone_findings(
            zone,
            instance_type=instance_type,
            region=stack.region if region_known else None,
            account_known=account_known,
            known_zones=known,
        )
    )
