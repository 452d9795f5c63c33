"""Apps that users would write, one for each value of the context key `scenario`; none needs a bootstrap."""

from aws_cdk import App, LegacyStackSynthesizer, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2

from epochwise import TrainingFileSystem, TrainingNetwork
from epochwise.catalog.fsx_lustre import DeploymentType

NODES, INSTANCE_TYPE = 4, "ml.p4d.24xlarge"


def new_vpc(app: App) -> None:
    """One stack: a VPC without a NAT gateway, and two file systems in its one subnet, both to be destroyed."""
    stack = Stack(app, "new-vpc")
    network = TrainingNetwork(stack, "Network", nodes=NODES, instance_type=INSTANCE_TYPE, nat_gateways=0)
    for construct_id, deployment_type, throughput in (
        ("Scratch", DeploymentType.SCRATCH_2, None),
        ("Persistent", DeploymentType.PERSISTENT_2, 125),
    ):
        TrainingFileSystem(
            stack,
            construct_id,
            vpc=network.vpc,
            subnet=network.private_subnet,
            deployment_type=deployment_type,
            storage_capacity_gib=2400,
            per_unit_storage_throughput=throughput,
            client_security_groups=[network.efa_security_group],
            removal_policy=RemovalPolicy.DESTROY,
        )


def existing_vpc(app: App) -> None:
    """Three stacks: a VPC of the user's, a network in it, and a file system that is kept and grows."""
    vpc = ec2.Vpc(
        Stack(app, "existing-vpc"),
        "Vpc",
        ip_addresses=ec2.IpAddresses.cidr("172.20.0.0/16"),
        max_azs=1,
        restrict_default_security_group=False,
        subnet_configuration=[
            ec2.SubnetConfiguration(name=name, subnet_type=ec2.SubnetType.PRIVATE_ISOLATED, cidr_mask=20)
            for name in ("Other", "Nodes")
        ],
        gateway_endpoints={"S3": ec2.GatewayVpcEndpointOptions(service=ec2.GatewayVpcEndpointAwsService.S3)},
    )
    subnet = vpc.isolated_subnets[1]
    network = TrainingNetwork(
        Stack(app, "existing-vpc-network"),
        "Network",
        nodes=NODES,
        instance_type=INSTANCE_TYPE,
        vpc=vpc,
        subnet=subnet,
    )
    TrainingFileSystem(
        Stack(app, "existing-vpc-storage"),
        "FileSystem",
        vpc=vpc,
        subnet=subnet,
        deployment_type=DeploymentType.PERSISTENT_2,
        storage_capacity_gib=int(app.node.get_context("capacity")),
        per_unit_storage_throughput=250,
        client_security_groups=[network.efa_security_group],
    )


if __name__ == "__main__":
    asked = App(default_stack_synthesizer=LegacyStackSynthesizer())
    scenarios = {"new-vpc": new_vpc, "existing-vpc": existing_vpc}
    scenarios[asked.node.get_context("scenario")](asked)
    asked.synth()
