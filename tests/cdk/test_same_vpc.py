"""What is of another VPC is refused where the app sees it, and nothing is where it does not."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, Environment, Fn, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import EFA, FILE_SYSTEM, SCRATCH_2

CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}


def created(stack: Stack, name: str) -> ec2.IVpc:
    return ec2.Vpc(stack, name, max_azs=1, restrict_default_security_group=False)


def imported(stack: Stack, name: str, vpc_id: str | None = None) -> ec2.IVpc:
    return ec2.Vpc.from_vpc_attributes(
        stack,
        name,
        vpc_id=vpc_id or f"vpc-{name.lower()}",
        availability_zones=["us-east-1a"],
        private_subnet_ids=[f"subnet-{name.lower()}"],
        public_subnet_ids=[f"subnet-{name.lower()}-public"],
    )


MAKERS = pytest.mark.parametrize("make", [created, imported])


def storage(stack: Stack, vpc: ec2.IVpc, construct_id: str = "Storage", **settings: Any) -> TrainingFileSystem:
    where: dict[str, Any] = {"vpc": vpc, "subnet": vpc.private_subnets[0]}
    return TrainingFileSystem(stack, construct_id, **(SCRATCH_2 | where | settings))


def warned(stack: Stack, finding_id: str) -> int:
    return len(Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp(finding_id)))


@MAKERS
def test_a_subnet_of_another_vpc_is_refused_by_both_constructs(
    stack: Stack, make: Callable[[Stack, str], ec2.IVpc]
) -> None:
    vpc, other = make(stack, "One"), make(stack, "Other")
    wrong = other.private_subnets[0]
    with pytest.raises(ValueError, match=r"subnet must be one of vpc \S*[Oo]ne, got \S+ .*\[SUBNET_OF_OTHER_VPC\]"):
        storage(stack, vpc, subnet=wrong)
    with pytest.raises(ValueError, match=r"\[SUBNET_OF_OTHER_VPC\]"):
        TrainingNetwork(stack, "Network", vpc=vpc, subnet=wrong, **CLUSTER)
    assert stack.node.try_find_child("Storage") is None


@MAKERS
def test_groups_of_another_vpc_are_refused_by_both_constructs(
    stack: Stack, make: Callable[[Stack, str], ec2.IVpc]
) -> None:
    vpc, other = make(stack, "One"), make(stack, "Other")
    groups = [ec2.SecurityGroup(stack, name, vpc=each) for name, each in (("Right", vpc), ("Wrong", other))]
    told = r"security_groups must be of vpc \S*[Oo]ne, got test/Wrong of \S*[Oo]ther; .*\[SECURITY_GROUP_OF_OTHER_VPC\]"
    with pytest.raises(ValueError, match=told):
        storage(stack, vpc, security_groups=groups)
    with pytest.raises(ValueError, match=told):
        TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], security_groups=groups, **CLUSTER)
    assert stack.node.try_find_child("Network") is None


@MAKERS
def test_a_peer_over_efa_of_another_vpc_is_refused_even_where_the_two_are_peered(
    stack: Stack, make: Callable[[Stack, str], ec2.IVpc]
) -> None:
    vpc, other = make(stack, "One"), make(stack, "Other")
    ec2.CfnVPCPeeringConnection(stack, "Peering", vpc_id=vpc.vpc_id, peer_vpc_id=other.vpc_id)
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)
    peer = ec2.SecurityGroup(stack, "Peer", vpc=other)
    with pytest.raises(ValueError, match=r"got test/Peer of \S*[Oo]ther: EFA does not leave .*\[EFA_PEER_OF_OTH"):
        network.allow_efa_peer(peer)


def join_by_peering(stack: Stack, vpcs: list[ec2.IVpc]) -> None:
    ec2.CfnVPCPeeringConnection(stack, "Peering", vpc_id=vpcs[1].vpc_id, peer_vpc_id=vpcs[0].vpc_id)


def join_by_gateway(stack: Stack, vpcs: list[ec2.IVpc]) -> None:
    for number, vpc in enumerate(vpcs):
        ec2.CfnTransitGatewayAttachment(
            stack, f"Attachment{number}", vpc_id=vpc.vpc_id, subnet_ids=["subnet-1"], transit_gateway_id="tgw-1"
        )


@pytest.mark.parametrize("settings", [SCRATCH_2, EFA], ids=["Lustre", "EFA"])
def test_a_client_of_another_vpc_of_the_app_is_refused_until_something_joins_them(
    stack: Stack, settings: dict[str, Any]
) -> None:
    vpc, other = created(stack, "One"), created(stack, "Other")
    client = ec2.SecurityGroup(stack, "Client", vpc=other)
    told = r"got test/Client of test/Other, which nothing here joins .*CfnVPCPeeringConnection.*\[CLIENT_OF_OTHER_VPC\]"
    with pytest.raises(ValueError, match=told):
        storage(stack, vpc, client_security_groups=[client], **settings)
    assert stack.node.try_find_child("Storage") is None
    file_system = storage(stack, vpc, **settings)
    with pytest.raises(ValueError, match=told):
        file_system.allow_client(client)
    with pytest.raises(ValueError, match=told):
        file_system.connections.allow_default_port_from(client)
    assert [each for each in stack.node.find_all() if "Client" in each.node.id and "Lnet" in each.node.id] == []


@pytest.mark.parametrize("join", [join_by_peering, join_by_gateway])
def test_a_client_of_a_vpc_that_is_joined_gets_its_rules_and_a_warning(
    stack: Stack, join: Callable[[Stack, list[ec2.IVpc]], None]
) -> None:
    vpc, other = created(stack, "One"), created(stack, "Other")
    join(stack, [vpc, other])
    storage(stack, vpc, client_security_groups=[ec2.SecurityGroup(stack, "Client", vpc=other)])
    assert warned(stack, "CLIENT_OF_PEERED_VPC") == 1
    Template.from_stack(stack).resource_properties_count_is(
        "AWS::EC2::SecurityGroupIngress", {"Description": "Lustre from clients to file servers"}, 2
    )


def test_one_attachment_joins_nothing(stack: Stack) -> None:
    vpc, other = created(stack, "One"), created(stack, "Other")
    join_by_gateway(stack, [vpc])
    with pytest.raises(ValueError, match="CLIENT_OF_OTHER_VPC"):
        storage(stack, vpc, client_security_groups=[ec2.SecurityGroup(stack, "Client", vpc=other)])


def test_whether_imported_vpcs_are_joined_is_not_known_so_that_a_client_is_warned_about(stack: Stack) -> None:
    client = ec2.SecurityGroup(stack, "Client", vpc=imported(stack, "Other"))
    storage(stack, imported(stack, "One"), client_security_groups=[client])
    assert warned(stack, "client test/Client is of vpc vpc-other, the file system of vpc-one") == 1


def by_id(stack: Stack, vpc: ec2.IVpc) -> list[ec2.ISecurityGroup]:
    return [ec2.SecurityGroup.from_security_group_id(stack, "ById", "sg-1")]


def of_a_copy(stack: Stack, vpc: ec2.IVpc) -> list[ec2.ISecurityGroup]:
    return [ec2.SecurityGroup(stack, "OfACopy", vpc=imported(stack, "Copy", vpc.vpc_id))]


def of_what_a_deploy_knows(stack: Stack, vpc: ec2.IVpc) -> list[ec2.ISecurityGroup]:
    ids = [CfnParameter(stack, "VpcId").value_as_string, Fn.import_value("vpc")]
    return [
        ec2.SecurityGroup(stack, f"Unknown{number}", vpc=imported(stack, f"Unknown{number}Vpc", vpc_id))
        for number, vpc_id in enumerate(ids)
    ]


def of_the_other_kind(stack: Stack, vpc: ec2.IVpc) -> list[ec2.ISecurityGroup]:
    """Return a group of an imported VPC for one that is created, and the other way round: they may be the same."""
    here = isinstance(vpc, ec2.Vpc)
    return [ec2.SecurityGroup(stack, "OtherKind", vpc=(imported if here else created)(stack, "Looked"))]


@MAKERS
@pytest.mark.parametrize("unseen", [by_id, of_a_copy, of_what_a_deploy_knows, of_the_other_kind])
def test_nothing_is_said_of_groups_whose_vpc_is_not_seen_to_be_another(
    stack: Stack,
    make: Callable[[Stack, str], ec2.IVpc],
    unseen: Callable[[Stack, ec2.IVpc], list[ec2.ISecurityGroup]],
) -> None:
    vpc = make(stack, "One")
    groups = unseen(stack, vpc)
    storage(stack, vpc, security_groups=groups[:1], client_security_groups=groups)
    network = TrainingNetwork(stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], **CLUSTER)
    for group in groups:
        network.allow_efa_peer(group)
    assert warned(stack, "PEERED") == 0


def test_a_vpc_that_is_not_looked_up_yet_is_not_another(new_app: Callable[..., App]) -> None:
    stack = Stack(new_app(), "known", env=Environment(account="123456789012", region="us-east-1"))
    looked_up = ec2.Vpc.from_lookup(stack, "LookedUp", vpc_id="vpc-0123456789abcdef0")
    group = ec2.SecurityGroup(stack, "Group", vpc=imported(stack, "Same", "vpc-0123456789abcdef0"))
    storage(stack, looked_up, security_groups=[group], client_security_groups=[group])
    assert warned(stack, "VPC") == 0


@MAKERS
def test_a_public_subnet_is_warned_about(stack: Stack, make: Callable[[Stack, str], ec2.IVpc]) -> None:
    vpc = make(stack, "One")
    storage(stack, vpc)
    assert warned(stack, "SUBNET_IS_PUBLIC") == 0
    storage(stack, vpc, "InPublic", subnet=vpc.public_subnets[0])
    assert warned(stack, "SUBNET_IS_PUBLIC") == 1


@pytest.mark.parametrize("again", ["sg-1", "sg-2"])
def test_a_group_that_is_given_twice_is_there_once(stack: Stack, again: str) -> None:
    def group(construct_id: str, group_id: str) -> ec2.ISecurityGroup:
        return ec2.SecurityGroup.from_security_group_id(stack, construct_id, group_id)

    vpc = imported(stack, "One")
    servers = [group("First", "sg-1"), group("Again", again)]
    clients = [group("Client", "sg-3"), group("ClientAgain", "sg-3")]
    file_system = storage(stack, vpc, security_groups=servers, client_security_groups=clients)
    expected = ["sg-1"] if again == "sg-1" else ["sg-1", "sg-2"]
    assert [each.security_group_id for each in file_system.security_groups] == expected
    network = TrainingNetwork(
        stack, "Network", vpc=vpc, subnet=vpc.private_subnets[0], security_groups=servers, **CLUSTER
    )
    assert [each.security_group_id for each in network.security_groups] == expected
    template = Template.from_stack(stack)
    template.has_resource_properties(FILE_SYSTEM, {"SecurityGroupIds": expected})
    template.resource_properties_count_is("AWS::EC2::SecurityGroupIngress", {"SourceSecurityGroupId": "sg-3"}, 2)
