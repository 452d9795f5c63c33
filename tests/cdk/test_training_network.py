from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.training_network import INTERFACE_ENDPOINTS, TrainingNetwork
from epochwise.checks.network import (
    LARGEST_FILE_SYSTEM_SERVERS,
    addresses_of_node,
    network_findings,
    subnet_addresses,
)
from tests.cdk.rules import rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
CHECKED: dict[str, Any] = CLUSTER | {"file_system_servers": 2, "subnet_prefix_length": 18, "nat_gateways": 1}
SELF_AND_HTTPS = {
    ("Ingress", "nodes", "nodes", "-1", None, None),
    ("Egress", "nodes", "nodes", "-1", None, None),
    ("Egress", "nodes", "0.0.0.0/0", "tcp", 443, 443),
}


def ids(**changed: Any) -> list[str]:
    return [finding.id for finding in network_findings(**(CHECKED | changed))]


def test_f1_f4_nodes_have_all_traffic_to_and_from_themselves_and_https_out_and_nothing_else(
    templates: dict[str, Template],
) -> None:
    assert rules_of(templates["network"], {"EfaSecurityGroup": "nodes"}) == SELF_AND_HTTPS


def test_f3_no_group_has_a_rule_of_its_own_beside_the_stand_alone_ones(templates: dict[str, Template]) -> None:
    for template in templates.values():
        for group in template.find_resources("AWS::EC2::SecurityGroup").values():
            assert not {"SecurityGroupIngress", "SecurityGroupEgress"} & set(group["Properties"])


def test_f2_rules_that_a_user_adds_are_stand_alone_too(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    other = ec2.SecurityGroup(stack, "Other", vpc=network.vpc)
    network.connections.allow_to(other, ec2.Port.tcp(8080), "metrics")
    network.connections.allow_from(ec2.Peer.ipv4("10.0.0.0/16"), ec2.Port.tcp(22), "administration")
    rules = rules_of(Template.from_stack(stack), {"EfaSecurityGroup": "nodes", "Other": "other"})
    assert rules >= SELF_AND_HTTPS
    assert ("Egress", "nodes", "other", "tcp", 8080, 8080) in rules
    assert ("Ingress", "nodes", "10.0.0.0/16", "tcp", 22, 22) in rules
    assert not any(peer == "255.255.255.255/32" for _, _, peer, *_ in rules)


def test_the_private_subnet_is_wide_and_the_public_one_holds_nothing_but_the_way_out(
    templates: dict[str, Template],
) -> None:
    network = templates["network"]
    network.has_resource_properties(
        "AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16", "EnableDnsHostnames": True, "EnableDnsSupport": True}
    )
    network.resource_count_is("AWS::EC2::Subnet", 2)
    network.has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": "10.0.0.0/18", "MapPublicIpOnLaunch": False})
    network.has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": "10.0.64.0/28", "MapPublicIpOnLaunch": False})
    network.resource_count_is("AWS::EC2::NatGateway", 1)
    network.has_resource_properties("AWS::EC2::VPCEndpoint", {"VpcEndpointType": "Gateway"})
    network.has_resource_properties("AWS::EC2::FlowLog", {"TrafficType": "ALL"})
    network.resource_count_is("AWS::Lambda::Function", 0)


def test_f23_the_zone_is_the_one_that_is_named(stack: Stack) -> None:
    TrainingNetwork(stack, "Network", availability_zone="us-east-1b", **CLUSTER)
    template = Template.from_stack(stack)
    template.all_resources_properties("AWS::EC2::Subnet", {"AvailabilityZone": "us-east-1b"})


def test_f22_a_named_zone_of_an_unknown_account_is_warned_about(new_app: Callable[..., App]) -> None:
    agnostic = Stack(new_app(), "agnostic")
    TrainingNetwork(agnostic, "Network", availability_zone="us-east-1b", **CLUSTER)
    known = Stack(new_app(), "known", env=Environment(account="123456789012", region="us-east-1"))
    TrainingNetwork(known, "Network", availability_zone="us-east-1b", **CLUSTER)
    message = Match.string_like_regexp("ZONE_OF_UNKNOWN_ACCOUNT")
    Annotations.from_stack(agnostic).has_warning("/agnostic/Network", message)
    Annotations.from_stack(known).has_no_warning("*", message)


def test_f84_without_a_way_out_there_are_endpoints_for_the_nodes_only(stack: Stack) -> None:
    TrainingNetwork(stack, "Network", nat_gateways=0, **CLUSTER)
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::NatGateway", 0)
    template.resource_count_is("AWS::EC2::InternetGateway", 0)
    template.resource_properties_count_is(
        "AWS::EC2::VPCEndpoint",
        {"VpcEndpointType": "Interface", "PrivateDnsEnabled": True},
        len(INTERFACE_ENDPOINTS),
    )
    names = {"EfaSecurityGroup": "nodes", "EndpointSecurityGroup": "endpoints"}
    assert ("Ingress", "endpoints", "nodes", "tcp", 443, 443) in rules_of(template, names)
    assert ("Egress", "nodes", "endpoints", "tcp", 443, 443) in rules_of(template, names)


def test_a_vpc_that_exists_is_taken_with_its_subnet(stack: Stack) -> None:
    vpc = ec2.Vpc(stack, "Existing")
    chosen = vpc.private_subnets[1]
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=chosen, **CLUSTER)
    assert network.vpc is vpc
    assert network.private_subnet is chosen
    Template.from_stack(stack).resource_count_is("AWS::EC2::VPC", 1)
    first = TrainingNetwork(stack, "Other", vpc=vpc, **CLUSTER)
    assert first.private_subnet.subnet_id == vpc.private_subnets[0].subnet_id


@pytest.mark.parametrize(
    ("instance_type", "addresses"),
    [("ml.m5.xlarge", 2), ("ml.p4d.24xlarge", 5), ("ml.p5.48xlarge", 33), ("g5.48xlarge", 5), ("unknown", 2)],
)
def test_f21_addresses_of_a_node_follow_its_interfaces(instance_type: str, addresses: int) -> None:
    assert addresses_of_node(instance_type) == addresses


@pytest.mark.parametrize(
    ("servers", "expected"),
    [(0, []), (1, []), (subnet_addresses(24) - 4 * 5, []), (subnet_addresses(24) - 4 * 5 + 1, ["SUBNET_TOO_SMALL"])],
)
def test_f20_a_subnet_is_too_small_from_the_first_address_that_is_missing(servers: int, expected: list[str]) -> None:
    assert ids(file_system_servers=servers, subnet_prefix_length=24) == expected


def test_f20_the_refusal_names_a_subnet_that_fits() -> None:
    [finding] = network_findings(**(CHECKED | {"nodes": 1000, "subnet_prefix_length": 20}))
    assert finding.message == (
        "subnet of /20 has 4091 addresses, 1000 nodes of ml.p4d.24xlarge at 5 each and 2 file servers need 5002"
    )
    assert finding.fix == "nearest legal: subnet_prefix_length 19"
    assert ids(nodes=1000, subnet_prefix_length=19) == []


def test_f20_more_nodes_than_the_widest_subnet_holds_are_told_how_many_fit() -> None:
    [finding] = network_findings(**(CHECKED | {"nodes": 10_000}))
    most = int(finding.fix.removeprefix("nearest legal: ").removesuffix(" nodes"))
    assert ids(nodes=most, subnet_prefix_length=17) == []
    assert ids(nodes=most + 1, subnet_prefix_length=17) == ["SUBNET_TOO_SMALL"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"nodes": 1}, []),
        ({"nodes": 0}, ["NODES_NOT_POSITIVE"]),
        ({"subnet_prefix_length": 17}, []),
        ({"subnet_prefix_length": 16}, ["SUBNET_PREFIX_OUT_OF_RANGE"]),
        ({"subnet_prefix_length": 28, "nodes": 1}, []),
        ({"subnet_prefix_length": 29, "nodes": 1}, ["SUBNET_PREFIX_OUT_OF_RANGE", "SUBNET_TOO_SMALL"]),
        ({"nat_gateways": 0}, []),
        ({"nat_gateways": 2}, ["NAT_GATEWAYS_OUT_OF_RANGE"]),
        ({"nat_gateways": -1}, ["NAT_GATEWAYS_OUT_OF_RANGE"]),
        ({"instance_type": "ml.p4d.24xlrge"}, ["INSTANCE_TYPE_UNKNOWN"]),
    ],
)
def test_arguments_are_refused_just_beyond_their_range(changed: dict[str, Any], expected: list[str]) -> None:
    assert ids(**changed) == expected


def test_a_refused_network_leaves_nothing_behind(stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"nearest legal: 1 \[NAT_GATEWAYS_OUT_OF_RANGE\]"):
        TrainingNetwork(stack, "Network", nat_gateways=3, **CLUSTER)
    assert stack.node.try_find_child("Network") is None


def test_a_subnet_needs_its_vpc_and_excludes_a_zone(stack: Stack) -> None:
    vpc = ec2.Vpc(stack, "Existing")
    with pytest.raises(ValueError, match="without vpc"):
        TrainingNetwork(stack, "Network", subnet=vpc.private_subnets[0], **CLUSTER)
    with pytest.raises(ValueError, match="pass subnet instead"):
        TrainingNetwork(stack, "Network", vpc=vpc, availability_zone="us-east-1a", **CLUSTER)


def test_room_is_kept_for_the_largest_file_system_of_the_default_quota() -> None:
    assert LARGEST_FILE_SYSTEM_SERVERS == 42 + 4
