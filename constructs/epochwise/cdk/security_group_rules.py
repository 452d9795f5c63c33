"""Stand-alone security group rules between groups, always in pairs: in to one and out of the other.

Rules written into a group and rules beside it behave differently when both are there, and CDK drops explicit egress
from a group that allows everything out. Here is one style only: every rule is a resource of its own and names its peer
by group id, which is also the only kind that EFA honours (FSx User Guide, limit-access-security-groups).
"""

from aws_cdk import CfnResource, Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.network_ports import ALL_TRAFFIC, Ports
from epochwise.cdk.acknowledgements import REGULATED, acknowledge
from epochwise.cdk.stack_order import is_of_stack
from epochwise.cdk.standing_rules import StandingRule, rules_that_open, rules_under, standing_rules

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


def add_rule(
    scope: Construct,
    rule_id: str,
    *,
    owner_id: str,
    other_id: str,
    ports: Ports,
    outwards: bool,
    description: str,
) -> CfnResource:
    """Add one rule to a group, out to another or in from it, under the id's beginning and what it opens."""
    if outwards:
        return ec2.CfnSecurityGroupEgress(
            scope,
            f"{rule_id}{ports.name}Egress",
            group_id=owner_id,
            destination_security_group_id=other_id,
            ip_protocol=ports.protocol,
            from_port=ports.from_port,
            to_port=ports.to_port,
            description=description,
        )
    return ec2.CfnSecurityGroupIngress(
        scope,
        f"{rule_id}{ports.name}Ingress",
        group_id=owner_id,
        source_security_group_id=other_id,
        ip_protocol=ports.protocol,
        from_port=ports.from_port,
        to_port=ports.to_port,
        description=description,
    )


def allow_all_traffic(
    scope: Construct,
    group: ec2.ISecurityGroup,
    peer: ec2.ISecurityGroup,
    *,
    description: str,
    host: ec2.ISecurityGroup | None = None,
    new_group: bool = False,
) -> bool:
    """Let two groups, or one and itself, exchange all traffic in both directions: each rule that is not there yet.

    The rules of groups that the app creates stand where CDK itself would put them and under CDK's ids, so that
    `connections.allow_internally` and the like, before or after, add none twice; EC2 refuses a second rule of the same
    content.

    Args:
        scope: takes the way out of an imported group of its stack.
        group: one side.
        peer: the other side, or the same group.
        description: of the rules.
        host: the side whose stack takes the rules of both, where they are in different stacks; `peer` by default.
        new_group: whether a side was made just now, so that no rule names it.

    Returns:
        False when a group is imported as immutable, so that it got none of its rules.
    """
    host = host or peer
    pairs = [(group, peer)] if group.security_group_id == peer.security_group_id else [(group, peer), (peer, group)]
    standing = [] if new_group else standing_rules(group, peer)
    opened = [
        _open(scope, owner, other, description, standing=standing, remote=not is_of_stack(owner, host))
        for owner, other in pairs
    ]
    return all(opened)


def _open(
    scope: Construct,
    owner: ec2.ISecurityGroup,
    other: ec2.ISecurityGroup,
    description: str,
    *,
    standing: list[StandingRule],
    remote: bool,
) -> bool:
    """Add a group's own rules for all traffic from and to another, unless the group is not to be written to."""
    ids = owner.security_group_id, other.security_group_id
    if not rules_that_open(standing, *ids, ALL_TRAFFIC, outwards=False):
        owner.add_ingress_rule(other, ec2.Port.all_traffic(), description, remote)
        # an immutable import takes the call and does nothing, which is the only way to tell it
        made = rules_that_open(rules_under(owner, other), *ids, ALL_TRAFFIC, outwards=False)
        if not made:
            return False
        for rule in made:
            acknowledge(rule.resource, "EC2RestrictedCommonPorts", "EFA requires all traffic, by group id", *REGULATED)
    if rules_that_open(standing, *ids, ALL_TRAFFIC, outwards=True):
        return True
    if remote and isinstance(other, ec2.SecurityGroup):
        scope, rule_id = other, f"{owner.unique_id}:{_CONNECTION} from"
    elif not remote and isinstance(owner, ec2.SecurityGroup):
        scope, rule_id = owner, f"to {other.unique_id}:{_CONNECTION}"
    else:
        place = other if remote else owner
        scope = scope if is_of_stack(place, scope) else Stack.of(place)
        rule_id = f"{owner.unique_id}To{other.unique_id}Egress"
    # not by add_egress_rule, which drops the rule where everything out is allowed
    ec2.CfnSecurityGroupEgress(
        scope,
        rule_id,
        group_id=ids[0],
        destination_security_group_id=ids[1],
        ip_protocol=ALL_TRAFFIC.protocol,
        description=description,
    )
    return True
