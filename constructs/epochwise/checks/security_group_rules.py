"""Rules about what security groups let through, read from the account: what EFA and Lustre need."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_network

from epochwise.catalog.network_ports import ALL_TRAFFIC, HTTPS, LUSTRE_PORTS, Ports
from epochwise.checks.finding import Finding, Level

_NUMBERS = {"6": "tcp", "17": "udp"}
"""Protocols that EC2 takes by number too."""


@dataclass(frozen=True)
class SeenRule:
    """One rule of a security group, to or from one peer, as EC2 has it."""

    group: str
    outwards: bool
    protocol: str
    from_port: int | None = None
    to_port: int | None = None
    peer_group: str = ""
    peer_cidr: str = ""
    """One of both is there, or none for a prefix list."""

    def opens(self, ports: Ports) -> bool:
        """Tell whether the rule lets these ports through.

        >>> SeenRule("sg-1", False, "tcp", 988, 1023).opens(LUSTRE_PORTS[1])
        True
        """
        if self.protocol == ALL_TRAFFIC.protocol:
            return True
        if ports.from_port is None or ports.to_port is None:
            return False
        same = _NUMBERS.get(self.protocol, self.protocol) == ports.protocol
        low = 0 if self.from_port is None else self.from_port
        high = 65535 if self.to_port is None else self.to_port
        return same and low <= ports.from_port and ports.to_port <= high


@dataclass(frozen=True)
class Members:
    """What has the same security groups: nodes, or file servers."""

    name: str
    groups: tuple[str, ...]
    cidr: str = ""
    """Addresses of their subnet, empty where they are not known."""


def efa_self_rules_absent(
    groups: Sequence[str], rules: Sequence[SeenRule], *, resource: str = "", why: str = ""
) -> Iterator[Finding]:
    """One group of the nodes lets all traffic in from itself and out to itself, by its id, or jobs stall.

    Rules by address do not count, even 0.0.0.0/0, and CDK drops the rule to itself where everything out is allowed. The
    failure is silent: traffic falls back to one interface. Source: EC2 User Guide, efa-start; FSx User Guide,
    limit-access-security-groups.

    Args:
        groups: what the nodes, or the file servers, have.
        rules: every rule that is seen.
        resource: logical id of the group where it stands in a template.
        why: what makes it carry EFA, where it stands in a template.
    """
    absent = {group: _absent_self_rules(group, rules) for group in groups}
    if groups and all(absent.values()):
        group, ways = min(absent.items(), key=lambda each: len(each[1]))
        permission = f"--ip-permissions 'IpProtocol=-1,UserIdGroupPairs=[{{GroupId={group}}}]'"
        commands = [f"`aws ec2 authorize-security-group-{way} --group-id {group} {permission}`" for way in ways]
        resources = [f"AWS::EC2::SecurityGroup{way.title()}" for way in ways]
        yield Finding(
            "EFA_SELF_RULES_ABSENT",
            Level.ERROR,
            f"security group {resource or group} {f'is a group of {why}, and ' if why else ''}has no rule for all "
            f"traffic {' and none '.join(_WORDS[way] for way in ways)}, by its id, which EFA needs",
            f"add {' and '.join(resources)} with IpProtocol -1 and the group's own id at both ends"
            if resource
            else f"add {' and '.join(commands)}",
        )


_WORDS = {"ingress": "in from itself", "egress": "out to itself"}


def _absent_self_rules(group: str, rules: Sequence[SeenRule]) -> list[str]:
    """Return which of both rules to itself a group lacks."""
    there = {
        rule.outwards
        for rule in rules
        if rule.group == rule.peer_group == group and rule.protocol == ALL_TRAFFIC.protocol
    }
    return [name for name, outwards in (("ingress", False), ("egress", True)) if outwards not in there]


def lustre_rules_absent(
    nodes: Members, servers: Members, rules: Sequence[SeenRule], *, efa_enabled: bool
) -> Iterator[Finding]:
    """Nodes and file servers, and file servers among themselves, reach each other in both directions.

    Over TCP a rule by address counts where it holds the other side's subnet; over EFA rules by group id alone do.

    Source: FSx User Guide, limit-access-security-groups and mount-troubleshooting.
    """
    pairs = ((nodes, servers), (servers, nodes), (servers, servers))
    absent = [
        f"{port} {'out' if outwards else 'in'} of {owner.name} {'to' if outwards else 'from'} {peer.name}"
        for owner, peer in pairs
        for port in ((ALL_TRAFFIC,) if efa_enabled else LUSTRE_PORTS)
        for outwards in (False, True)
        if not any(_lets(rule, owner, peer, port, outwards=outwards, by_address=not efa_enabled) for rule in rules)
    ]
    if absent:
        yield Finding(
            "LUSTRE_RULES_ABSENT",
            Level.ERROR,
            f"security groups do not let through: {', '.join(absent)} ({nodes.name}: {', '.join(nodes.groups)}; "
            f"{servers.name}: {', '.join(servers.groups)})",
            "add these rules, each by the other side's group id",
        )


def _lets(rule: SeenRule, owner: Members, peer: Members, port: Ports, *, outwards: bool, by_address: bool) -> bool:
    """Tell whether a rule of one side lets a port through to or from the other."""
    if rule.group not in owner.groups or rule.outwards is not outwards or not rule.opens(port):
        return False
    return rule.peer_group in peer.groups or (by_address and _holds(rule.peer_cidr, peer.cidr))


def _holds(wide: str, narrow: str) -> bool:
    """Tell whether addresses lie within others.

    >>> _holds("0.0.0.0/0", "10.0.0.0/18"), _holds("10.0.0.0/19", "10.0.0.0/18"), _holds("::/0", "10.0.0.0/18")
    (True, False, False)
    """
    if not wide or not narrow:
        return False
    outer, inner = ip_network(wide, strict=False), ip_network(narrow, strict=False)
    return isinstance(outer, IPv4Network) and isinstance(inner, IPv4Network) and inner.subnet_of(outer)


def https_out_absent(groups: Sequence[str], rules: Sequence[SeenRule]) -> Iterator[Finding]:
    """Nodes reach S3 and service endpoints over HTTPS, or jobs hang in their first call.

    Source: SageMaker Developer Guide, train-vpc.
    """
    if groups and not any(rule.group in groups and rule.outwards and rule.opens(HTTPS) for rule in rules):
        yield Finding(
            "HTTPS_OUT_ABSENT",
            Level.ERROR,
            f"no rule of {', '.join(groups)} lets {HTTPS} out, to S3 and service endpoints",
            f"allow {HTTPS} out to 0.0.0.0/0, or to S3's prefix list and the endpoints' group",
        )


def security_groups_of_other_vpc(groups: dict[str, str], vpc: str) -> Iterator[Finding]:
    """Security groups of nodes belong to the VPC of their subnet. Source: VPC User Guide, vpc-security-groups.

    Args:
        groups: the VPC of each group.
        vpc: that of the nodes.
    """
    elsewhere = [f"{group} of {owner}" for group, owner in groups.items() if owner != vpc]
    if elsewhere:
        yield Finding(
            "SECURITY_GROUPS_OF_OTHER_VPC",
            Level.ERROR,
            f"security groups must be of {vpc}, where the nodes are, got {', '.join(elsewhere)}",
            "name groups of that VPC",
        )
