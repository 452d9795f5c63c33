"""Stand-alone rules that an app has already, whoever made them: EC2 refuses a second rule of the same content."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from aws_cdk import CfnResource
from aws_cdk import aws_ec2 as ec2

from epochwise.catalog.network_ports import ALL_TRAFFIC, Ports


def as_cdk(ports: Ports) -> ec2.Port:
    """Return ports as CDK writes them."""
    if ports.from_port is None or ports.to_port is None:
        return ec2.Port.all_traffic()
    one = ports.from_port == ports.to_port
    return ec2.Port.tcp(ports.from_port) if one else ec2.Port.tcp_range(ports.from_port, ports.to_port)


@dataclass(frozen=True)
class StandingRule:
    """One rule of a group about another, or about itself."""

    owner_id: str
    other_id: str
    outwards: bool
    protocol: str
    from_port: float | None
    to_port: float | None
    resource: CfnResource

    def is_copy_of(self, other: "StandingRule") -> bool:
        """Tell whether it has the content of another, which EC2 refuses."""
        return replace(self, resource=other.resource) == other

    def remove(self) -> None:
        """Take it out of the app."""
        place = self.resource.node.scope
        assert place is not None  # noqa: S101 - a resource is part of a stack
        place.node.try_remove_child(self.resource.node.id)

    def opens(self, ports: Ports) -> bool:
        """Tell whether it opens these ports, by themselves or with all others."""
        same = (self.protocol, self.from_port, self.to_port) == (ports.protocol, ports.from_port, ports.to_port)
        return same or self.protocol == ALL_TRAFFIC.protocol


def standing_rules(one: ec2.ISecurityGroup, other: ec2.ISecurityGroup) -> list[StandingRule]:
    """Return every rule of the app that is about these two groups, or about one and itself.

    It looks at the whole app: whoever asks for each construct of an app makes synth time grow with its square.
    """
    ids = {one.security_group_id, other.security_group_id}
    return list(_about(ids, one.node.root.node.find_all()))


def rules_under(one: ec2.ISecurityGroup, other: ec2.ISecurityGroup) -> list[StandingRule]:
    """Return the rules about two groups that CDK made for a call on one of them: it puts them under either."""
    ids = {one.security_group_id, other.security_group_id}
    return list(_about(ids, [*one.node.children, *other.node.children]))


def rules_that_open(
    rules: Iterable[StandingRule],
    owner_id: str,
    other_id: str,
    ports: Ports,
    *,
    outwards: bool,
) -> list[StandingRule]:
    """Return the rules of a group that open these ports to, or from, another group."""
    about = (owner_id, other_id, outwards)
    return [rule for rule in rules if (rule.owner_id, rule.other_id, rule.outwards) == about and rule.opens(ports)]


def has_all_traffic_rule(owner: ec2.ISecurityGroup, other: ec2.ISecurityGroup, *, outwards: bool) -> bool:
    """Tell whether the app has a rule of a group for all traffic from, or to, another group."""
    ids = owner.security_group_id, other.security_group_id
    return bool(rules_that_open(standing_rules(owner, other), *ids, ALL_TRAFFIC, outwards=outwards))


def _about(ids: set[str], nodes: Iterable[object]) -> Iterator[StandingRule]:
    """Yield the rules among constructs whose group and peer are both of these."""
    for node in nodes:
        match node:
            case ec2.CfnSecurityGroupEgress():
                outwards, other_id = True, node.destination_security_group_id
            case ec2.CfnSecurityGroupIngress():
                outwards, other_id = False, node.source_security_group_id
            case _:
                continue
        if other_id in ids and node.group_id in ids:
            yield StandingRule(
                str(node.group_id),
                str(other_id),
                outwards,
                node.ip_protocol,
                node.from_port,
                node.to_port,
                node,
            )
