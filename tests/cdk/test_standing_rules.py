"""No rule is there twice, whoever makes it: EC2 refuses a second one of the same content."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from epochwise.cdk.standing_rules import has_all_traffic_rule
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import EFA, FILE_SYSTEM, PERSISTENT_2, SCRATCH_2
from tests.cdk.rules import both_ways, repeated_rules, rules_of

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
NAMES = {"EfaSecurityGroup": "nodes", "FileSystem": "servers", "Shared": "shared"}
HTTPS_OUT = ("Egress", "nodes", "0.0.0.0/0", "tcp", 443, 443)


def storage(stack: Stack, network: TrainingNetwork, name: str = "FileSystem", **settings: Any) -> TrainingFileSystem:
    where: dict[str, Any] = {"vpc": network.vpc, "subnet": network.private_subnet}
    return TrainingFileSystem(stack, name, **(where | settings))


@pytest.mark.parametrize("settings", [EFA, SCRATCH_2], ids=["EFA", "Lustre"])
@pytest.mark.parametrize("peers_first", [True, False])
def test_peers_over_efa_that_are_clients_too_have_each_rule_once(
    stack: Stack, settings: dict[str, Any], peers_first: bool
) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    file_system = storage(stack, network, **settings)
    asks: list[Callable[[], None]] = [
        lambda: network.allow_efa_peer(file_system.security_group),
        lambda: file_system.allow_client(network.efa_security_group),
    ]
    for ask in asks if peers_first else reversed(asks):
        ask()
    template = Template.from_stack(stack)
    assert repeated_rules(template) == []
    between = {rule for rule in rules_of(template, NAMES) if {rule[1], rule[2]} == {"nodes", "servers"}}
    all_traffic = both_ways("nodes", "servers")
    assert between >= all_traffic
    if settings is EFA or peers_first:
        assert between == all_traffic
    [resource] = template.find_resources(FILE_SYSTEM).values()
    own = {
        name
        for kind in ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress")
        for name, rule in template.find_resources(kind).items()
        if "FileSystem" in str(rule["Properties"]["GroupId"])
    }
    assert own <= set(resource["DependsOn"])


@pytest.mark.parametrize(("settings", "fate"), [(EFA, "Retain"), (SCRATCH_2, None)], ids=["EFA", "Lustre"])
def test_servers_in_the_nodes_own_group_await_the_rules_it_has_and_keep_them(
    stack: Stack, settings: dict[str, Any], fate: str | None
) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    storage(stack, network, security_groups=[network.efa_security_group], **settings)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == both_ways("nodes", "nodes") | {HTTPS_OUT}
    [resource] = template.find_resources(FILE_SYSTEM).values()
    awaited = [name for name in resource["DependsOn"] if "fromtest" in name or "totest" in name]
    assert len(awaited) == 2
    rules = template.find_resources("AWS::EC2::SecurityGroupIngress")
    assert {rule.get("DeletionPolicy") for rule in rules.values()} == {fate}


def test_two_file_systems_of_one_group_have_its_rules_once(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    shared = ec2.SecurityGroup(stack, "Shared", vpc=network.vpc, allow_all_outbound=False)
    for name, settings in (("First", SCRATCH_2), ("Second", PERSISTENT_2)):
        groups = [shared]
        storage(
            stack, network, name, security_groups=groups, client_security_groups=network.security_groups, **settings
        )
    template = Template.from_stack(stack)
    assert repeated_rules(template) == []
    assert len([rule for rule in rules_of(template, NAMES) if "shared" in rule[1:3] and rule[3] == "tcp"]) == 12
    awaited = [set(each["DependsOn"]) for each in template.find_resources(FILE_SYSTEM).values()]
    assert len(awaited[0] & awaited[1]) == 4


def test_a_rule_by_hand_counts(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    file_system = storage(stack, network, **SCRATCH_2)
    nodes, servers = network.efa_security_group, file_system.security_group
    assert not has_all_traffic_rule(servers, nodes, outwards=False)
    ec2.CfnSecurityGroupIngress(
        stack,
        "ByHand",
        group_id=servers.security_group_id,
        source_security_group_id=nodes.security_group_id,
        ip_protocol="tcp",
        from_port=988,
        to_port=988,
    )
    file_system.allow_client(nodes)
    template = Template.from_stack(stack)
    assert repeated_rules(template) == []
    assert len([rule for rule in rules_of(template, NAMES) if {rule[1], rule[2]} == {"nodes", "servers"}]) == 8


def test_rules_of_other_stacks_count(new_app: Callable[..., App]) -> None:
    app = new_app()
    base, data = Stack(app, "base"), Stack(app, "data")
    network = TrainingNetwork(base, "Network", **CLUSTER)
    storage(data, network, security_groups=[network.efa_security_group], **EFA)
    app.synth()
    assert rules_of(Template.from_stack(data), NAMES) == set()
    assert repeated_rules(Template.from_stack(base), Template.from_stack(data)) == []
