"""Constructs as peers of CDK's own `connections`: which rules come out, and that none comes twice."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import EFA, FILE_SYSTEM, SCRATCH_2, build
from tests.cdk.rules import Rule, both_ways, repeated_rules, rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
NAMES = {"FileSystem": "servers", "InstanceSecurityGroup": "clients", "EfaSecurityGroup": "nodes", "Own": "clients"}
LUSTRE = (("tcp", 988, 988), ("tcp", 1018, 1023))


def lustre(*sides: str) -> set[Rule]:
    """Return the rules of Lustre by which one group reaches itself, or two reach each other."""
    pairs = [(sides[0], sides[-1]), (sides[-1], sides[0])]
    return {(way, *pair, *ports) for way in ("Ingress", "Egress") for pair in pairs for ports in LUSTRE}


@pytest.fixture
def vpc(stack: Stack) -> ec2.Vpc:
    return ec2.Vpc(stack, "Vpc", max_azs=1, restrict_default_security_group=False)


def instance(stack: Stack, vpc: ec2.IVpc, **settings: Any) -> ec2.Instance:
    return ec2.Instance(
        stack,
        "Instance",
        vpc=vpc,
        instance_type=ec2.InstanceType("m7i.large"),
        machine_image=ec2.MachineImage.latest_amazon_linux2023(),
        **settings,
    )


def file_system(stack: Stack, vpc: ec2.IVpc, **settings: Any) -> TrainingFileSystem:
    return build(stack, vpc=vpc, subnet=vpc.private_subnets[0], **(SCRATCH_2 | settings))


WAYS: dict[str, Callable[[TrainingFileSystem, ec2.Instance], None]] = {
    "from the instance": lambda storage, node: storage.connections.allow_default_port_from(node),
    "to the instance": lambda storage, node: storage.connections.allow_default_port_to(node),
    "the instance's to it": lambda storage, node: node.connections.allow_to_default_port(storage),
    "the instance's from it": lambda storage, node: node.connections.allow_from(storage, ec2.Port.tcp(988)),
    "988 by number": lambda storage, node: storage.connections.allow_from(node, ec2.Port.tcp(988)),
    "the instance's to 988": lambda storage, node: node.connections.allow_to(storage, ec2.Port.tcp(988)),
    "as a client": lambda storage, node: storage.allow_client(node.connections.security_groups[0]),
}


@pytest.mark.parametrize("allow_all_outbound", [True, False])
@pytest.mark.parametrize("way", list(WAYS))
def test_the_default_port_stands_for_all_of_lustres_in_both_directions(
    stack: Stack, vpc: ec2.Vpc, way: str, allow_all_outbound: bool
) -> None:
    storage, node = file_system(stack, vpc), instance(stack, vpc, allow_all_outbound=allow_all_outbound)
    WAYS[way](storage, node)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) - {outwards_to_nowhere()} == lustre("servers") | lustre("servers", "clients")
    assert repeated_rules(template) == []
    [resource] = template.find_resources(FILE_SYSTEM).values()
    assert {name for name in resource["DependsOn"] if "Client" not in name} >= {
        name for name in template.find_resources("AWS::EC2::SecurityGroupIngress") if name.startswith("FileSystem")
    }


def outwards_to_nowhere() -> Rule:
    """Return what CDK writes into a group without a way out."""
    return ("Egress", "clients", "255.255.255.255/32", "icmp", 252, 86)


@pytest.mark.parametrize("second", list(WAYS))
@pytest.mark.parametrize("first", list(WAYS))
def test_whoever_is_asked_first_no_rule_comes_twice(stack: Stack, vpc: ec2.Vpc, first: str, second: str) -> None:
    storage, node = file_system(stack, vpc), instance(stack, vpc, allow_all_outbound=False)
    for way in (first, second):
        WAYS[way](storage, node)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) - {outwards_to_nowhere()} == lustre("servers") | lustre("servers", "clients")
    assert repeated_rules(template) == []


@pytest.mark.parametrize("way", [way for way in WAYS if "988" not in way and "instance's from" not in way])
def test_over_efa_the_default_port_is_all_traffic(stack: Stack, vpc: ec2.Vpc, way: str) -> None:
    storage, node = file_system(stack, vpc, **EFA), instance(stack, vpc)
    WAYS[way](storage, node)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == both_ways("servers", "servers") | both_ways("servers", "clients")
    assert repeated_rules(template) == []


def test_other_ports_are_what_cdk_makes_of_them(stack: Stack, vpc: ec2.Vpc) -> None:
    storage, node = file_system(stack, vpc), instance(stack, vpc, allow_all_outbound=False)
    node.connections.allow_to(storage, ec2.Port.tcp(1017))
    rules = rules_of(Template.from_stack(stack), NAMES)
    assert rules - lustre("servers") - {outwards_to_nowhere()} == {
        ("Ingress", "servers", "clients", "tcp", 1017, 1017),
        ("Egress", "clients", "servers", "tcp", 1017, 1017),
    }


def test_addresses_get_both_ranges_without_efa_and_are_refused_with_it(stack: Stack, vpc: ec2.Vpc) -> None:
    addresses = ec2.Peer.ipv4("10.9.0.0/16")
    file_system(stack, vpc).connections.allow_default_port_from(addresses)
    rules = rules_of(Template.from_stack(stack), NAMES)
    assert {rule[3:] for rule in rules if rule[2] == "10.9.0.0/16"} == set(LUSTRE)
    over_efa = file_system(Stack(stack, "Efa"), vpc, **EFA)
    connections = over_efa.connections
    asks: list[Callable[[], None]] = [
        lambda: connections.allow_default_port_from(addresses),
        lambda: connections.allow_default_port_to(addresses),
        lambda: connections.allow_from(addresses, ec2.Port.all_traffic()),
        connections.allow_default_port_from_any_ipv4,
        lambda: connections.allow_to_any_ipv4(ec2.Port.all_traffic()),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=r"got \d[\d./]+; .*rules by address do not count.*\[CLIENT_NOT_A_GROUP\]"):
            ask()


@pytest.mark.parametrize("given", [None, "sg-0123456789abcdef0", 1, ec2.IConnectable])
def test_what_is_no_peer_port_or_group_is_refused_in_words(stack: Stack, given: Any) -> None:
    connections, anyone = build(stack, **SCRATCH_2).connections, ec2.Peer.any_ipv4()
    before = [child.node.id for child in stack.node.find_all()]
    asks: list[Callable[[], None]] = [
        lambda: connections.allow_default_port_from(given),
        lambda: connections.allow_default_port_to(given),
        lambda: connections.allow_from(given, ec2.Port.tcp(988)),
        lambda: connections.allow_to(given, ec2.Port.tcp(9400)),
        lambda: connections.allow_to_default_port(given),
        lambda: connections.allow_from(anyone, given),
        lambda: connections.allow_from_any_ipv4(given),
        lambda: connections.allow_internally(given),
        lambda: connections.add_security_group(given),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=r"must be (what has connections|a port|a security group), got .*_KIND\]"):
            ask()
    assert [child.node.id for child in stack.node.find_all()] == before


def test_a_peers_default_port_is_one_that_it_has(stack: Stack, vpc: ec2.Vpc) -> None:
    connections = file_system(stack, vpc).connections
    with pytest.raises(ValueError, match=r"got an Instance without one; .*PEER_WITHOUT_DEFAULT_PORT"):
        connections.allow_to_default_port(instance(stack, vpc))
    database = ec2.Connections(peer=ec2.Peer.ipv4("10.9.0.0/16"), default_port=ec2.Port.tcp(5432))
    connections.allow_to_default_port(database)
    assert ("Egress", "servers", "10.9.0.0/16", "tcp", 5432, 5432) in rules_of(Template.from_stack(stack), NAMES)


@pytest.mark.parametrize("peer", ["10.9.0.0/16", "10.9.8.7/32"])
def test_addresses_that_ask_over_efa_by_themselves_are_named_in_the_refusal(stack: Stack, peer: str) -> None:
    """The error is raised below CDK, where it loses its kind."""
    over_efa = build(stack, **EFA)
    with pytest.raises(RuntimeError, match=rf"got {peer}; .*rules by address do not count.*\[CLIENT_NOT_A_GROUP\]"):
        ec2.Connections(peer=ec2.Peer.ipv4(peer)).allow_to_default_port(over_efa)


def test_file_servers_let_each_other_in_once(stack: Stack, vpc: ec2.Vpc) -> None:
    storage = file_system(stack, vpc)
    storage.connections.allow_default_port_internally()
    storage.connections.allow_internally(ec2.Port.icmp_ping())
    template = Template.from_stack(stack)
    assert {rule for rule in rules_of(template, NAMES) if rule[3] == "tcp"} == lustre("servers")
    assert {rule[3] for rule in rules_of(template, NAMES)} == {"tcp", "icmp"}
    assert repeated_rules(template) == []


def test_a_network_is_a_peer_too(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    own = ec2.SecurityGroup(stack, "Own", vpc=network.vpc)
    own.connections.allow_from(network, ec2.Port.tcp(9400), "metrics")
    storage = build(stack, vpc=network.vpc, subnet=network.private_subnet, **SCRATCH_2)
    storage.connections.allow_default_port_from(network)
    rules = rules_of(Template.from_stack(stack), NAMES)
    assert rules >= lustre("servers", "nodes")
    assert ("Ingress", "clients", "nodes", "tcp", 9400, 9400) in rules
    assert ("Egress", "nodes", "clients", "tcp", 9400, 9400) in rules


def test_a_file_system_of_others_is_a_peer_too(stack: Stack, vpc: ec2.Vpc) -> None:
    theirs = TrainingFileSystem.from_attributes(
        stack,
        "Theirs",
        file_system_id="fs-0123456789abcdef0",
        dns_name="fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
        mount_name="abcdefgh",
        security_groups=[ec2.SecurityGroup.from_security_group_id(stack, "Servers", "sg-0123456789abcdef0")],
    )
    instance(stack, vpc).connections.allow_to_default_port(theirs)
    theirs.connections.allow_default_port_internally()
    rules = rules_of(Template.from_stack(stack), {"sg-0123456789abcdef0": "servers"} | NAMES)
    assert rules == lustre("servers", "clients") | lustre("servers")


def test_instances_of_a_later_stack_are_peers_whoever_is_asked(new_app: Callable[..., App]) -> None:
    app = new_app()
    base = Stack(app, "base")
    vpc = ec2.Vpc(base, "Vpc", max_azs=1, restrict_default_security_group=False)
    storage = file_system(base, vpc)
    for number, way in enumerate(WAYS):
        later = Stack(app, f"later{number}")
        node = instance(later, vpc, user_data=storage.user_data(), allow_all_outbound=False)
        WAYS[way](storage, node)
    app.synth()
    assert rules_of(Template.from_stack(base), NAMES) == lustre("servers")
    for number in range(len(WAYS)):
        template = Template.from_stack(app.node.find_child(f"later{number}"))  # type: ignore[arg-type]
        names = {"InstanceSecurityGroup": "clients", "FileSystem": "servers"}
        assert rules_of(template, names) - {outwards_to_nowhere()} == lustre("servers", "clients")
        assert repeated_rules(template) == []
