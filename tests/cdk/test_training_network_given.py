"""A network in a VPC that exists: what the app sees of it, and what it says that it does not see."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.rules import repeated_rules, rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
UNSEEN = {"VPC_NOT_VISIBLE", "ROUTES_NOT_VISIBLE", "SUBNET_NOT_VISIBLE"}


def said(network: TrainingNetwork) -> set[str]:
    return {finding.id for finding in network.findings}


@pytest.fixture
def imported(stack: Stack) -> ec2.IVpc:
    return ec2.Vpc.from_vpc_attributes(
        stack,
        "Imported",
        vpc_id="vpc-0123",
        availability_zones=["us-east-1a", "us-east-1b"],
        private_subnet_ids=["subnet-a", "subnet-b"],
    )


def test_a_vpc_that_exists_is_taken_with_its_subnet(stack: Stack) -> None:
    vpc = ec2.Vpc(stack, "Existing")
    chosen = vpc.private_subnets[1]
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=chosen, **CLUSTER)
    assert network.vpc is vpc
    assert network.private_subnet is chosen
    assert network.s3_endpoint is None
    assert said(network) == set()
    in_a_list = TrainingNetwork(stack, "InAList", vpc=vpc, subnets=[chosen], **CLUSTER)
    assert in_a_list.private_subnet is chosen
    first = TrainingNetwork(stack, "Other", vpc=vpc, **CLUSTER)
    assert first.private_subnet.subnet_id == vpc.private_subnets[0].subnet_id
    assert said(first) == {"SUBNET_NOT_CHOSEN"}
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::VPC", 1)
    assert repeated_rules(template) == []


def test_two_clusters_share_a_network_that_another_made(stack: Stack) -> None:
    made = TrainingNetwork(stack, "Network", **CLUSTER)
    shared = TrainingNetwork(stack, "Shared", vpc=made.vpc, subnet=made.private_subnet, **CLUSTER)
    assert said(shared) == set()
    Template.from_stack(stack).resource_count_is("AWS::EC2::VPC", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"subnets": [0, 1]}, r"exactly one, got 2: FSx for Lustre takes one subnet and EFA does not cross zones"),
        ({"subnets": []}, r"exactly one, got 0: .*SUBNETS_NOT_ONE"),
        ({"subnets": [0], "subnet": 0}, "SUBNET_GIVEN_TWICE"),
        ({"subnet": 0, "vpc": None}, r"got subnet test/Existing/\w+ without vpc; .*SUBNET_WITHOUT_VPC"),
        ({"availability_zone": "us-east-1a"}, r"availability_zone is for a new VPC.* pass subnet instead"),
        ({"nat_gateways": 0, "flow_logs": False}, r"nat_gateways, flow_logs are for a new VPC, got with vpc"),
        ({"vpc_cidr": "10.1.0.0/16"}, "NEW_VPC_ARGUMENTS"),
        ({"nodes": 9_000, "subnet": 0}, r"subnet test/Existing/\w+ of /18 has 16379 .*nearest legal: 3266 nodes"),
        ({"nodes": 4_000, "subnet": 0}, r"take a subnet of /17 or wider, or nearest legal: .*GIVEN_SUBNET_TOO_SMALL"),
        ({"nodes": 0, "subnet": 0}, "NODES_NOT_POSITIVE"),
    ],
)
def test_what_cannot_go_with_a_vpc_is_refused(stack: Stack, arguments: dict[str, Any], message: str) -> None:
    vpc = ec2.Vpc(stack, "Existing")
    there = vpc.private_subnets
    if "subnet" in arguments:
        arguments = arguments | {"subnet": there[0]}
    if "subnets" in arguments:
        arguments = arguments | {"subnets": [there[index] for index in arguments["subnets"]]}
    with pytest.raises(ValueError, match=message):
        TrainingNetwork(stack, "Network", **(CLUSTER | {"vpc": vpc} | arguments))
    assert stack.node.try_find_child("Network") is None


def test_a_subnet_of_another_vpc_is_refused(stack: Stack) -> None:
    vpc, other = ec2.Vpc(stack, "Existing"), ec2.Vpc(stack, "Other")
    with pytest.raises(ValueError, match=r"one of vpc test/Existing, got test/Other/\w+ of another.*OF_OTHER_VPC"):
        TrainingNetwork(stack, "Network", vpc=vpc, subnet=other.private_subnets[0], **CLUSTER)


def test_a_vpc_of_the_same_app_is_seen_through_other_stacks(new_app: Callable[..., App]) -> None:
    app = new_app()
    vpc = ec2.Vpc(Stack(app, "base"), "Existing")
    stack = Stack(app, "training")
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)
    assert said(network) == set()
    Template.from_stack(stack).resource_count_is("AWS::EC2::VPC", 0)


def test_what_cannot_be_seen_of_an_imported_vpc_is_warned_about_with_the_command_that_sees_it(
    stack: Stack, imported: ec2.IVpc
) -> None:
    network = TrainingNetwork(stack, "Network", vpc=imported, subnet=imported.private_subnets[1], **CLUSTER)
    assert said(network) == UNSEEN
    fixes = {finding.id: finding.fix for finding in network.findings}
    assert "aws ec2 describe-vpc-attribute --vpc-id vpc-0123 --attribute enableDnsHostnames" in fixes["VPC_NOT_VISIBLE"]
    assert "aws ec2 describe-subnets --subnet-ids subnet-b" in fixes["SUBNET_NOT_VISIBLE"]
    assert "Name=association.subnet-id,Values=subnet-b" in fixes["ROUTES_NOT_VISIBLE"]
    assert all("epochwise check" in fix for fix in fixes.values())


def test_an_imported_subnet_that_cannot_hold_the_nodes_even_when_empty_is_refused(
    stack: Stack, imported: ec2.IVpc
) -> None:
    def subnet(name: str, cidr: str) -> ec2.ISubnet:
        return ec2.Subnet.from_subnet_attributes(stack, name, subnet_id=f"subnet-{name}", ipv4_cidr_block=cidr)

    with pytest.raises(ValueError, match=r"subnet subnet-small of /26 has 59 addresses, .* need 66"):
        TrainingNetwork(stack, "Network", vpc=imported, subnet=subnet("small", "10.0.0.0/26"), **CLUSTER)
    fits = TrainingNetwork(stack, "Network", vpc=imported, subnet=subnet("fits", "10.0.0.0/25"), **CLUSTER)
    assert said(fits) == UNSEEN


@pytest.mark.parametrize(("nodes", "fits"), [(13_097, True), (13_098, False), (10**6, False)])
def test_more_nodes_than_the_largest_subnet_holds_are_refused_though_its_size_is_not_known(
    stack: Stack, imported: ec2.IVpc, nodes: int, fits: bool
) -> None:
    arguments = CLUSTER | {"nodes": nodes, "subnet": imported.private_subnets[0], "file_system_servers": 46}
    if fits:
        assert said(TrainingNetwork(stack, "Network", vpc=imported, **arguments)) == UNSEEN
        return
    told = r"a /16, has 65531 addresses, .* need \d+; nearest legal: 13097 nodes \[NODES_ABOVE_ANY_SUBNET\]"
    with pytest.raises(ValueError, match=told):
        TrainingNetwork(stack, "Network", vpc=imported, **arguments)


def test_a_vpc_without_a_private_subnet_in_sight_needs_one_to_be_named(stack: Stack) -> None:
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Bare", vpc_id="vpc-1", availability_zones=["us-east-1a"])
    with pytest.raises(ValueError, match=r"vpc test/Bare has no private subnet .*NO_PRIVATE_SUBNET"):
        TrainingNetwork(stack, "Network", vpc=vpc, **CLUSTER)
    named = ec2.Subnet.from_subnet_id(stack, "Named", "subnet-1")
    assert said(TrainingNetwork(stack, "Network", vpc=vpc, subnet=named, **CLUSTER)) == UNSEEN


def test_a_vpc_that_is_looked_up_gets_past_the_first_synth(new_app: Callable[..., App]) -> None:
    stack = Stack(new_app(), "known", env=Environment(account="123456789012", region="us-east-1"))
    vpc = ec2.Vpc.from_lookup(stack, "Vpc", vpc_id="vpc-0123")
    assert said(TrainingNetwork(stack, "Network", vpc=vpc, **CLUSTER)) == UNSEEN | {"SUBNET_NOT_CHOSEN"}


def test_a_public_subnet_is_warned_about(stack: Stack) -> None:
    vpc = ec2.Vpc(stack, "Existing")
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.public_subnets[0], **CLUSTER)
    assert said(network) == {"SUBNET_IS_PUBLIC"}


def test_an_isolated_subnet_wants_the_endpoint_of_s3(stack: Stack) -> None:
    vpc = ec2.Vpc(stack, "Existing", nat_gateways=0)
    isolated = vpc.isolated_subnets[0]
    before = TrainingNetwork(stack, "Before", vpc=vpc, subnet=isolated, **CLUSTER)
    vpc.add_gateway_endpoint("DynamoDb", service=ec2.GatewayVpcEndpointAwsService.DYNAMODB)
    still = TrainingNetwork(stack, "Still", vpc=vpc, subnet=isolated, **CLUSTER)
    vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
    after = TrainingNetwork(stack, "After", vpc=vpc, subnet=isolated, **CLUSTER)
    assert [said(network) for network in (before, still, after)] == [{"NO_WAY_TO_S3"}, {"NO_WAY_TO_S3"}, set()]


def test_endpoints_are_made_in_a_given_vpc_only_where_they_are_asked_for(stack: Stack, imported: ec2.IVpc) -> None:
    subnet = ec2.Subnet.from_subnet_id(stack, "Subnet", "subnet-a")
    services = [ec2.InterfaceVpcEndpointAwsService.STS, ec2.InterfaceVpcEndpointAwsService.ECR]
    network = TrainingNetwork(stack, "Network", vpc=imported, subnet=subnet, interface_endpoints=services, **CLUSTER)
    assert list(network.interface_endpoints) == ["sts", "ecr.api"]
    template = Template.from_stack(stack)
    template.all_resources_properties(
        "AWS::EC2::VPCEndpoint", {"VpcId": "vpc-0123", "SubnetIds": ["subnet-a"], "VpcEndpointType": "Interface"}
    )
    names = {"EfaSecurityGroup": "nodes", "EndpointSecurityGroup": "endpoints"}
    assert ("Ingress", "endpoints", "nodes", "tcp", 443, 443) in rules_of(template, names)
