"""Which security groups reach the file servers: rules by group id, both ways, on the ports of Lustre or EFA."""

from collections.abc import Iterable, Sequence

from aws_cdk import CfnResource, Names, Token
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.network_ports import ALL_TRAFFIC, LUSTRE_PORTS
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.security_group_rules import allow_between, is_created_here
from epochwise.checks.file_system_access import client_not_a_group, client_rules_unseen, server_rules_unseen
from epochwise.checks.finding import Finding


class LustreAccess:
    """The rules of one file system's groups, all made under the file system's construct.

    Every file server has all of the groups, so that rules of one are enough: the first that rules can be added to.
    """

    def __init__(self, scope: Construct, groups: Sequence[ec2.ISecurityGroup], *, efa_enabled: bool) -> None:
        """Take the groups of the file servers."""
        self.scope = scope
        self._ports = (ALL_TRAFFIC,) if efa_enabled else LUSTRE_PORTS
        changeable = [group for group in groups if takes_rules(group)]
        self._servers = (changeable or list(groups))[0]
        self._closed = not changeable
        self._known = {_identity(group) for group in groups}
        paths = ", ".join(group.node.path for group in groups)
        self.findings = list(server_rules_unseen(paths, changeable=bool(changeable)))
        """What is to be said about the groups."""

    def allow_servers(self) -> list[CfnResource]:
        """Let the file servers reach each other, without which FSx does not create them."""
        if self._closed:
            return []
        return self._allow("Self", self._servers, self._servers, "Lustre among file servers")

    def allow_client(self, client: ec2.ISecurityGroup) -> tuple[list[CfnResource], list[Finding]]:
        """Let a group and the file servers reach each other, and return the rules; none when they do already.

        The side of a group that cannot be changed here is left to whoever owns it, and said so.
        """
        identity, name = _identity(client), Names.unique_id(client)
        if identity in self._known:
            return [], []
        self._known.add(identity)
        rules = self._allow(f"To{name}", self._servers, client, "Lustre from file servers to clients")
        rules += self._allow(f"From{name}", client, self._servers, "Lustre from clients to file servers")
        changeable = takes_rules(client)
        closed = [self._servers] * self._closed + [client] * (not changeable)
        not_ours = [rule for rule in rules if _belongs_to_any(rule, closed)]
        for rule in not_ours:
            self.scope.node.try_remove_child(rule.node.id)
        return (
            [rule for rule in rules if rule not in not_ours],
            list(client_rules_unseen(client.node.path, changeable=changeable)),
        )

    def _allow(
        self, rule_id: str, source: ec2.ISecurityGroup, target: ec2.ISecurityGroup, description: str
    ) -> list[CfnResource]:
        """Let one group reach another."""
        return allow_between(
            self.scope,
            rule_id,
            source_group_id=source.security_group_id,
            target_group_id=target.security_group_id,
            ports=self._ports,
            description=description,
        )


class LustreClients:
    """A file system that lets clients in by security group."""

    _access: LustreAccess

    def allow_client(self, client: ec2.ISecurityGroup) -> None:
        """Let the nodes of a security group mount the file system.

        Rules are added in both directions to both groups, by group id, where the groups can be changed here. A group
        that is allowed already stays as it is. They belong to this construct's stack: take groups from the same stack,
        or from one that it may depend on.

        Raises:
            ValueError: the client is no security group; EFA does not honour rules by address.
        """
        refuse_errors(client_not_a_group(client))
        rules, remarks = self._access.allow_client(client)
        self._wait_for(rules)
        annotate(self._access.scope, remarks)

    def _wait_for(self, rules: Iterable[CfnResource]) -> None:
        """Create rules before the file system; one that exists does not wait."""


def lustre_port(*, efa_enabled: bool) -> ec2.Port:
    """Return what `connections` opens without a word: Lustre's first port, or all traffic where EFA needs it."""
    return ec2.Port.all_traffic() if efa_enabled else ec2.Port.tcp(988)


def takes_rules(group: ec2.ISecurityGroup) -> bool:
    """Tell whether rules can be added to a group: not to one that was imported as immutable.

    CDK has no attribute for it; whether it makes a rule on trial, which is removed again, says it.
    """
    if is_created_here(group):
        return True
    before = {child.node.id for child in group.node.children}
    group.add_ingress_rule(ec2.Peer.ipv4("127.0.0.1/32"), ec2.Port.tcp(988))
    made = {child.node.id for child in group.node.children} - before
    for child_id in made:
        group.node.try_remove_child(child_id)
    return bool(made)


def _identity(group: ec2.ISecurityGroup) -> str:
    """Return what tells groups apart: the id, so that a group imported twice is one, or the construct's path."""
    group_id = group.security_group_id
    return Names.unique_id(group) if Token.is_unresolved(group_id) else group_id


def _belongs_to_any(rule: CfnResource, groups: Sequence[ec2.ISecurityGroup]) -> bool:
    """Tell whether a rule is part of one of the groups."""
    assert isinstance(rule, ec2.CfnSecurityGroupEgress | ec2.CfnSecurityGroupIngress)  # noqa: S101 - what rules are
    return any(rule.group_id == group.security_group_id for group in groups)
