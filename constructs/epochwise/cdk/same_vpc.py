"""Which VPC a group or a subnet is of, where the app can tell, and what follows from two that are not the same."""

from collections.abc import Iterable, Iterator
from functools import cache

from aws_cdk import Reference, Token, Tokenization
from aws_cdk import aws_ec2 as ec2

from epochwise.cdk.given_groups import id_or_path
from epochwise.checks.finding import Finding
from epochwise.checks.same_vpc import (
    KnownVpc,
    are_apart,
    client_of_other_vpc,
    client_of_peered_vpc,
    efa_peer_of_other_vpc,
    security_group_of_other_vpc,
)

_NOT_LOOKED_UP = "vpc-12345"
"""CDK's stand-in for the id of every VPC that the CDK CLI has not looked up yet."""


@cache
def known_vpc(vpc_id: str | None) -> KnownVpc | None:
    """Return the VPC that an id is of: one that the app creates, or one by its id; None where only a deploy tells."""
    if vpc_id is None or vpc_id == _NOT_LOOKED_UP:
        return None
    if not Token.is_unresolved(vpc_id):
        return KnownVpc(vpc_id, created_here=False)
    made = created_vpc(vpc_id)
    return None if made is None else KnownVpc(made.node.path.removesuffix("/Resource"), created_here=True)


def created_vpc(vpc_id: str | None) -> ec2.CfnVPC | None:
    """Return the VPC that an id refers to, where the app creates it."""
    if vpc_id is None or not Token.is_unresolved(vpc_id):
        return None
    token = Tokenization.reverse_string(vpc_id).first_token
    made = token.target if isinstance(token, Reference) else None
    return made if isinstance(made, ec2.CfnVPC) else None


def vpc_of_group(group: ec2.ISecurityGroup) -> KnownVpc | None:
    """Return the VPC of a group that the app creates; an imported one does not say."""
    made = group.node.default_child
    return known_vpc(made.vpc_id) if isinstance(made, ec2.CfnSecurityGroup) else None


def vpc_of_subnet(subnet: ec2.ISubnet) -> KnownVpc | None:
    """Return the VPC of a subnet that the app creates, or that it imports as part of its VPC."""
    made = subnet.node.default_child
    if isinstance(made, ec2.CfnSubnet):
        return known_vpc(made.vpc_id)
    vpc_id = getattr(subnet.node.scope, "vpc_id", None)
    return known_vpc(vpc_id) if isinstance(vpc_id, str) else None


def groups_of_other_vpcs(argument: str, groups: Iterable[ec2.ISecurityGroup], vpc: ec2.IVpc) -> Iterator[Finding]:
    """Yield a remark about every group that cannot be put on an interface of the VPC."""
    home = known_vpc(vpc.vpc_id)
    for group in groups:
        yield from security_group_of_other_vpc(argument, id_or_path(group), vpc_of_group(group), home)


def peer_of_other_vpc(peer: ec2.ISecurityGroup, vpc: ec2.IVpc) -> Iterator[Finding]:
    """Yield a remark about a peer over EFA that cannot be one."""
    yield from efa_peer_of_other_vpc(id_or_path(peer), vpc_of_group(peer), known_vpc(vpc.vpc_id))


def client_vpc_findings(client: ec2.ISecurityGroup, vpc: KnownVpc | None) -> Iterator[Finding]:
    """Yield every remark about a client of a file system in a VPC."""
    name, of = id_or_path(client), vpc_of_group(client)
    if are_apart(of, vpc):
        joined = _are_joined(client, of, vpc)
        yield from client_of_other_vpc(name, of, vpc, joined=joined)
        yield from client_of_peered_vpc(name, of, vpc, joined=joined)


def _are_joined(somewhere: ec2.ISecurityGroup, one: KnownVpc | None, other: KnownVpc | None) -> bool:
    """Tell whether the app joins two VPCs: by a peering connection, or each to a transit gateway."""
    attached: list[KnownVpc | None] = []
    for node in somewhere.node.root.node.find_all():
        match node:
            case ec2.CfnVPCPeeringConnection():
                ends = known_vpc(node.vpc_id), known_vpc(node.peer_vpc_id)
                if ends in {(one, other), (other, one)}:
                    return True
            case ec2.CfnTransitGatewayAttachment() | ec2.CfnTransitGatewayVpcAttachment():
                attached.append(known_vpc(node.vpc_id))
    return one in attached and other in attached
