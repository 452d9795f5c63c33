"""Stand-alone security group rules between groups, always in pairs: in to one and out of the other.

Rules written into a group and rules beside it behave differently when both are there, and CDK drops explicit egress
from a group that allows everything out. Here is one style only: every rule is a resource of its own and names its peer
by group id, which is also the only kind that EFA honours (FSx User Guide, limit-access-security-groups).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from aws_cdk import CfnResource
from aws_cdk import aws_ec2 as ec2
from constructs import Construct


@dataclass(frozen=True)
class Ports:
    """What a rule opens."""

    name: str
    """Part of construct ids."""
    protocol: str
    from_port: int | None = None
    to_port: int | None = None


ALL_TRAFFIC = Ports("All", "-1")
"""What EFA needs: every protocol."""
LUSTRE_PORTS = (Ports("Lnet988", "tcp", 988, 988), Ports("Lnet1018", "tcp", 1018, 1023))
"""TCP ports of Lustre's network; source: FSx User Guide, limit-access-security-groups."""
HTTPS = Ports("Https", "tcp", 443, 443)
_NOWHERE = "255.255.255.255/32"
"""Where CDK's placeholder leads; it stands for "nothing out" in a group without a rule."""


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
        rules += [
            ec2.CfnSecurityGroupEgress(
                scope,
                f"{rule_id}{port.name}Egress",
                group_id=source_group_id,
                destination_security_group_id=target_group_id,
                ip_protocol=port.protocol,
                from_port=port.from_port,
                to_port=port.to_port,
                description=description,
            ),
            ec2.CfnSecurityGroupIngress(
                scope,
                f"{rule_id}{port.name}Ingress",
                group_id=target_group_id,
                source_security_group_id=source_group_id,
                ip_protocol=port.protocol,
                from_port=port.from_port,
                to_port=port.to_port,
                description=description,
            ),
        ]
    return rules
