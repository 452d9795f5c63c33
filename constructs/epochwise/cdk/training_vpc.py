"""The VPC of a training network: one zone, a private subnet, and a way to S3."""

import jsii
from aws_cdk import IStableStringProducer, Lazy, RemovalPolicy, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_logs as logs
from constructs import Construct

from epochwise.catalog.zones import is_zone_id
from epochwise.cdk.acknowledgements import REGULATED, acknowledge, acknowledge_policy

PUBLIC_PREFIX_LENGTH = 28
"""Holds the NAT gateway and nothing else."""


def create_vpc(
    scope: Construct,
    *,
    cidr: str,
    zone: str | None,
    nat_gateways: int,
    subnet_prefix_length: int,
    flow_log_retention: logs.RetentionDays | None,
) -> ec2.Vpc:
    """Create the VPC with its subnets, all in one zone, and the logs of its flows unless None says so.

    CloudFormation takes a subnet's zone by name or by id, CDK by name only. For an id the private subnet gets it, and
    the public one the name that the private one turns out to have, which is also what `availability_zone` of both is.
    """
    private = ec2.SubnetConfiguration(
        name="Training",
        subnet_type=ec2.SubnetType.PRIVATE_WITH_EGRESS if nat_gateways else ec2.SubnetType.PRIVATE_ISOLATED,
        cidr_mask=subnet_prefix_length,
    )
    public = ec2.SubnetConfiguration(
        name="Nat",
        subnet_type=ec2.SubnetType.PUBLIC,
        cidr_mask=PUBLIC_PREFIX_LENGTH,
        map_public_ip_on_launch=False,
    )
    by_id = zone is not None and not Token.is_unresolved(zone) and is_zone_id(zone)
    of_private = _ZoneOfSubnet()
    named = Lazy.string(of_private) if by_id else zone
    vpc = ec2.Vpc(
        scope,
        "Resource",
        ip_addresses=ec2.IpAddresses.cidr(cidr),
        availability_zones=None if named is None else [named],
        max_azs=1 if named is None else None,
        nat_gateways=nat_gateways,
        enable_dns_hostnames=True,
        enable_dns_support=True,
        # closing the default group takes a custom resource with a Lambda function; nothing here uses that group
        restrict_default_security_group=False,
        subnet_configuration=[private, public] if nat_gateways else [private],
    )
    acknowledge(vpc, "VPCDefaultSecurityGroupClosed", "nothing is a member of the VPC's default group", *REGULATED)
    for subnet in vpc.public_subnets:
        acknowledge(
            subnet,
            "VPCNoUnrestrictedRouteToIGW",
            "the NAT gateway's way out, and nothing else is in its subnet; nat_gateways=0 makes none",
            *REGULATED,
        )
    if by_id:
        resource = training_subnet(vpc).node.default_child
        assert isinstance(resource, ec2.CfnSubnet)  # noqa: S101 - what a created subnet is made of
        resource.availability_zone = None
        resource.availability_zone_id = zone
        of_private.subnet = resource
    if flow_log_retention is not None:
        group = logs.LogGroup(scope, "FlowLogs", retention=flow_log_retention, removal_policy=RemovalPolicy.DESTROY)
        acknowledge(
            group,
            "CloudWatchLogGroupEncrypted",
            "CloudWatch Logs encrypts it with its own key; it holds addresses and ports, none of the data",
            *REGULATED,
        )
        flows = vpc.add_flow_log("FlowLog", destination=ec2.FlowLogDestination.to_cloud_watch_logs(group))
        acknowledge_policy(flows.node.find_child("IAMRole").node.find_child("DefaultPolicy"))
    return vpc


def training_subnet(vpc: ec2.Vpc) -> ec2.ISubnet:
    """Return the private subnet of a VPC that `create_vpc` made."""
    return (vpc.private_subnets or vpc.isolated_subnets)[0]


@jsii.implements(IStableStringProducer)
class _ZoneOfSubnet:
    """The name of the zone that a subnet turns out to be in, asked for before the subnet is there."""

    subnet: ec2.CfnSubnet | None = None

    def produce(self) -> str | None:
        """Return a reference to the name."""
        return None if self.subnet is None else self.subnet.attr_availability_zone
