"""`TrainingNetwork`: one zone, one private subnet, and the security group that EFA needs."""

from aws_cdk import RemovalPolicy, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_logs as logs
from constructs import Construct

from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.security_group_rules import ALL_TRAFFIC, HTTPS, allow_between, create_group
from epochwise.checks.finding import Finding, Level
from epochwise.checks.network import LARGEST_FILE_SYSTEM_SERVERS, VPC_PREFIX_LENGTH, network_findings

VPC_CIDR = f"10.0.0.0/{VPC_PREFIX_LENGTH}"
PUBLIC_PREFIX_LENGTH = 28
"""Holds the NAT gateway and nothing else."""

INTERFACE_ENDPOINTS = {
    "SageMakerApi": ec2.InterfaceVpcEndpointAwsService.SAGEMAKER_API,
    "EcrApi": ec2.InterfaceVpcEndpointAwsService.ECR,
    "EcrDocker": ec2.InterfaceVpcEndpointAwsService.ECR_DOCKER,
    "Logs": ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
    "Monitoring": ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_MONITORING,
    "Sts": ec2.InterfaceVpcEndpointAwsService.STS,
}
"""What training code may call, when no NAT gateway leads out."""


class TrainingNetwork(Construct):
    """A VPC in one Availability Zone, and the security group of the training nodes.

    FSx for Lustre lives in one subnet and EFA does not leave a zone, so everything is in one. The group's rules are
    stand-alone and by group id: all traffic from itself and to itself, which EFA requires, and TCP 443 to anywhere, for
    S3 and service endpoints.

    | attribute | is |
    |---|---|
    | `vpc` | the VPC, created or given |
    | `private_subnet` | where nodes and file system go |
    | `efa_security_group` | the group of the nodes |
    | `connections` | the same, for rules of your own |
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        nodes: int,
        instance_type: str,
        vpc: ec2.IVpc | None = None,
        subnet: ec2.ISubnet | None = None,
        availability_zone: str | None = None,
        nat_gateways: int = 1,
        subnet_prefix_length: int = 18,
        file_system_servers: int = LARGEST_FILE_SYSTEM_SERVERS,
    ) -> None:
        """Create the network, or take one that exists.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            nodes: how many nodes the private subnet must hold.
            instance_type: their type, in EC2's or SageMaker's spelling; decides the addresses per node.
            vpc: one that exists; its DNS hostnames and support must be on, its subnet is not checked for room.
            subnet: the subnet of that VPC to use; its first private one by default.
            availability_zone: name of the zone of a new VPC, such as us-east-1a; by default the account's first.
            nat_gateways: 1, or 0 for interface endpoints instead of a way out to the internet.
            subnet_prefix_length: size of the private subnet of a new VPC, 17 (widest) to 28.
            file_system_servers: addresses to keep for file servers; by default those of the largest file system within
                the default quota.

        Raises:
            ValueError: the nodes do not fit (`SUBNET_TOO_SMALL`), or an argument is out of range.
        """
        findings = network_findings(
            nodes=nodes,
            instance_type=instance_type,
            file_system_servers=file_system_servers,
            subnet_prefix_length=subnet_prefix_length,
            nat_gateways=nat_gateways,
        )
        remarks = [] if vpc is not None else refuse_errors(findings)
        if vpc is None and subnet is not None:
            raise ValueError(f"subnet belongs to a VPC that exists, got subnet {subnet.node.path} without vpc")
        if vpc is not None and availability_zone is not None:
            raise ValueError(
                f"availability_zone is for a new VPC, got {availability_zone} with vpc; pass subnet instead"
            )
        super().__init__(scope, construct_id)

        if vpc is None:
            created = self._create_vpc(availability_zone, nat_gateways, subnet_prefix_length)
            self.vpc: ec2.IVpc = created
            self.private_subnet: ec2.ISubnet = (created.private_subnets or created.isolated_subnets)[0]
            remarks += _zone_of_unknown_account(self, availability_zone)
        else:
            self.vpc = vpc
            self.private_subnet = subnet or vpc.select_subnets(one_per_az=True).subnets[0]

        self.efa_security_group = create_group(
            self,
            "EfaSecurityGroup",
            vpc=self.vpc,
            description="Training nodes: all traffic among themselves, which EFA requires, and HTTPS out",
        )
        group_id = self.efa_security_group.security_group_id
        allow_between(
            self,
            "Self",
            source_group_id=group_id,
            target_group_id=group_id,
            ports=[ALL_TRAFFIC],
            description="EFA: all traffic among the training nodes",
        )
        ec2.CfnSecurityGroupEgress(
            self,
            "HttpsEgress",
            group_id=group_id,
            cidr_ip="0.0.0.0/0",
            ip_protocol=HTTPS.protocol,
            from_port=HTTPS.from_port,
            to_port=HTTPS.to_port,
            description="S3 and service endpoints",
        )
        self.connections = self.efa_security_group.connections
        if vpc is None and nat_gateways == 0:
            self._create_endpoints(group_id)
        annotate(self, remarks)

    def _create_vpc(self, availability_zone: str | None, nat_gateways: int, subnet_prefix_length: int) -> ec2.Vpc:
        """Create the VPC with its subnets, its way to S3 and its flow logs."""
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
        vpc = ec2.Vpc(
            self,
            "Resource",
            ip_addresses=ec2.IpAddresses.cidr(VPC_CIDR),
            availability_zones=None if availability_zone is None else [availability_zone],
            max_azs=1 if availability_zone is None else None,
            nat_gateways=nat_gateways,
            enable_dns_hostnames=True,
            enable_dns_support=True,
            # closing the default group takes a custom resource with a Lambda function; nothing here uses that group
            restrict_default_security_group=False,
            subnet_configuration=[private, public] if nat_gateways else [private],
        )
        vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
        flow_logs = logs.LogGroup(
            self, "FlowLogs", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
        vpc.add_flow_log("FlowLog", destination=ec2.FlowLogDestination.to_cloud_watch_logs(flow_logs))
        return vpc

    def _create_endpoints(self, client_group_id: str) -> None:
        """Create the interface endpoints that replace a way out, open to the training nodes only."""
        group = ec2.SecurityGroup(
            self,
            "EndpointSecurityGroup",
            vpc=self.vpc,
            description="Interface endpoints: HTTPS from the training nodes",
            allow_all_outbound=False,
            disable_inline_rules=True,
        )
        allow_between(
            self,
            "Endpoint",
            source_group_id=client_group_id,
            target_group_id=group.security_group_id,
            ports=[HTTPS],
            description="Service endpoints from the training nodes",
        )
        for endpoint_id, service in INTERFACE_ENDPOINTS.items():
            self.vpc.add_interface_endpoint(endpoint_id, service=service, security_groups=[group], open=False)


def _zone_of_unknown_account(network: TrainingNetwork, availability_zone: str | None) -> list[Finding]:
    """A zone's name means another zone in another account, so that a named one wants a named account."""
    if availability_zone is None or not Token.is_unresolved(network.vpc.env.account):
        return []
    return [
        Finding(
            "ZONE_OF_UNKNOWN_ACCOUNT",
            Level.WARNING,
            f"availability_zone {availability_zone} is taken as it is: the stack's account is not known",
            "check with `aws ec2 describe-availability-zones` that the account has it",
        )
    ]
