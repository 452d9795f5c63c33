"""A network that is created: zone, subnets, ways out, logs."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.training_endpoints import INTERFACE_ENDPOINTS, by_name
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.checks.network import (
    LARGEST_FILE_SYSTEM_SERVERS,
    addresses_of_node,
    network_findings,
    subnet_addresses,
)
from epochwise.checks.vpc import DEFAULT_ENDPOINTS
from epochwise.sizing.search import LARGEST_SUBNET_ADDRESSES
from tests.cdk.rules import repeated_rules, rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
CHECKED: dict[str, Any] = CLUSTER | {"file_system_servers": 2, "subnet_prefix_length": 18, "nat_gateways": 1}
KNOWN = Environment(account="123456789012", region="us-east-1")
SELF_AND_HTTPS = {
    ("Ingress", "nodes", "nodes", "-1", None, None),
    ("Egress", "nodes", "nodes", "-1", None, None),
    ("Egress", "nodes", "0.0.0.0/0", "tcp", 443, 443),
}


def ids(**changed: Any) -> list[str]:
    return [finding.id for finding in network_findings(**(CHECKED | changed))]


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


def test_a_zone_id_puts_the_public_subnet_into_the_same_zone(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", availability_zone="use1-az4", **CLUSTER)
    template = Template.from_stack(stack)
    [(private_id, private)] = template.find_resources(
        "AWS::EC2::Subnet", {"Properties": {"AvailabilityZoneId": "use1-az4"}}
    ).items()
    assert "AvailabilityZone" not in private["Properties"]
    zone = {"Fn::GetAtt": [private_id, "AvailabilityZone"]}
    template.has_resource_properties("AWS::EC2::Subnet", {"AvailabilityZone": zone, "CidrBlock": "10.0.64.0/28"})
    assert stack.resolve(network.private_subnet.availability_zone) == zone
    template.resource_count_is("AWS::EC2::Subnet", 2)


def test_a_zone_that_only_a_deploy_knows_is_passed_on(stack: Stack) -> None:
    from aws_cdk import CfnParameter

    zone = CfnParameter(stack, "Zone", type="AWS::EC2::AvailabilityZone::Name").value_as_string
    TrainingNetwork(stack, "Network", availability_zone=zone, **CLUSTER)
    Template.from_stack(stack).all_resources_properties("AWS::EC2::Subnet", {"AvailabilityZone": {"Ref": "Zone"}})


@pytest.mark.parametrize(
    ("zone", "message"),
    [
        ("eu-west-1a", r"got eu-west-1a; nearest legal: us-east-1a, .*ZONE_OF_OTHER_REGION"),
        ("euw1-az2", r"must be one of us-east-1, .* got euw1-az2; nearest legal: use1-az2, .*ZONE_OF_OTHER_REGION"),
        ("us-east-1f", r"us-east-1a, us-east-1b, got us-east-1f; nearest legal: us-east-1a \[ZONE_NOT_IN_ACCOUNT"),
    ],
)
def test_a_zone_that_the_account_cannot_have_is_refused(new_app: Callable[..., App], zone: str, message: str) -> None:
    looked_up = {"availability-zones:account=123456789012:region=us-east-1": ["us-east-1a", "us-east-1b"]}
    stack = Stack(new_app(**looked_up), "known", env=KNOWN)
    with pytest.raises(ValueError, match=message):
        TrainingNetwork(stack, "Network", availability_zone=zone, **CLUSTER)
    TrainingNetwork(stack, "Network", availability_zone="us-east-1b", **CLUSTER)
    TrainingNetwork(stack, "ById", availability_zone="use1-az2", **CLUSTER)


def test_endpoints_of_interfaces_are_those_that_are_asked_for_with_a_nat_gateway_too(stack: Stack) -> None:
    service = ec2.InterfaceVpcEndpointService("com.amazonaws.vpce.us-east-1.vpce-svc-0123", 443)
    network = TrainingNetwork(
        stack,
        "Network",
        interface_endpoints=[ec2.InterfaceVpcEndpointAwsService.KMS, service, ec2.InterfaceVpcEndpointAwsService.KMS],
        **CLUSTER,
    )
    assert list(network.interface_endpoints) == ["kms", service.name]
    template = Template.from_stack(stack)
    template.resource_properties_count_is("AWS::EC2::VPCEndpoint", {"VpcEndpointType": "Interface"}, 2)
    template.resource_count_is("AWS::EC2::NatGateway", 1)
    assert network.addresses.interface_endpoints == 2


def test_the_usual_endpoints_are_those_that_the_checks_name() -> None:
    assert tuple(by_name(INTERFACE_ENDPOINTS)) == DEFAULT_ENDPOINTS


def test_the_endpoint_of_s3_lets_the_account_in_and_more_can_be_added(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    assert network.s3_endpoint is not None
    network.s3_endpoint.add_to_policy(
        iam.PolicyStatement(
            principals=[iam.AnyPrincipal()], actions=["s3:GetObject"], resources=["arn:aws:s3:::open/*"]
        )
    )
    [endpoint] = Template.from_stack(stack).find_resources("AWS::EC2::VPCEndpoint").values()
    own, public, added = endpoint["Properties"]["PolicyDocument"]["Statement"]
    assert own["Condition"] == {"StringEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}
    assert not [action for action in own["Action"] if action in {"*", "s3:*"} or "Policy" in action]
    assert public["Action"] == added["Action"] == "s3:GetObject"
    assert "starport-layer-bucket" in str(public["Resource"])


def test_flow_logs_are_kept_as_long_as_asked_or_switched_off_in_so_many_words(stack: Stack) -> None:
    TrainingNetwork(stack, "Kept", flow_log_retention=logs.RetentionDays.ONE_YEAR, **CLUSTER)
    TrainingNetwork(stack, "Off", flow_logs=False, **CLUSTER)
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::FlowLog", 1)
    template.has_resource_properties("AWS::Logs::LogGroup", {"RetentionInDays": 365})


def test_two_networks_in_one_stack_do_not_collide(stack: Stack) -> None:
    for name, cidr in (("First", "10.0.0.0/16"), ("Second", "10.1.0.0/16")):
        TrainingNetwork(stack, name, vpc_cidr=cidr, nat_gateways=0, **CLUSTER)
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::VPC", 2)
    for cidr in ("10.0.0.0/18", "10.1.0.0/18"):
        template.has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": cidr})
    assert repeated_rules(template) == []


def test_a_subnet_widens_by_itself_and_then_no_more(stack: Stack) -> None:
    sizes = ((3_266, "10.0.0.0/18"), (3_267, "10.0.0.0/17"), (6_543, "10.0.0.0/17"))
    for nodes, cidr in sizes:
        network = TrainingNetwork(stack, f"Of{nodes}", nodes=nodes, instance_type="ml.p4d.24xlarge")
        assert network.private_subnet.ipv4_cidr_block == cidr
    with pytest.raises(ValueError, match=r"subnet of /17 has 32763 .* nearest legal: 6543 nodes \[SUBNET_TOO_SMALL"):
        TrainingNetwork(stack, "TooMany", nodes=6_544, instance_type="ml.p4d.24xlarge")


def test_every_cluster_that_the_planner_takes_for_possible_finds_room() -> None:
    servers = LARGEST_SUBNET_ADDRESSES % 5
    nodes = (LARGEST_SUBNET_ADDRESSES - servers) // 5
    assert ids(nodes=nodes, file_system_servers=servers, subnet_prefix_length=None) == []
    assert ids(nodes=nodes, file_system_servers=servers + 1, subnet_prefix_length=None) == ["SUBNET_TOO_SMALL"]


def test_a_stack_of_a_large_plan_widens_its_subnet(new_app: Callable[..., App]) -> None:
    from epochwise import Workload, plan
    from stacks.network import NetworkStack
    from tests.cdk.test_app import GUIDE

    cluster = GUIDE["cluster"] | {"nodes": 4_000}
    large = plan(Workload.model_validate(GUIDE | {"cluster": cluster, "epoch": {"target": "1 h", "count": 1}}))
    assert large.choice is not None
    stack = NetworkStack(new_app(), "network", plan=large)
    Template.from_stack(stack).has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": "10.0.0.0/17"})
    assert stack.network.addresses.file_system_servers == large.choice.addresses


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


def test_more_file_servers_than_any_subnet_holds_are_told_how_many_fit() -> None:
    [finding] = network_findings(**(CHECKED | {"file_system_servers": 40_000}))
    assert finding.fix == "nearest legal: 32758 file_system_servers beside 1 node"
    assert ids(nodes=1, file_system_servers=32_758, subnet_prefix_length=17) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"nodes": 1}, []),
        ({"nodes": 0}, ["NODES_NOT_POSITIVE"]),
        ({"file_system_servers": -1}, ["FILE_SYSTEM_SERVERS_NEGATIVE"]),
        ({"subnet_prefix_length": 17}, []),
        ({"subnet_prefix_length": None}, []),
        ({"subnet_prefix_length": 16}, ["SUBNET_PREFIX_OUT_OF_RANGE"]),
        ({"subnet_prefix_length": 28, "nodes": 1}, []),
        ({"subnet_prefix_length": 29, "nodes": 1}, ["SUBNET_PREFIX_OUT_OF_RANGE"]),
        ({"nat_gateways": 0}, []),
        ({"nat_gateways": 2}, ["NAT_GATEWAYS_OUT_OF_RANGE"]),
        ({"nat_gateways": -1}, ["NAT_GATEWAYS_OUT_OF_RANGE"]),
        ({"nat_gateways": 0, "interface_endpoints": []}, ["NO_WAY_OUT"]),
        ({"nat_gateways": 1, "interface_endpoints": []}, []),
        ({"nat_gateways": 0, "interface_endpoints": ["sts"]}, ["ENDPOINTS_LEFT_OUT"]),
        ({"vpc_cidr": "172.31.0.0/16"}, []),
        ({"vpc_cidr": "172.31.0.0/17"}, ["VPC_CIDR_ILLEGAL"]),
        ({"vpc_cidr": "10.0.1.0/16"}, ["VPC_CIDR_ILLEGAL"]),
        ({"vpc_cidr": "172.16.0.0/16"}, []),
        ({"vpc_cidr": "172.17.0.0/16"}, ["VPC_CIDR_OF_DOCKER"]),
        ({"vpc_cidr": "169.254.0.0/16"}, ["VPC_CIDR_ILLEGAL"]),
        ({"instance_type": "ml.p4d.24xlrge"}, ["INSTANCE_TYPE_UNKNOWN"]),
        ({"instance_type": "ml.g5.xlarge"}, ["INSTANCE_TYPE_WITHOUT_EFA"]),
        ({"instance_type": "ml.g5.xlarge", "nodes": 1}, []),
    ],
)
def test_arguments_are_refused_just_beyond_their_range(changed: dict[str, Any], expected: list[str]) -> None:
    assert ids(**changed) == expected


def test_a_refused_network_leaves_nothing_behind(stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"nearest legal: 1 \[NAT_GATEWAYS_OUT_OF_RANGE\]"):
        TrainingNetwork(stack, "Network", nat_gateways=3, **CLUSTER)
    assert stack.node.try_find_child("Network") is None


def test_without_a_nat_gateway_the_endpoints_are_open_to_the_nodes_only(stack: Stack) -> None:
    TrainingNetwork(stack, "Network", nat_gateways=0, **CLUSTER)
    names = {"EfaSecurityGroup": "nodes", "EndpointSecurityGroup": "endpoints"}
    rules = rules_of(Template.from_stack(stack), names)
    assert {rule for rule in rules if "endpoints" in rule[1:3]} == {
        ("Ingress", "endpoints", "nodes", "tcp", 443, 443),
        ("Egress", "nodes", "endpoints", "tcp", 443, 443),
        ("Egress", "endpoints", "255.255.255.255/32", "icmp", 252, 86),
    }


def test_a_warning_about_endpoints_can_be_acknowledged_by_its_id(stack: Stack) -> None:
    sts = ec2.InterfaceVpcEndpointAwsService.STS
    TrainingNetwork(stack, "Network", nat_gateways=0, interface_endpoints=[sts], **CLUSTER)
    Annotations.from_stack(stack).has_warning("/test/Network", Match.string_like_regexp("ENDPOINTS_LEFT_OUT"))


def test_room_is_kept_for_the_largest_file_system_of_the_default_quota() -> None:
    assert LARGEST_FILE_SYSTEM_SERVERS == 42 + 4
