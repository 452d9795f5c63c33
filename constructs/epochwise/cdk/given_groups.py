"""Security groups as a user gives them: once each, and by what a person can look up."""

from collections.abc import Iterable

from aws_cdk import Token
from aws_cdk import aws_ec2 as ec2


def once_each(groups: Iterable[ec2.ISecurityGroup]) -> list[ec2.ISecurityGroup]:
    """Return groups in their order, without those that stand there again, such as one that is imported twice."""
    found: dict[str, ec2.ISecurityGroup] = {}
    for group in groups:
        found.setdefault(group.security_group_id, group)
    return list(found.values())


def id_or_path(group: ec2.ISecurityGroup) -> str:
    """Return the id of a group that a person can look up, or else its place in the app."""
    return group.node.path if Token.is_unresolved(group.security_group_id) else group.security_group_id
