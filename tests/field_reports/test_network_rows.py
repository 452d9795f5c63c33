"""What people ran into with security groups, zones and subnets; each test is named after the rows it proves."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.catalog.instance_types import instance_type
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.rules import both_ways, repeated_rules, rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
NODES = {"EfaSecurityGroup": "nodes"}
HTTPS_OUT = ("Egress", "nodes", "0.0.0.0/0", "tcp", 443, 443)
LUSTRE = {("tcp", 988, 988), ("tcp", 1018, 1023)}


def warned(stack: Stack, finding_id: str) -> bool:
    return bool(Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp(finding_id)))


def lustre_rules(templates: dict[str, Template]) -> set[tuple[Any, ...]]:
    names = {"EfaSecurityGroup": "nodes", "FileSystemSecurityGroup": "servers"}
    return set(rules_of(templates["storage"], names))


def test_f1_f4_the_nodes_group_has_a_self_egress_rule_beside_the_self_ingress_rule(
    templates: dict[str, Template],
) -> None:
    """CDK drops an explicit way out to the group itself, and EFA then hangs without an error."""
    assert rules_of(templates["network"], NODES) == both_ways("nodes", "nodes") | {HTTPS_OUT}


def test_f1_a_group_that_allows_everything_out_still_gets_its_self_egress_rule(stack: Stack) -> None:
    """`allow_all_outbound=True` alone is not enough for EFA, whatever CDK makes of `add_egress_rule`."""
    vpc = ec2.Vpc(stack, "Existing", max_azs=1)
    mine = ec2.SecurityGroup(stack, "Mine", vpc=vpc, allow_all_outbound=True)
    mine.add_egress_rule(mine, ec2.Port.all_traffic())
    TrainingNetwork(stack, "Network", vpc=vpc, security_groups=[mine], **CLUSTER)
    template = Template.from_stack(stack)
    assert rules_of(template, {"Mine": "mine"}) == both_ways("mine", "mine")
    template.has_resource_properties(
        "AWS::EC2::SecurityGroup",
        {"SecurityGroupEgress": [Match.object_like({"CidrIp": "0.0.0.0/0", "IpProtocol": "-1"})]},
    )


def test_f2_rules_that_a_user_adds_remove_none_of_the_others(stack: Stack) -> None:
    """An explicit way out is ignored, or takes the place of the way out to everywhere."""
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    other = ec2.SecurityGroup(stack, "Other", vpc=network.vpc)
    network.connections.allow_to(other, ec2.Port.tcp(8080), "metrics")
    network.connections.allow_from(ec2.Peer.ipv4("10.0.0.0/16"), ec2.Port.tcp(22), "administration")
    rules = rules_of(Template.from_stack(stack), NODES | {"Other": "other"})
    assert rules >= both_ways("nodes", "nodes") | {HTTPS_OUT}
    assert ("Egress", "nodes", "other", "tcp", 8080, 8080) in rules
    assert ("Ingress", "nodes", "10.0.0.0/16", "tcp", 22, 22) in rules
    assert not any(peer == "255.255.255.255/32" for _, _, peer, *_ in rules)


def test_f3_no_group_has_a_rule_of_its_own_beside_the_stand_alone_ones(templates: dict[str, Template]) -> None:
    """Rules in a group and rules beside it behave differently when both are there: one style only."""
    for template in templates.values():
        for group in template.find_resources("AWS::EC2::SecurityGroup").values():
            assert not {"SecurityGroupIngress", "SecurityGroupEgress"} & set(group["Properties"])
        assert repeated_rules(template) == []


def test_f5_f13_file_servers_and_nodes_are_open_to_each_other_in_both_directions(
    templates: dict[str, Template],
) -> None:
    """LNet fails to connect, or a mount hangs, when one of the four rules is absent."""
    between = {(direction, group, peer) for direction, group, peer, *_ in lustre_rules(templates)}
    assert between >= {
        (way, *pair) for way in ("Ingress", "Egress") for pair in (("nodes", "servers"), ("servers", "nodes"))
    }


def test_f6_f7_lustre_has_exactly_its_ports(templates: dict[str, Template]) -> None:
    """1018 to 1023 and not 1021 to 1023; and no more than that and 988, where EFA does not ask for all."""
    assert {rule[3:] for rule in lustre_rules(templates)} == LUSTRE


def test_f10_f14_groups_of_the_same_app_get_what_they_lack_and_imported_ones_are_warned_about(stack: Stack) -> None:
    """Who brings groups without rules to themselves gets a job that stalls."""
    vpc = ec2.Vpc(stack, "Existing", max_azs=1)
    mine = ec2.SecurityGroup(stack, "Mine", vpc=vpc)
    theirs = ec2.SecurityGroup.from_security_group_id(stack, "Theirs", "sg-0theirs")
    TrainingNetwork(stack, "WithMine", vpc=vpc, security_groups=[mine], **CLUSTER)
    TrainingNetwork(stack, "WithTheirs", vpc=vpc, security_groups=[theirs], **CLUSTER)
    assert rules_of(Template.from_stack(stack), {"Mine": "mine"}) == both_ways("mine", "mine")
    message = Match.string_like_regexp("EFA_GROUP_NOT_VISIBLE")
    Annotations.from_stack(stack).has_warning("/test/WithTheirs", message)
    Annotations.from_stack(stack).has_no_warning("/test/WithMine", message)


@pytest.mark.parametrize(
    "peer",
    [
        lambda: ec2.Peer.ipv4("10.0.0.0/16"),
        ec2.Peer.any_ipv4,
        lambda: ec2.Peer.prefix_list("pl-01234567"),
        lambda: ec2.Peer.security_group_id("sg-01234567"),
        lambda: "sg-01234567",
        lambda: None,
    ],
)
def test_f16_a_peer_over_efa_is_a_group_and_no_addresses(stack: Stack, peer: Callable[[], Any]) -> None:
    """Rules by address, 0.0.0.0/0 included, do not count for EFA."""
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    with pytest.raises(ValueError, match=r"do not satisfy EFA; .* \[EFA_PEER_NOT_A_GROUP\]"):
        network.allow_efa_peer(peer())
    assert rules_of(Template.from_stack(stack), NODES) == both_ways("nodes", "nodes") | {HTTPS_OUT}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, True),
        ({"availability_zone": "use1-az4"}, False),
        ({"availability_zone": "us-east-1a"}, False),
        ({"instance_type": "ml.g5.48xlarge"}, False),
    ],
)
def test_f17_a_scarce_type_without_a_chosen_zone_is_warned_about(
    stack: Stack, arguments: dict[str, Any], expected: bool
) -> None:
    """The zone that was taken had no capacity; whether another has it, only a look at the account tells."""
    TrainingNetwork(stack, "Network", **(CLUSTER | arguments))
    assert warned(stack, "ZONE_NOT_CHOSEN") is expected


def test_f18_one_zone_is_said_to_be_by_design(stack: Stack) -> None:
    """Other stacks want three zones; this one has one, and says why."""
    TrainingNetwork(stack, "Network", **CLUSTER)
    Annotations.from_stack(stack).has_info("/test/Network", Match.string_like_regexp("ONE_ZONE_BY_DESIGN"))
    for zones in (["us-east-1a", "us-east-1b"], ("use1-az1", "use1-az2", "use1-az3")):
        with pytest.raises(ValueError, match=rf"got {len(zones)} in a list: FSx for Lustre takes one subnet and EFA"):
            TrainingNetwork(stack, "More", availability_zone=zones, **CLUSTER)  # type: ignore[arg-type]


@pytest.mark.parametrize(("nodes", "fits"), [(41, True), (42, False)])
def test_f20_a_subnet_of_24_is_refused_from_the_first_address_that_is_missing(
    stack: Stack, nodes: int, fits: bool
) -> None:
    """A /24 ran out of addresses; the default is a /18, and what does not fit is refused with what does."""
    arguments = CLUSTER | {"nodes": nodes, "subnet_prefix_length": 24, "file_system_servers": 46}
    if fits:
        TrainingNetwork(stack, "Network", **arguments)
        Template.from_stack(stack).has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": "10.0.0.0/24"})
        return
    with pytest.raises(ValueError, match=r"need 256; nearest legal: subnet_prefix_length 23 \[SUBNET_TOO_SMALL\]"):
        TrainingNetwork(stack, "Network", **arguments)


def test_f20_the_subnet_of_the_guide_is_a_18(templates: dict[str, Template]) -> None:
    """The default for nodes is between /18 and /20 unless they need more."""
    templates["network"].has_resource_properties("AWS::EC2::Subnet", {"CidrBlock": "10.0.0.0/18"})


def test_f21_the_addresses_of_every_interface_are_in_the_budget_and_it_is_shown(stack: Stack) -> None:
    """One address per EFA interface emptied a subnet of 32-interface nodes."""
    network = TrainingNetwork(
        stack, "Network", nodes=8, instance_type="ml.p5.48xlarge", file_system_servers=3, nat_gateways=0
    )
    assert str(network.addresses) == (
        "8 nodes of ml.p5.48xlarge at 33 each, 6 interface endpoints and 3 file servers need 273"
    )


@pytest.mark.parametrize(
    ("zone", "environment", "expected"),
    [
        ("us-east-1c", None, True),
        ("use1-az4", None, False),
        ("us-east-1c", Environment(account="123456789012", region="us-east-1"), False),
    ],
)
def test_f22_a_named_zone_of_an_unknown_account_is_warned_about(
    new_app: Callable[..., App], zone: str, environment: Environment | None, expected: bool
) -> None:
    """A stack without an environment is given two zones by place; here a zone is what it is called, and no more."""
    stack = Stack(new_app(), "test", env=environment)
    TrainingNetwork(stack, "Network", availability_zone=zone, **CLUSTER)
    assert warned(stack, "ZONE_OF_UNKNOWN_ACCOUNT") is expected


def test_f23_the_zone_is_the_one_that_is_named(stack: Stack) -> None:
    """People want to choose the zone and not its place in a list."""
    TrainingNetwork(stack, "Network", availability_zone="us-east-1b", **CLUSTER)
    Template.from_stack(stack).all_resources_properties("AWS::EC2::Subnet", {"AvailabilityZone": "us-east-1b"})


@pytest.mark.parametrize("place", [0, 1, "0"])
def test_f23_a_zone_by_its_place_in_a_list_is_refused(stack: Stack, place: Any) -> None:
    """The list differs between accounts, and a place in it means nothing."""
    with pytest.raises(ValueError, match=r"must be a name .* or an id .*, got .* \[ZONE_MALFORMED\]"):
        TrainingNetwork(stack, "Network", availability_zone=place, **CLUSTER)


def test_f27_f28_nodes_and_file_system_are_in_one_subnet(templates: dict[str, Template]) -> None:
    """EFA does not leave a zone; a file system in another one is reached by TCP or not at all."""
    [subnet] = templates["network"].find_resources("AWS::EC2::Subnet", {"Properties": {"CidrBlock": "10.0.0.0/18"}})
    [file_system] = templates["storage"].find_resources("AWS::FSx::FileSystem").values()
    [used] = file_system["Properties"]["SubnetIds"]
    assert subnet in used["Fn::ImportValue"]
    assert f"{subnet}" in str(templates["training"].find_resources("AWS::StepFunctions::StateMachine"))


@pytest.mark.parametrize("arguments", [{}, {"availability_zone": "use1-az4"}, {"nat_gateways": 0}])
def test_f30_everything_is_in_the_one_zone_that_a_placement_group_needs(
    stack: Stack, arguments: dict[str, Any]
) -> None:
    """EFA with a placement group needs a zone: there is never more than one, the way out included."""
    TrainingNetwork(stack, "Network", **(CLUSTER | arguments))
    subnets = Template.from_stack(stack).find_resources("AWS::EC2::Subnet")
    zones = {
        str({"Fn::GetAtt": [name, "AvailabilityZone"]})
        if "AvailabilityZoneId" in subnet["Properties"]
        else str(subnet["Properties"]["AvailabilityZone"])
        for name, subnet in subnets.items()
    }
    assert len(zones) == 1


def test_f34a_names_resolve_by_default(templates: dict[str, Template]) -> None:
    """ "Can't parse NID": the name of the file system did not resolve, since DNS hostnames were off."""
    templates["network"].has_resource_properties(
        "AWS::EC2::VPC", {"EnableDnsHostnames": True, "EnableDnsSupport": True}
    )


@pytest.mark.parametrize(
    ("off", "named"),
    [
        ({"enable_dns_hostnames": False}, "enable_dns_hostnames off"),
        (
            {"enable_dns_hostnames": False, "enable_dns_support": False},
            "enable_dns_support and enable_dns_hostnames off",
        ),
    ],
)
def test_f34a_a_vpc_in_which_names_do_not_resolve_is_refused(stack: Stack, off: dict[str, Any], named: str) -> None:
    """Who turns DNS off is told before the deploy, and not by a mount that fails."""
    vpc = ec2.Vpc(stack, "Existing", **off)
    with pytest.raises(ValueError, match=rf"got {named}; .* \[VPC_WITHOUT_DNS\]"):
        TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)


def test_f34a_whether_names_resolve_in_an_imported_vpc_is_asked_for(stack: Stack) -> None:
    """What the app cannot see, a look at the account must."""
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Imported", vpc_id="vpc-0123", availability_zones=["us-east-1a"])
    subnet = ec2.Subnet.from_subnet_id(stack, "Subnet", "subnet-0123")
    TrainingNetwork(stack, "Network", vpc=vpc, subnet=subnet, **CLUSTER)
    assert warned(stack, "describe-vpc-attribute --vpc-id vpc-0123")
    assert warned(stack, "VPC_NOT_VISIBLE")


@pytest.mark.parametrize(
    ("name", "nodes", "expected"),
    [
        ("ml.g4dn.xlarge", 2, True),
        ("ml.g4dn.xlarge", 1, False),
        ("ml.g4dn.12xlarge", 2, False),
        ("ml.g5.4xlarge", 2, True),
        ("ml.p4d.24xlarge", 2, False),
    ],
)
def test_f35_several_nodes_of_a_type_without_efa_are_warned_about(
    stack: Stack, name: str, nodes: int, expected: bool
) -> None:
    """NCCL's plugin looked for EFA on types that have none, and jobs hung."""
    TrainingNetwork(stack, "Network", nodes=nodes, instance_type=name)
    row = instance_type(name)
    assert row is not None
    assert (row.efa_interfaces == 0) is (expected or nodes == 1)
    assert warned(stack, "INSTANCE_TYPE_WITHOUT_EFA") is expected


def test_f84_f86_without_a_way_out_there_are_endpoints_for_what_a_job_calls(stack: Stack) -> None:
    """A job in a private VPC without internet hangs in its first call; STS and Logs were the ones left out."""
    network = TrainingNetwork(stack, "Network", nat_gateways=0, **CLUSTER)
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::NatGateway", 0)
    template.resource_count_is("AWS::EC2::InternetGateway", 0)
    assert {*network.interface_endpoints} == {"sagemaker.api", "ecr.api", "ecr.dkr", "logs", "monitoring", "sts"}
    template.resource_properties_count_is(
        "AWS::EC2::VPCEndpoint", {"VpcEndpointType": "Interface", "PrivateDnsEnabled": True}, 6
    )
    assert "AWS_STS_REGIONAL_ENDPOINTS=regional" in (TrainingNetwork.__doc__ or "")


def test_f84_neither_a_way_out_nor_endpoints_is_refused(stack: Stack) -> None:
    """What would hang is not deployed."""
    with pytest.raises(ValueError, match=r"nat_gateways is 0 and interface_endpoints is empty.* \[NO_WAY_OUT\]"):
        TrainingNetwork(stack, "Network", nat_gateways=0, interface_endpoints=[], **CLUSTER)


@pytest.mark.parametrize("nat_gateways", [0, 1])
def test_f85_the_private_subnet_always_has_a_route_to_s3(stack: Stack, nat_gateways: int) -> None:
    """A subnet without a route to S3 keeps a job from its data."""
    TrainingNetwork(stack, "Network", nat_gateways=nat_gateways, **CLUSTER)
    template = Template.from_stack(stack)
    [association] = template.find_resources(
        "AWS::EC2::SubnetRouteTableAssociation",
        {"Properties": {"SubnetId": {"Ref": Match.string_like_regexp("Training")}}},
    ).values()
    template.has_resource_properties(
        "AWS::EC2::VPCEndpoint",
        {
            "VpcEndpointType": "Gateway",
            "RouteTableIds": Match.array_with([association["Properties"]["RouteTableId"]]),
            "PolicyDocument": Match.any_value(),
        },
    )
