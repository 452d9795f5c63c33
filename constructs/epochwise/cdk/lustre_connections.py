"""`connections` of a file system, whose default port stands for all that a Lustre client needs."""

from collections.abc import Callable, Sequence

from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2

from epochwise.catalog.network_ports import ALL_TRAFFIC, LUSTRE_PORTS
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind, shown
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.lustre_access import LustreAccess
from epochwise.cdk.standing_rules import as_cdk
from epochwise.checks.file_system_access import client_not_a_group, peer_without_default_port


class LustreConnections(ec2.Connections):
    """The file servers' groups, for `file_system.connections.allow_default_port_from(instance)` and the like.

    CDK knows one default port and one direction at a time. Lustre needs two ranges in both directions, and EFA rules
    by group id: what asks for the default port lets the peer in as `allow_client` does. Other ports are CDK's matter.

    What CDK would only pass on is written out, since an error that is raised below CDK loses its kind: where the other
    side is asked, as in `ec2.Connections(peer=…).allow_to_default_port(file_system)`, a refusal is a RuntimeError with
    the same words.
    """

    def __init__(
        self,
        *,
        security_groups: Sequence[ec2.ISecurityGroup],
        efa_enabled: bool,
        access: LustreAccess,
        allow_client: Callable[[ec2.ISecurityGroup], None],
    ) -> None:
        """Take the groups of the file servers, and how clients are let in."""
        self._efa_enabled = efa_enabled
        self._access = access
        self._allow_client = allow_client
        # the first of Lustre's ports, by which it is told that all are meant
        self._default = as_cdk(ALL_TRAFFIC if efa_enabled else LUSTRE_PORTS[0])
        super().__init__(security_groups=list(security_groups), default_port=self._default)

    @arguments_of_their_kind()
    def allow_from(self, other: ec2.IConnectable, port_range: ec2.Port, description: str | None = None) -> None:
        """Allow connections from a peer; on the default port, let it mount the file system.

        Raises:
            ValueError: the peer is no security group, and EFA does not honour rules by address.
        """
        for ports in self._let_in(other, port_range):
            super().allow_from(other, ports, description)

    @arguments_of_their_kind()
    def allow_to(self, other: ec2.IConnectable, port_range: ec2.Port, description: str | None = None) -> None:
        """Allow connections to a peer; on the default port, let it mount the file system.

        Raises:
            ValueError: the peer is no security group, and EFA does not honour rules by address.
        """
        for ports in self._let_in(other, port_range):
            super().allow_to(other, ports, description)

    @arguments_of_their_kind()
    def allow_internally(self, port_range: ec2.Port, description: str | None = None) -> None:
        """Allow connections among file servers; those of Lustre are there."""
        if self._is_default(port_range):
            self._access.allow_servers()
        else:
            super().allow_internally(port_range, description)

    @arguments_of_their_kind()
    def allow_default_port_from(self, other: ec2.IConnectable, description: str | None = None) -> None:
        """Let a peer mount the file system; see `allow_from`."""
        self.allow_from(other, self._default, description)

    @arguments_of_their_kind()
    def allow_default_port_to(self, other: ec2.IConnectable, description: str | None = None) -> None:
        """Let a peer mount the file system; see `allow_to`."""
        self.allow_to(other, self._default, description)

    @arguments_of_their_kind()
    def allow_from_any_ipv4(self, port_range: ec2.Port, description: str | None = None) -> None:
        """Allow connections from every address; see `allow_from`."""
        self.allow_from(ec2.Peer.any_ipv4(), port_range, description)

    @arguments_of_their_kind()
    def allow_to_any_ipv4(self, port_range: ec2.Port, description: str | None = None) -> None:
        """Allow connections to every address; see `allow_to`."""
        self.allow_to(ec2.Peer.any_ipv4(), port_range, description)

    @arguments_of_their_kind()
    def allow_default_port_from_any_ipv4(self, description: str | None = None) -> None:
        """Let every address mount the file system; see `allow_from`."""
        self.allow_from_any_ipv4(self._default, description)

    @arguments_of_their_kind()
    def allow_default_port_internally(self, description: str | None = None) -> None:
        """Allow Lustre among file servers; see `allow_internally`."""
        self.allow_internally(self._default, description)

    @arguments_of_their_kind()
    def allow_to_default_port(self, other: ec2.IConnectable, description: str | None = None) -> None:
        """Allow connections to a peer on the peer's default port.

        Raises:
            ValueError: the peer has none.
        """
        port = other.connections.default_port
        refuse_errors(peer_without_default_port(shown(other), has_port=port is not None))
        if port is not None:
            self.allow_to(other, port, description)

    def add_security_group(self, *security_groups: ec2.ISecurityGroup) -> None:
        """Add groups to those that rules of other ports are made for."""
        self._add(security_groups)

    @arguments_of_their_kind()
    def _add(self, security_groups: Sequence[ec2.ISecurityGroup]) -> None:
        """Add groups that are some."""
        super().add_security_group(*security_groups)

    def _let_in(self, other: ec2.IConnectable, port_range: ec2.Port) -> list[ec2.Port]:
        """Let the groups of a peer in, and return what is left to open: all of it where other ports are meant."""
        if not self._is_default(port_range):
            return [port_range]
        groups = other.connections.security_groups
        for group in groups:
            self._allow_client(group)
            self._access.remove_copies(group)
        if groups:
            return []
        if self._efa_enabled:
            refuse_errors(client_not_a_group(_named(other), is_group=False))
        return [as_cdk(ports) for ports in LUSTRE_PORTS]

    def _is_default(self, port_range: ec2.Port) -> bool:
        """Tell whether the default port is meant."""
        return port_range.to_string() == self._default.to_string()


def _named(other: ec2.IConnectable) -> str:
    """Return the addresses of a peer, which CDK shows in the rules that it makes for them alone, or else what it is."""
    if not isinstance(other, ec2.Connections):
        return shown(other)
    trial = Stack(App(), "Trial")
    vpc = ec2.Vpc.from_vpc_attributes(trial, "Vpc", vpc_id="vpc-0123456789abcdef0", availability_zones=["us-east-1a"])
    group = ec2.SecurityGroup(trial, "Group", vpc=vpc, disable_inline_rules=True)
    group.connections.allow_from(other, ec2.Port.tcp(988))
    rules = [each for each in group.node.children if isinstance(each, ec2.CfnSecurityGroupIngress)]
    found = [each.cidr_ip or each.cidr_ipv6 or each.source_prefix_list_id for each in rules]
    return ", ".join(filter(None, found)) or shown(other)
