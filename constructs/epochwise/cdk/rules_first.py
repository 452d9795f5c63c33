"""Rules that CDK makes for `connections` come before the file system, and share its fate, like the library's own."""

from collections.abc import Callable, Iterable

import jsii
from aws_cdk import Aspects, CfnResource, IAspect
from aws_cdk import aws_ec2 as ec2
from constructs import IConstruct


@jsii.implements(IAspect)
class _EachRule:
    """Hands over every rule of a group at synth, when all are there."""

    def __init__(self, take: Callable[[Iterable[CfnResource]], None]) -> None:
        """Take what is called with each rule."""
        self._take = take

    def visit(self, node: IConstruct) -> None:
        """Hand a rule over."""
        if isinstance(node, ec2.CfnSecurityGroupIngress | ec2.CfnSecurityGroupEgress):
            self._take([node])


def hand_over_rules(group: ec2.ISecurityGroup, take: Callable[[Iterable[CfnResource]], None]) -> None:
    """Call `take` at synth for every rule that is made as part of a group."""
    Aspects.of(group).add(_EachRule(take))
