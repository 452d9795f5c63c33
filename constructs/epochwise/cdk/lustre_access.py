"""Which security groups reach the file servers: rules by group id, both ways, on the ports of Lustre or EFA."""

from collections.abc import Iterable, Sequence

from aws_cdk import CfnResource, Names, Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct, IConstruct

from epochwise.catalog.network_ports import ALL_TRAFFIC, LUSTRE_PORTS
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind, shown
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.given_groups import id_or_path
from epochwise.cdk.same_vpc import client_vpc_findings, known_vpc, vpc_of_group
from epochwise.cdk.security_group_rules import add_rule, is_created_here
from epochwise.cdk.stack_order import comes_later
from epochwise.cdk.standing_rules import StandingRule, rules_that_open, standing_rules
from epochwise.checks.file_system_access import client_not_a_group, client_rules_unseen, server_rules_unseen
from epochwise.checks.finding import Finding

_TO = "Lustre from file servers to clients"
_FROM = "Lustre from clients to file servers"


class LustreAccess:
    """The rules of one file system's groups, each made once.

    Every file server has all of the groups, so that rules of one are enough: the first that rules can be added to.
    Rules are made under the file system's construct, those with a client of a later stack in that stack.
    """

    def __init__(
        self,
        scope: Construct,
        groups: Sequence[ec2.ISecurityGroup],
        *,
        efa_enabled: bool,
        vpc: ec2.IVpc | None = None,
        needs: Iterable[IConstruct] = (),
        new_group: bool = False,
    ) -> None:
        """Take the groups of the file servers.

        Args:
            scope: the file system.
            groups: of the file servers.
            efa_enabled: whether EFA's rules are needed.
            vpc: of the file servers, where it is given.
            needs: what else the file system refers to.
            new_group: whether the group was made just now, so that no rule names it until `settle` is called.
        """
        self.scope = scope
        self._new_group = new_group
        self._ports = (ALL_TRAFFIC,) if efa_enabled else LUSTRE_PORTS
        changeable = [group for group in groups if takes_rules(group)]
        self._servers = (changeable or list(groups))[0]
        self._id = self._servers.security_group_id
        self._vpc = vpc_of_group(self._servers) or (None if vpc is None else known_vpc(vpc.vpc_id))
        self._needs = [*groups, *needs]
        self._closed = set() if changeable else {self._id}
        self._known = {group.security_group_id for group in groups}
        self._made: list[CfnResource] = []
        paths = ", ".join(group.node.path for group in groups)
        self.findings = list(server_rules_unseen(paths, changeable=bool(changeable)))
        """What is to be said about the groups."""

    def settle(self) -> None:
        """Look for rules that others make from now on."""
        self._new_group = False

    def _standing(self, other: ec2.ISecurityGroup) -> list[StandingRule]:
        """Return the rules between the file servers and another group that stand already."""
        return [] if self._new_group else standing_rules(self._servers, other)

    def allow_servers(self) -> tuple[list[CfnResource], list[CfnResource]]:
        """Let the file servers reach each other, without which FSx does not create them.

        Returns:
            The rules made for it, and those by which they reach each other already.
        """
        standing = self._standing(self._servers)
        made = self._allow("Self", self._id, self._id, "Lustre among file servers", standing=standing)
        return made, [rule.resource for rule in standing if any(rule.opens(ports) for ports in self._ports)]

    def allow_client(self, client: ec2.ISecurityGroup) -> tuple[list[CfnResource], list[Finding]]:
        """Let a group and the file servers reach each other, and return the rules made under the file system for it.

        None are made where they stand already. The side of a group that cannot be changed here is left to whoever owns
        it, and said so.

        Raises:
            ValueError: the group is of another VPC.
        """
        if self.knows(client):
            return [], []
        client_id = client.security_group_id
        remarks = refuse_errors(client_vpc_findings(client, self._vpc))
        self._known.add(client_id)
        changeable = takes_rules(client)
        if not changeable:
            self._closed.add(client_id)
        name, host = Names.unique_id(client), None
        if comes_later(client, self.scope, needs=self._needs):
            name, host = f"{name}Of{Names.unique_id(self.scope)}", Stack.of(client)
        standing = self._standing(client)
        sides = ((f"To{name}", self._id, client_id, _TO), (f"From{name}", client_id, self._id, _FROM))
        made = [rule for side in sides for rule in self._allow(*side, standing=standing, host=host)]
        return (
            made if host is None else [],
            [*remarks, *client_rules_unseen(id_or_path(client), changeable=changeable)],
        )

    def standing_with(self, client: ec2.ISecurityGroup) -> list[CfnResource]:
        """Return rules of the app between the file servers and a group that others made."""
        ours = {rule.node.path for rule in self._made}
        return [rule.resource for rule in self._standing(client) if rule.resource.node.path not in ours]

    def lets_in(self, client: ec2.ISecurityGroup) -> bool:
        """Tell whether a group was let in here, or by a rule that stands elsewhere in the app."""
        if self.knows(client):
            return True
        standing, ids = standing_rules(self._servers, client), (self._id, client.security_group_id)
        return any(rules_that_open(standing, *ids, each, outwards=False) for each in self._ports)

    def _allow(
        self,
        rule_id: str,
        source_id: str,
        target_id: str,
        description: str,
        *,
        standing: Sequence[StandingRule],
        host: Construct | None = None,
    ) -> list[CfnResource]:
        """Let one group reach another by each rule that does not stand yet, and return those."""
        made = [
            add_rule(
                host or self.scope,
                rule_id,
                owner_id=owner,
                other_id=other,
                ports=ports,
                outwards=outwards,
                description=description,
            )
            for ports in self._ports
            for owner, other, outwards in ((source_id, target_id, True), (target_id, source_id, False))
            if owner not in self._closed and not rules_that_open(standing, owner, other, ports, outwards=outwards)
        ]
        self._made += made
        return made

    def knows(self, group: ec2.ISecurityGroup) -> bool:
        """Tell whether a group is one of the servers' or was let in."""
        return group.security_group_id in self._known

    def remove_copies(self, client: ec2.ISecurityGroup) -> None:
        """Remove rules that CDK made for a client beside those made here: it cannot know of them."""
        ours = {rule.node.path for rule in self._made}
        standing = standing_rules(self._servers, client)
        kept = [rule for rule in standing if rule.resource.node.path in ours]
        for rule in standing:
            if rule not in kept and any(rule.is_copy_of(other) for other in kept):
                rule.remove()


class LustreClients:
    """A file system that lets clients in by security group."""

    _access: LustreAccess

    @arguments_of_their_kind(anywhere=True, client=lambda client: client_not_a_group(shown(client), is_group=False))
    def lets_in(self, client: ec2.ISecurityGroup) -> bool:
        """Tell whether this app lets the nodes of a security group in; what others allow cannot be seen."""
        return self._access.lets_in(client)

    @arguments_of_their_kind(client=lambda client: client_not_a_group(shown(client), is_group=False))
    def allow_client(self, client: ec2.ISecurityGroup) -> None:
        """Let the nodes of a security group mount the file system.

        Rules are added in both directions to both groups, by group id, where the groups can be changed here and have
        no such rule yet. They belong to this construct's stack, or to the group's where that is a later one, such as
        that of instances which mount the file system. Stacks count in the order in which the app makes them, unless
        `add_stack_dependency` says otherwise.

        Raises:
            ValueError: the client is no security group, since EFA does not honour rules by address, or is of another
                VPC that nothing in the app joins to the file system's.
        """
        rules, remarks = self._access.allow_client(client)
        self._wait_for(rules)
        self._keep(self._access.standing_with(client))
        annotate(self._access.scope, remarks)

    def _keep(self, resources: Iterable[IConstruct]) -> None:
        """Keep what others made as long as the file system; one that exists is its owner's."""

    def _wait_for(self, rules: Iterable[CfnResource]) -> None:
        """Create rules before the file system; one that exists does not wait."""


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
