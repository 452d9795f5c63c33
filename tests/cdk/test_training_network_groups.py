"""The security groups of a network: its own, a user's, and its peers over EFA."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.rules import both_ways, repeated_rules, rules_of
from tests.cdk.test_training_network import CLUSTER, SELF_AND_HTTPS

NAMES = {"EfaSecurityGroup": "nodes", "Other": "other", "sg-0peer": "imported"}


@pytest.fixture
def vpc(stack: Stack) -> ec2.Vpc:
    return ec2.Vpc(stack, "Existing", max_azs=1)


def warnings(stack: Stack, finding_id: str) -> int:
    return len(Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp(finding_id)))


def test_rules_that_a_user_adds_again_are_there_once(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    network.connections.allow_internally(ec2.Port.all_traffic())
    network.efa_security_group.add_ingress_rule(network.efa_security_group, ec2.Port.all_traffic())
    network.allow_efa_peer(network.efa_security_group)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == SELF_AND_HTTPS
    assert repeated_rules(template) == []


@pytest.mark.parametrize("allow_all_outbound", [True, False])
def test_a_peer_gets_both_directions_on_both_groups_once(stack: Stack, allow_all_outbound: bool) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    other = ec2.SecurityGroup(stack, "Other", vpc=network.vpc, allow_all_outbound=allow_all_outbound)
    for _ in range(2):
        network.allow_efa_peer(other)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == SELF_AND_HTTPS | both_ways("nodes", "other")
    assert repeated_rules(template) == []


def test_two_networks_of_one_vpc_can_be_peers_of_each_other(stack: Stack) -> None:
    first = TrainingNetwork(stack, "First", **CLUSTER)
    second = TrainingNetwork(stack, "Second", vpc=first.vpc, subnet=first.private_subnet, **CLUSTER)
    first.allow_efa_peer(second.efa_security_group)
    second.allow_efa_peer(first.efa_security_group)
    template = Template.from_stack(stack)
    names = {"FirstEfa": "first", "SecondEfa": "second"}
    assert rules_of(template, names) >= both_ways("first", "second")
    assert repeated_rules(template) == []


def test_a_peer_in_a_later_stack_takes_the_rules_of_both(new_app: Callable[..., App]) -> None:
    app = new_app()
    base, later = Stack(app, "base"), Stack(app, "later")
    network = TrainingNetwork(base, "Network", **CLUSTER)
    other = ec2.SecurityGroup(later, "Other", vpc=network.vpc)
    network.allow_efa_peer(other)
    app.synth()
    templates = Template.from_stack(base), Template.from_stack(later)
    assert rules_of(templates[0], NAMES) == SELF_AND_HTTPS
    assert rules_of(templates[1], NAMES) == both_ways("nodes", "other")


def test_a_peer_in_an_earlier_stack_that_made_the_vpc_leaves_the_rules_here(new_app: Callable[..., App]) -> None:
    app = new_app()
    base, later = Stack(app, "base"), Stack(app, "later")
    vpc = ec2.Vpc(base, "Existing", max_azs=1)
    other = ec2.SecurityGroup(base, "Other", vpc=vpc)
    network = TrainingNetwork(later, "Network", vpc=vpc, **CLUSTER)
    network.allow_efa_peer(other)
    app.synth()
    assert rules_of(Template.from_stack(base), NAMES) == set()
    assert rules_of(Template.from_stack(later), NAMES) >= both_ways("nodes", "other")


def test_an_imported_peer_gets_its_rules_unless_it_is_immutable(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    mutable = ec2.SecurityGroup.from_security_group_id(stack, "Mutable", "sg-0peer")
    for _ in range(2):
        network.allow_efa_peer(mutable)
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == SELF_AND_HTTPS | both_ways("nodes", "imported")
    assert repeated_rules(template) == []
    assert warnings(stack, "EFA_PEER_NOT_WRITABLE") == 0


def test_an_immutable_peer_is_left_alone_and_warned_about(stack: Stack) -> None:
    network = TrainingNetwork(stack, "Network", **CLUSTER)
    network.allow_efa_peer(ec2.SecurityGroup.from_security_group_id(stack, "Fixed", "sg-0peer", mutable=False))
    assert rules_of(Template.from_stack(stack), NAMES) == SELF_AND_HTTPS | {
        ("Ingress", "nodes", "imported", "-1", None, None),
        ("Egress", "nodes", "imported", "-1", None, None),
    }
    assert warnings(stack, "EFA_PEER_NOT_WRITABLE.*sg-0peer|sg-0peer.*EFA_PEER_NOT_WRITABLE") == 1


@pytest.mark.parametrize("allow_all_outbound", [True, False])
def test_a_group_of_the_same_app_gets_the_rules_to_itself_that_it_lacks(
    stack: Stack, vpc: ec2.Vpc, allow_all_outbound: bool
) -> None:
    mine = ec2.SecurityGroup(stack, "Other", vpc=vpc, allow_all_outbound=allow_all_outbound)
    network = TrainingNetwork(stack, "Network", vpc=vpc, security_groups=[mine, mine], **CLUSTER)
    assert network.efa_security_group is mine
    assert network.security_groups == [mine]
    template = Template.from_stack(stack)
    assert rules_of(template, NAMES) == both_ways("other", "other")
    template.resource_count_is("AWS::EC2::SecurityGroup", 1)


def test_rules_that_a_group_has_are_not_added_again(stack: Stack, vpc: ec2.Vpc) -> None:
    by_cdk = ec2.SecurityGroup(stack, "ByCdk", vpc=vpc, allow_all_outbound=False)
    by_cdk.connections.allow_internally(ec2.Port.all_traffic())
    by_hand = ec2.SecurityGroup(stack, "ByHand", vpc=vpc)
    own = by_hand.security_group_id
    ec2.CfnSecurityGroupIngress(stack, "In", group_id=own, source_security_group_id=own, ip_protocol="-1")
    ec2.CfnSecurityGroupEgress(stack, "Out", group_id=own, destination_security_group_id=own, ip_protocol="-1")
    for name, group in (("First", by_cdk), ("Second", by_hand)):
        TrainingNetwork(stack, name, vpc=vpc, security_groups=[group], **CLUSTER)
    template = Template.from_stack(stack)
    assert rules_of(template, {"ByCdk": "cdk", "ByHand": "hand"}) == both_ways("cdk", "cdk") | both_ways("hand", "hand")
    assert repeated_rules(template) == []


@pytest.mark.parametrize("asked", [False, True])
def test_the_rules_of_an_imported_group_are_left_to_a_look_or_to_an_explicit_call(
    stack: Stack, vpc: ec2.Vpc, asked: bool
) -> None:
    imported = ec2.SecurityGroup.from_security_group_id(stack, "Mine", "sg-0peer")
    network = TrainingNetwork(stack, "Network", vpc=vpc, security_groups=[imported], **CLUSTER)
    if asked:
        network.allow_efa_peer(imported)
    assert warnings(stack, "describe-security-group-rules --filters Name=group-id,Values=sg-0peer") == 1
    assert warnings(stack, "EFA_GROUP_NOT_VISIBLE") == 1
    expected = both_ways("imported", "imported") if asked else set()
    assert rules_of(Template.from_stack(stack), NAMES) == expected


def test_endpoints_let_every_group_in_and_write_out_rules_only_where_they_may(stack: Stack, vpc: ec2.Vpc) -> None:
    groups = [
        ec2.SecurityGroup(stack, "Other", vpc=vpc),
        ec2.SecurityGroup.from_security_group_id(stack, "Imported", "sg-0peer"),
    ]
    sts = ec2.InterfaceVpcEndpointAwsService.STS
    TrainingNetwork(stack, "Network", vpc=vpc, security_groups=groups, interface_endpoints=[sts], **CLUSTER)
    rules = rules_of(Template.from_stack(stack), NAMES | {"EndpointSecurityGroup": "endpoints"})
    assert {rule for rule in rules if rule[3] == "tcp"} == {
        ("Ingress", "endpoints", "other", "tcp", 443, 443),
        ("Egress", "other", "endpoints", "tcp", 443, 443),
        ("Ingress", "endpoints", "imported", "tcp", 443, 443),
    }


@pytest.mark.parametrize(("count", "legal"), [(0, False), (1, True), (5, True), (6, False)])
def test_a_job_has_one_to_five_groups(stack: Stack, vpc: ec2.Vpc, count: int, legal: bool) -> None:
    arguments: dict[str, Any] = CLUSTER | {
        "security_groups": [ec2.SecurityGroup(stack, f"Group{index}", vpc=vpc) for index in range(count)]
    }
    if legal:
        assert len(TrainingNetwork(stack, "Network", vpc=vpc, **arguments).security_groups) == count
        return
    with pytest.raises(ValueError, match=rf"must be 1 to 5, got {count}; .*SECURITY_GROUPS_OUT_OF_RANGE"):
        TrainingNetwork(stack, "Network", vpc=vpc, **arguments)


def test_a_group_that_stands_there_twice_counts_once(stack: Stack, vpc: ec2.Vpc) -> None:
    groups = [ec2.SecurityGroup(stack, f"Group{index}", vpc=vpc) for index in range(5)]
    network = TrainingNetwork(stack, "Network", vpc=vpc, security_groups=[*groups, groups[0]], **CLUSTER)
    assert network.security_groups == groups


def test_groups_need_their_vpc(stack: Stack, vpc: ec2.Vpc) -> None:
    group = ec2.SecurityGroup(stack, "Other", vpc=vpc)
    with pytest.raises(ValueError, match=r"got 1 without vpc; .*SECURITY_GROUPS_WITHOUT_VPC"):
        TrainingNetwork(stack, "Network", security_groups=[group], **CLUSTER)
