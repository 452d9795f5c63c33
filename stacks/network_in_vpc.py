"""The stack of the network where the VPC is there already."""

from aws_cdk import Aws, BootstraplessSynthesizer, CfnOutput, CfnParameter, Fn, Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.zones import is_zone_id
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.sizing.plan import Plan
from stacks.deploy_rules import allow_region_of, allow_when
from stacks.public_exports import export_name


class NetworkInVpcStack(Stack):
    """The security group of the nodes in a VPC that a pipeline names; its exports are those of `NetworkStack`."""

    def __init__(self, scope: Construct, construct_id: str, *, plan: Plan) -> None:
        """Create the group for a plan's cluster in the subnet that Parameters name."""
        workload, cluster = plan.workload, plan.workload.cluster
        super().__init__(
            scope,
            construct_id,
            description=f"Network of the training workload {workload.name} in a VPC that is there",
            synthesizer=BootstraplessSynthesizer(),
        )
        zone = cluster.availability_zone
        vpc_id = CfnParameter(
            self, "VpcId", type="AWS::EC2::VPC::Id", description="VPC of nodes and file system"
        ).value_as_string
        subnet_id = CfnParameter(
            self,
            "SubnetId",
            type="AWS::EC2::Subnet::Id",
            description=f"Private subnet of that VPC{'' if zone is None else f' in {zone}'} with a way to S3",
        ).value_as_string
        vpc = ec2.Vpc.from_vpc_attributes(
            self,
            "Vpc",
            vpc_id=vpc_id,
            availability_zones=[Fn.select(0, Fn.get_azs(Aws.REGION))],
            private_subnet_ids=[subnet_id],
        )
        network = TrainingNetwork(
            self,
            "Network",
            nodes=cluster.nodes,
            instance_type=cluster.instance_type,
            vpc=vpc,
            file_system_servers=0 if plan.choice is None else plan.choice.addresses,
        )
        allow_region_of(self, workload)
        allow_when(
            self,
            "SubnetOfVpc",
            Fn.condition_contains([vpc_id], Fn.value_of("SubnetId", "VpcId")),
            "SubnetId must be a subnet of VpcId",
        )
        if zone is not None and not is_zone_id(zone):
            allow_when(
                self,
                "SubnetInZone",
                Fn.condition_contains([zone], Fn.value_of("SubnetId", "AvailabilityZone")),
                f"SubnetId must be a subnet in {zone}, as cluster.availability_zone declares",
            )
        for public, value in {
            "VpcId": vpc_id,
            "SubnetId": subnet_id,
            "NodesSecurityGroupId": network.efa_security_group.security_group_id,
        }.items():
            output = CfnOutput(self, f"{public}Export", value=value, export_name=export_name(workload.name, public))
            output.override_logical_id(f"{public}Export")
