"""`TrainingNetwork`: one zone, one private subnet, and the security group that EFA needs."""

from collections.abc import Iterable, Sequence

import jsii
from aws_cdk import Annotations
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_logs as logs
from constructs import Construct

from epochwise.catalog.network_ports import HTTPS
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind, shown
from epochwise.cdk.existing_vpc import name_of_vpc, see_subnet, see_vpc
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.given_groups import id_or_path, once_each
from epochwise.cdk.network_arguments import changed_arguments, subnet_of_arguments, zone_of_arguments
from epochwise.cdk.same_vpc import groups_of_other_vpcs, peer_of_other_vpc
from epochwise.cdk.security_group_rules import allow_all_traffic, create_group, is_created_here
from epochwise.cdk.stack_order import comes_later
from epochwise.cdk.training_endpoints import (
    INTERFACE_ENDPOINTS,
    add_interface_endpoints,
    add_s3_endpoint,
    by_name,
    standing_endpoints,
    wanted_endpoints,
)
from epochwise.cdk.training_vpc import create_vpc, training_subnet
from epochwise.checks.finding import Finding, Level
from epochwise.checks.interface_endpoint import interface_endpoint_findings
from epochwise.checks.network import given_network_findings, network_findings
from epochwise.checks.security_group import (
    efa_group_not_visible,
    efa_peer_not_a_group,
    efa_peer_not_writable,
    security_groups_out_of_range,
    security_groups_without_vpc,
)
from epochwise.checks.subnet import LARGEST_FILE_SYSTEM_SERVERS, AddressBudget
from epochwise.checks.vpc import DEFAULT_VPC_CIDR, new_vpc_arguments
from epochwise.checks.zone import one_zone_by_design, zone_malformed, zones_not_one

EFA_RULES = "EFA: all traffic among the training nodes"


@jsii.implements(ec2.IConnectable)
class TrainingNetwork(Construct):
    """A VPC in one Availability Zone, and the security group of the training nodes.

    FSx for Lustre lives in one subnet and EFA does not leave a zone, so everything is in one. The group's rules are
    stand-alone and by group id: all traffic from itself and to itself, which EFA requires, and TCP 443 to anywhere, for
    S3 and service endpoints.

    Without a NAT gateway, set `AWS_STS_REGIONAL_ENDPOINTS=regional` in the training container where its SDK is old:
    the endpoint of STS answers for the Region's name, not for the global `sts.amazonaws.com`.

    | attribute | is |
    |---|---|
    | `vpc` | the VPC, created or given |
    | `private_subnet` | where nodes and file system go |
    | `efa_security_group` | the group of the nodes that carries EFA; the first of those that were given |
    | `security_groups` | every group of the nodes |
    | `closed` | whether it is a new VPC without a way out to the internet |
    | `connections` | the same, for rules of your own |
    | `s3_endpoint` | S3's gateway endpoint of a created VPC, whose policy can be added to; else None |
    | `interface_endpoints` | interface endpoints by service, such as `sts` |
    | `addresses` | who takes the addresses of the subnet |
    | `findings` | every remark, those that are mere information too |
    """

    @arguments_of_their_kind(availability_zone=lambda zone: (*zone_malformed(zone), *zones_not_one(zone)))
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        nodes: int,
        instance_type: str,
        vpc: ec2.IVpc | None = None,
        subnet: ec2.ISubnet | None = None,
        subnets: Sequence[ec2.ISubnet] | None = None,
        availability_zone: str | None = None,
        vpc_cidr: str = DEFAULT_VPC_CIDR,
        nat_gateways: int = 1,
        interface_endpoints: Sequence[ec2.IInterfaceVpcEndpointService] | None = None,
        subnet_prefix_length: int | None = None,
        file_system_servers: int = LARGEST_FILE_SYSTEM_SERVERS,
        security_groups: Sequence[ec2.ISecurityGroup] | None = None,
        flow_logs: bool = True,
        flow_log_retention: logs.RetentionDays = logs.RetentionDays.ONE_MONTH,
    ) -> None:
        """Create the network, or take one that exists.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            nodes: how many nodes the private subnet must hold.
            instance_type: their type, in EC2's or SageMaker's spelling; decides the addresses per node.
            vpc: one that exists. What of it the app can see is checked, the rest is warned about: names that resolve,
                free addresses, a way to S3.
            subnet: the subnet of that VPC to use; its first private one by default.
            subnets: the same in a list of exactly one.
            availability_zone: the zone of a new VPC, by name such as us-east-1a or by id such as use1-az4, which means
                the same place in every account; by default the first in the account's list. Another zone later is
                another subnet, and so another file system.
            vpc_cidr: addresses of a new VPC, a /16.
            nat_gateways: 1, or 0 for interface endpoints instead of a way out to the internet.
            interface_endpoints: services to reach by an endpoint in the subnet, each on its port and by its own name
                where it has one; by default none with a NAT gateway or a given VPC, and without one SageMaker's API,
                ECR, CloudWatch's logs and metrics, and STS. S3 has a gateway endpoint in every new VPC.
            subnet_prefix_length: size of the private subnet of a new VPC, 17 (widest) to 28; by default 18, or 17 where
                18 is too small. Another size later is another subnet too: start with 17 for a cluster that will grow.
            file_system_servers: addresses to keep for file servers; by default those of the largest file system within
                the default quota.
            security_groups: one to five groups of the given VPC for the nodes instead of one of its own. The first
                carries EFA: where this app creates it, the rules to and from itself are added if they are absent;
                where it is imported, they cannot be seen and are warned about. Other ways out of it are its maker's.
            flow_logs: whether a new VPC logs its flows.
            flow_log_retention: how long they are kept.

        Raises:
            ValueError: the nodes do not fit (`SUBNET_TOO_SMALL`), or an argument is out of range.
        """
        named = by_name(interface_endpoints or ())
        asked = None if interface_endpoints is None else list(named)
        chosen, findings = subnet_of_arguments(vpc, subnet, subnets)
        findings += interface_endpoint_findings(
            wanted_endpoints(named, scope),
            standing=standing_endpoints(vpc) if vpc is not None and named else (),
            vpc="" if vpc is None else name_of_vpc(vpc),
        )
        if security_groups is not None:
            findings += security_groups_out_of_range(len(once_each(security_groups)))
        if vpc is None:
            findings += security_groups_without_vpc(len(security_groups or ()))
            findings += network_findings(
                nodes=nodes,
                instance_type=instance_type,
                file_system_servers=file_system_servers,
                subnet_prefix_length=subnet_prefix_length,
                nat_gateways=nat_gateways,
                vpc_cidr=vpc_cidr,
                interface_endpoints=asked,
            )
            findings += zone_of_arguments(scope, availability_zone, instance_type)
            findings += one_zone_by_design(new_vpc=True)
        else:
            findings += new_vpc_arguments(
                changed_arguments(
                    availability_zone=(availability_zone, None),
                    vpc_cidr=(vpc_cidr, DEFAULT_VPC_CIDR),
                    nat_gateways=(nat_gateways, 1),
                    subnet_prefix_length=(subnet_prefix_length, None),
                    flow_logs=(flow_logs, True),
                    flow_log_retention=(flow_log_retention, logs.RetentionDays.ONE_MONTH),
                )
            )
            findings += groups_of_other_vpcs("security_groups", security_groups or (), vpc)
            if chosen is not None:
                findings += given_network_findings(
                    nodes=nodes,
                    instance_type=instance_type,
                    file_system_servers=file_system_servers,
                    vpc=see_vpc(vpc),
                    subnet=see_subnet(chosen, vpc),
                    interface_endpoints=asked or (),
                )
        remarks = refuse_errors(findings)
        super().__init__(scope, construct_id)

        usual = vpc is None and interface_endpoints is None and nat_gateways == 0
        services = by_name(INTERFACE_ENDPOINTS) if usual else named
        self.addresses = AddressBudget(nodes, instance_type, file_system_servers, len(services))
        self.s3_endpoint: ec2.GatewayVpcEndpoint | None = None
        if vpc is not None and chosen is not None:
            self.vpc: ec2.IVpc = vpc
            self.private_subnet: ec2.ISubnet = chosen
        else:
            created = create_vpc(
                self,
                cidr=vpc_cidr,
                zone=availability_zone,
                nat_gateways=nat_gateways,
                subnet_prefix_length=subnet_prefix_length or self.addresses.default_prefix_length,
                flow_log_retention=flow_log_retention if flow_logs else None,
            )
            self.vpc, self.private_subnet = created, training_subnet(created)
            self.s3_endpoint = add_s3_endpoint(created)
        self.closed = vpc is None and nat_gateways == 0
        self.security_groups: list[ec2.ISecurityGroup] = (
            once_each(security_groups) if security_groups else [self._create_group()]
        )
        self.efa_security_group = self.security_groups[0]
        visible = is_created_here(self.efa_security_group)
        if visible:
            ours = self.efa_security_group
            allow_all_traffic(self, ours, ours, description=EFA_RULES, new_group=not security_groups)
        remarks += efa_group_not_visible(id_or_path(self.efa_security_group), created_here=visible)
        self._connections = ec2.Connections(security_groups=self.security_groups)
        self.interface_endpoints: dict[str, ec2.InterfaceVpcEndpoint] = {}
        if services:
            self.interface_endpoints = add_interface_endpoints(
                self, vpc=self.vpc, subnet=self.private_subnet, services=services, clients=self.security_groups
            )
        self.findings = tuple(remarks)
        annotate(self, remarks)
        _inform(self, remarks)

    @property
    def connections(self) -> ec2.Connections:
        """The nodes' groups, for rules of your own."""
        return self._connections

    @arguments_of_their_kind(peer=lambda peer: efa_peer_not_a_group(shown(peer), is_group=False))
    def allow_efa_peer(self, peer: ec2.ISecurityGroup) -> None:
        """Let the nodes and the members of another group of the VPC talk over EFA.

        All traffic in both directions is allowed on both groups, by group id, as far as the app does not allow it yet.
        An imported group gets its rules unless it is imported as immutable, which is warned about. The rules belong to
        this construct's stack, or to the peer's where that is a later one.

        Raises:
            ValueError: the peer is no security group, since EFA does not honour rules by address, or is seen to be of
                another VPC.
        """
        refuse_errors(peer_of_other_vpc(peer, self.vpc))
        ours = self.efa_security_group
        later = comes_later(peer, self, needs=[self.vpc, self.private_subnet, *self.security_groups])
        written = allow_all_traffic(self, ours, peer, description=EFA_RULES, host=peer if later else ours)
        annotate(self, efa_peer_not_writable(id_or_path(peer), written=written))

    def _create_group(self) -> ec2.SecurityGroup:
        """Create the group of the nodes, with its way to S3 and to service endpoints."""
        group = create_group(
            self,
            "EfaSecurityGroup",
            vpc=self.vpc,
            description="Training nodes: all traffic among themselves, which EFA requires, and HTTPS out",
        )
        ec2.CfnSecurityGroupEgress(
            self,
            "HttpsEgress",
            group_id=group.security_group_id,
            cidr_ip="0.0.0.0/0",
            ip_protocol=HTTPS.protocol,
            from_port=HTTPS.from_port,
            to_port=HTTPS.to_port,
            description="S3 and service endpoints",
        )
        return group


def _inform(network: TrainingNetwork, remarks: Iterable[Finding]) -> None:
    """Say what is mere information, which `annotate` leaves to its caller."""
    for remark in remarks:
        if remark.level is Level.INFO:
            Annotations.of(network).add_info(str(remark))
