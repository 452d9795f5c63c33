"""Rules between groups of several stacks stand where no stack refers to one that refers to it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from aws_cdk import App, CfnOutput, CfnParameter, NestedStack, Stack, Stage
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Template

from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import EFA, FILE_SYSTEM, PERSISTENT_2, SCRATCH_2
from tests.cdk.rules import repeated_rules

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
RULES = ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress")


@pytest.fixture
def app(new_app: Callable[..., App]) -> App:
    return new_app()


def vpc_in(stack: Stack) -> ec2.Vpc:
    return ec2.Vpc(stack, "Vpc", max_azs=1, restrict_default_security_group=False)


def storage(stack: Stack, vpc: ec2.IVpc, **settings: Any) -> TrainingFileSystem:
    where: dict[str, Any] = {"vpc": vpc, "subnet": vpc.private_subnets[0]}
    return TrainingFileSystem(stack, "Storage", **(SCRATCH_2 | where | settings))


def client_in(stack: Stack, vpc: ec2.IVpc) -> ec2.SecurityGroup:
    return ec2.SecurityGroup(stack, "Client", vpc=vpc, allow_all_outbound=False)


def rules_in(stack: Stack, about: str) -> list[Mapping[str, Any]]:
    """Return the rules of a stack whose description holds a word."""
    template = Template.from_stack(stack)
    assert repeated_rules(template) == []
    return [
        rule
        for kind in RULES
        for rule in template.find_resources(kind).values()
        if about in rule["Properties"].get("Description", "")
    ]


@pytest.mark.parametrize("settings", [SCRATCH_2, PERSISTENT_2, EFA], ids=["scratch", "retained", "EFA"])
@pytest.mark.parametrize("uses", [True, False], ids=["uses it", "stands by itself"])
def test_a_client_of_a_later_stack_takes_its_rules_which_the_file_system_neither_awaits_nor_keeps(
    app: App, settings: dict[str, Any], uses: bool
) -> None:
    base, later = Stack(app, "base"), Stack(app, "later")
    vpc = vpc_in(base)
    file_system = storage(base, vpc, **settings)
    file_system.allow_client(client_in(later, vpc))
    if uses:
        CfnOutput(later, "Mount", value=file_system.mount_command("/fsx"))
    app.synth()
    assert rules_in(base, "clients") == []
    found = rules_in(later, "clients")
    assert len(found) == (4 if settings is EFA else 8)
    assert not [rule for rule in found if "DeletionPolicy" in rule]
    [resource] = Template.from_stack(base).find_resources(FILE_SYSTEM).values()
    assert len(resource["DependsOn"]) == (2 if settings is EFA else 4)


@pytest.mark.parametrize("order", [("data", "nodes"), ("nodes", "data")])
@pytest.mark.parametrize("uses", [True, False], ids=["uses it", "stands by itself"])
def test_a_client_of_a_third_stack_is_later_where_its_stack_is_made_later_or_declared_so(
    app: App, order: tuple[str, str], uses: bool
) -> None:
    network = Stack(app, "network")
    stacks = {name: Stack(app, name) for name in order}
    data, nodes = stacks["data"], stacks["nodes"]
    if order[0] == "nodes":
        nodes.add_stack_dependency(data)
    vpc = vpc_in(network)
    file_system = storage(data, vpc, client_security_groups=[client_in(nodes, vpc)])
    if uses:
        CfnOutput(nodes, "Mount", value=file_system.mount_command("/fsx"))
    app.synth()
    assert rules_in(data, "clients") == []
    assert len(rules_in(nodes, "clients")) == 8


def test_a_network_in_an_existing_vpc_comes_before_the_file_system_which_keeps_all_rules(app: App) -> None:
    base, nodes, data = (Stack(app, name) for name in ("base", "nodes", "data"))
    vpc = vpc_in(base)
    network = TrainingNetwork(nodes, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)
    storage(data, vpc, client_security_groups=network.security_groups, **PERSISTENT_2)
    app.synth()
    assert rules_in(nodes, "clients") == []
    kept = rules_in(data, "clients")
    assert len(kept) == 8
    assert {rule["DeletionPolicy"] for rule in kept} == {"Retain"}


def first_the_vpc(app: App, earlier: Stack, data: Stack) -> TrainingFileSystem:
    vpc = vpc_in(earlier)
    return storage(data, vpc, client_security_groups=[client_in(earlier, vpc)])


def first_a_key(app: App, earlier: Stack, data: Stack) -> TrainingFileSystem:
    vpc = vpc_in(Stack(app, "network"))
    key = kms.Key(earlier, "Key")
    client = client_in(earlier, vpc)
    return storage(data, vpc, client_security_groups=[client], encryption_key=key, **PERSISTENT_2)


def first_the_servers(app: App, earlier: Stack, data: Stack) -> TrainingFileSystem:
    vpc = vpc_in(Stack(app, "network"))
    servers = ec2.SecurityGroup(earlier, "Servers", vpc=vpc)
    return storage(data, vpc, client_security_groups=[client_in(earlier, vpc)], security_groups=[servers])


def first_by_declaration(app: App, earlier: Stack, data: Stack) -> TrainingFileSystem:
    vpc = vpc_in(Stack(app, "network"))
    between = Stack(app, "between")
    data.add_stack_dependency(between)
    between.add_stack_dependency(earlier)
    return storage(data, vpc, client_security_groups=[client_in(earlier, vpc)])


@pytest.mark.parametrize("needs", [first_the_vpc, first_a_key, first_the_servers, first_by_declaration])
def test_a_client_of_a_stack_that_the_file_system_needs_leaves_the_rules_here(
    app: App, needs: Callable[[App, Stack, Stack], TrainingFileSystem]
) -> None:
    data, earlier = Stack(app, "data"), Stack(app, "earlier")
    needs(app, earlier, data)
    app.synth()
    assert rules_in(earlier, "clients") == []
    assert len(rules_in(data, "clients")) == 8
    [resource] = Template.from_stack(data).find_resources(FILE_SYSTEM).values()
    assert len(resource["DependsOn"]) == 12


def test_a_client_whose_id_is_a_parameter_of_a_later_stack_is_of_that_stack(app: App) -> None:
    base, later = Stack(app, "base"), Stack(app, "later")
    vpc = vpc_in(base)
    file_system = storage(base, vpc)
    given = CfnParameter(later, "GroupId").value_as_string
    file_system.allow_client(ec2.SecurityGroup.from_security_group_id(later, "Client", given))
    CfnOutput(later, "Mount", value=file_system.mount_command("/fsx"))
    app.synth()
    assert len(rules_in(later, "clients")) == 8


def test_a_client_with_an_id_of_its_own_is_no_reference_to_another_stack(app: App) -> None:
    base, later = Stack(app, "base"), Stack(app, "later")
    file_system = storage(base, vpc_in(base))
    file_system.allow_client(ec2.SecurityGroup.from_security_group_id(later, "Client", "sg-1"))
    app.synth()
    assert len(rules_in(base, "clients")) == 8


def test_clients_in_a_nested_stack_below_the_file_systems_own(app: App) -> None:
    base = Stack(app, "base")
    vpc = vpc_in(base)
    file_system = storage(base, vpc)
    nested = NestedStack(base, "Nodes")
    file_system.allow_client(client_in(nested, vpc))
    CfnOutput(nested, "Mount", value=file_system.mount_command("/fsx"))
    app.synth()
    assert rules_in(base, "clients") == []
    assert len(rules_in(nested, "clients")) == 8


def test_a_file_system_in_a_nested_stack_comes_after_the_stack_that_holds_it(app: App) -> None:
    base = Stack(app, "base")
    vpc = ec2.Vpc.from_vpc_attributes(
        base, "Vpc", vpc_id="vpc-1", availability_zones=["us-east-1a"], private_subnet_ids=["subnet-1"]
    )
    nested = NestedStack(base, "Data")
    storage(nested, vpc).allow_client(client_in(base, vpc))
    app.synth()
    assert rules_in(base, "clients") == []
    assert len(rules_in(nested, "clients")) == 8


def test_stacks_of_one_stage_are_in_the_order_of_that_stage(app: App) -> None:
    stage = Stage(app, "Production")
    stacks = {name: Stack(stage, name) for name in ("base", "nodes", "data", "later")}
    vpc = vpc_in(stacks["base"])
    file_system = storage(stacks["data"], vpc)
    for name in ("nodes", "later"):
        file_system.allow_client(client_in(stacks[name], vpc))
    stage.synth()
    assert {name: len(rules_in(stack, "clients")) for name, stack in stacks.items()} == {
        "base": 0,
        "nodes": 0,
        "data": 8,
        "later": 8,
    }


def test_two_file_systems_let_one_later_client_in(app: App) -> None:
    base, other, later = Stack(app, "base"), Stack(app, "other"), Stack(app, "later")
    vpc = vpc_in(base)
    client = client_in(later, vpc)
    for stack in (base, other):
        storage(stack, vpc).allow_client(client)
    app.synth()
    assert len(rules_in(later, "clients")) == 16


@pytest.mark.parametrize("kind", ["created", "by parameter"])
@pytest.mark.parametrize("existing", [True, False], ids=["existing VPC", "new VPC"])
def test_a_peer_over_efa_of_a_later_stack_takes_the_rules_of_both(app: App, existing: bool, kind: str) -> None:
    base, nodes, later = Stack(app, "base"), Stack(app, "nodes"), Stack(app, "later")
    vpc = vpc_in(base) if existing else None
    subnet = None if vpc is None else vpc.private_subnets[0]
    network = TrainingNetwork(nodes, "Network", vpc=vpc, subnet=subnet, **CLUSTER)
    if kind == "created":
        peer: ec2.ISecurityGroup = client_in(later, network.vpc)
    else:
        given = CfnParameter(later, "GroupId").value_as_string
        peer = ec2.SecurityGroup.from_security_group_id(later, "Client", given)
    network.allow_efa_peer(peer)
    CfnOutput(later, "Group", value=network.efa_security_group.security_group_id)
    app.synth()
    assert len(rules_in(nodes, "EFA")) == 2
    assert len(rules_in(later, "EFA")) == 4


def test_a_peer_over_efa_of_a_declared_earlier_stack_leaves_the_rules_here(app: App) -> None:
    base, nodes, earlier = Stack(app, "base"), Stack(app, "nodes"), Stack(app, "earlier")
    nodes.add_stack_dependency(earlier)
    vpc = vpc_in(base)
    network = TrainingNetwork(nodes, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)
    network.allow_efa_peer(client_in(earlier, vpc))
    app.synth()
    assert rules_in(earlier, "EFA") == []
    assert len(rules_in(nodes, "EFA")) == 6
