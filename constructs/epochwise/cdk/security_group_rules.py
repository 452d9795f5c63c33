"""Stand-alone security group rules between groups, always in pairs: in to one and out of the other.

Rules written into a group and rules beside it behave differently when both are there, and CDK drops explicit egress
from a group that allows everything out. Here is one style only: every rule is a resource of its own and names its peer
by group id, which is also the only kind that EFA honours (FSx User Guide, limit-access-security-groups).
"""

from collections.abc import Sequence

from aws_cdk import CfnResource, Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.network_ports import ALL_TRAFFIC, Ports

_NOWHERE = "255.255.255.255/32"
"""Where CDK's placeholder leads; it stands for "nothing out" in a group without a rule."""
_CONNECTION = "ALL TRAFFIC"
"""CDK's name of `ec2.Port.all_traffic()` in the ids of its own rules."""


def create_group(scope: Construct, group_id: str, *, vpc: ec2.IVpc, description: str) -> ec2.SecurityGroup:
    """Create a group whose rules are all stand-alone, and that has none until some are added.

    CDK's placeholder against the default way out is removed: the first stand-alone rule out replaces that default
    (CloudFormation, AWS::EC2::SecurityGroupEgress). Add one to the group.
    """
    group = ec2.SecurityGroup(
        scope, group_id, vpc=vpc, description=description, allow_all_outbound=False, disable_inline_rules=True
    )
    for child in group.node.children:
        if isinstance(child, ec2.CfnSecurityGroupEgress) and child.cidr_ip == _NOWHERE:
            group.node.try_remove_child(child.node.id)
    return group


def is_created_here(group: ec2.ISecurityGroup) -> bool:
    """Tell whether a group is made by the same app, so that its rules can be seen and added to."""
    return isinstance(group, ec2.SecurityGroup)


def allow_between(
    scope: Construct,
    rule_id: str,
    *,
    source_group_id: str,
    target_group_id: str,
    ports: Sequence[Ports],
    description: str,
) -> list[CfnResource]:
    """Let one group reach another: the way out of the source and the way in to the target, both by group id."""
    rules: list[CfnResource] = []
    for port in ports:
        rules.append(
            ec2.CfnSecurityGroupEgress(
                scope,
                f"{rule_id}{port.name}Egress",
                group_id=source_group_id,
                destination_security_group_id=target_group_id,
                ip_protocol=port.protocol,
                from_port=port.from_port,
                to_port=port.to_port,
                description=description,
            )
        )
        rules += allow_in(
            scope,
            rule_id,
            source_group_id=source_group_id,
            target_group_id=target_group_id,
            ports=[port],
            description=description,
        )
    return rules


def allow_in(
    scope: Construct,
    rule_id: str,
    *,
    source_group_id: str,
    target_group_id: str,
    ports: Sequence[Ports],
    description: str,
) -> list[CfnResource]:
    """Let one group into another whose peer is not ours to write to: the way in alone, by group id."""
    return [
        ec2.CfnSecurityGroupIngress(
            scope,
            f"{rule_id}{port.name}Ingress",
            group_id=target_group_id,
            source_security_group_id=source_group_id,
            ip_protocol=port.protocol,
            from_port=port.from_port,
            to_port=port.to_port,
            description=description,
        )
        for port in ports
    ]


def allow_all_traffic(
    scope: Construct,
    group: ec2.ISecurityGroup,
    peer: ec2.ISecurityGroup,
    *,
    description: str,
    host: ec2.ISecurityGroup | None = None,
) -> bool:
    """Let two groups, or one and itself, exchange all traffic in both directions: each rule that is not there yet.

    The rules of groups that the app creates stand where CDK itself would put them and under CDK's ids, so that
    `connections.allow_internally` and the like, before or after, add none twice; EC2 refuses a second rule of the same
    content.

    Args:
        scope: takes the way out of an imported group.
        group: one side.
        peer: the other side, or the same group.
        description: of the rules.
        host: the side whose stack takes the rules of both, where they are in different stacks; `peer` by default.

    Returns:
        False when a group is imported as immutable, so that it got none of its rules.
    """
    host = host or peer
    pairs = [(group, peer)] if group.security_group_id == peer.security_group_id else [(group, peer), (peer, group)]
    opened = [_open(scope, owner, other, description, remote=_is_remote(owner, host)) for owner, other in pairs]
    return all(opened)


def has_all_traffic_rule(owner: ec2.ISecurityGroup, other: ec2.ISecurityGroup, *, outwards: bool) -> bool:
    """Tell whether the app has a stand-alone rule of a group for all traffic from, or to, another group."""
    owner_id, other_id = owner.security_group_id, other.security_group_id
    for each in owner.node.root.node.find_all():
        match each:
            case ec2.CfnSecurityGroupEgress() if outwards:
                named = each.destination_security_group_id
            case ec2.CfnSecurityGroupIngress() if not outwards:
                named = each.source_security_group_id
            case _:
                continue
        if each.group_id == owner_id and named == other_id and each.ip_protocol == ALL_TRAFFIC.protocol:
            return True
    return False


def _open(
    scope: Construct, owner: ec2.ISecurityGroup, other: ec2.ISecurityGroup, description: str, *, remote: bool
) -> bool:
    """Add a group's own rules for all traffic from and to another, unless the group is not to be written to."""
    if not has_all_traffic_rule(owner, other, outwards=False):
        owner.add_ingress_rule(other, ec2.Port.all_traffic(), description, remote)
        # an immutable import takes the call and does nothing, which is the only way to tell it
        if not has_all_traffic_rule(owner, other, outwards=False):
            return False
    if has_all_traffic_rule(owner, other, outwards=True):
        return True
    if remote and isinstance(other, ec2.SecurityGroup):
        scope, rule_id = other, f"{owner.unique_id}:{_CONNECTION} from"
    elif isinstance(owner, ec2.SecurityGroup):
        scope, rule_id = owner, f"to {other.unique_id}:{_CONNECTION}"
    else:
        rule_id = f"{owner.unique_id}To{other.unique_id}Egress"
    # not by add_egress_rule, which drops the rule where everything out is allowed
    ec2.CfnSecurityGroupEgress(
        scope,
        rule_id,
        group_id=owner.security_group_id,
        destination_security_group_id=other.security_group_id,
        ip_protocol=ALL_TRAFFIC.protocol,
        description=description,
    )
    return True


def _is_remote(owner: ec2.ISecurityGroup, host: ec2.ISecurityGroup) -> bool:
    """Tell whether a group's rules go to another group's stack."""
    return Stack.of(owner).node.addr != Stack.of(host).node.addr
