"""Judge the security groups of file systems and of nodes with EFA."""

from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

from epochwise.catalog.network_ports import Ports
from epochwise.catalog.replacement import LUSTRE
from epochwise.checks.plain_resources import lustre_ports_open
from epochwise.checks.security_group_rules import SeenRule, efa_self_rules_absent
from epochwise.policy.app_resources import AppResources, Resource
from epochwise.policy.file_systems import SECURITY_GROUP, lustre_file_systems
from epochwise.policy.violation import Violation

LUSTRE_TCP = (988, *range(1018, 1024))
"""Ports of Lustre (FSx User Guide, limit-access-security-groups)."""
_WIDEST_PRIVATE = {4: 8, 6: 7}
"""Length of the shortest private prefix, by version of IP (RFC 1918, RFC 4193)."""
_NO_PORT = -1


def security_group_violations(app: AppResources) -> Iterator[Violation]:
    """Yield EFA groups that do not reach themselves, and file servers that anyone reaches."""
    rules = list(_rules(app))
    for group, why in _efa_groups(app).values():
        own = app.identity(group.template, {"Ref": group.logical_id})
        for finding in efa_self_rules_absent([str(own)], rules, resource=group.logical_id, why=why):
            yield Violation.of(group, "Properties", finding)
    for group in _server_groups(app):
        own = app.identity(group.template, {"Ref": group.logical_id})
        opened = {
            rule.peer_cidr: [port for port in LUSTRE_TCP if rule.opens(Ports("Lustre", "tcp", port, port))]
            for rule in rules
            if rule.group == own and not rule.outwards and _is_anyone(rule.peer_cidr)
        }
        for address, ports in opened.items():
            for finding in lustre_ports_open(group.logical_id, address=address, ports=ports):
                yield Violation.of(group, "Properties", finding)


def _efa_groups(app: AppResources) -> dict[str, tuple[Resource, str]]:
    """Return the app's groups that carry EFA, each with who says so."""
    found: dict[str, tuple[Resource, str]] = {}
    for file_system in lustre_file_systems(app):
        if str(file_system.mapping(LUSTRE).get("EfaEnabled")).lower() == "true":
            for value in file_system.items("SecurityGroupIds"):
                _note(app, found, file_system.template, value, f"the EFA-enabled {file_system.logical_id}")
    for owner in app.of_type("AWS::EC2::LaunchTemplate", "AWS::EC2::Instance"):
        data = owner.mapping("LaunchTemplateData") if owner.type.endswith("Template") else owner.properties
        interfaces = data.get("NetworkInterfaces")
        for interface in interfaces if isinstance(interfaces, list) else []:
            if isinstance(interface, dict) and str(interface.get("InterfaceType", "")).startswith("efa"):
                groups = interface.get("Groups", interface.get("GroupSet"))
                for value in groups if isinstance(groups, list) else []:
                    _note(app, found, owner.template, value, f"the EFA interface of {owner.logical_id}")
    return found


def _note(app: AppResources, found: dict[str, tuple[Resource, str]], template: str, value: Any, why: str) -> None:
    """Keep a group of the app, once."""
    group = app.resource(template, value)
    if group is not None and group.type == SECURITY_GROUP:
        found.setdefault(f"{group.template}#{group.logical_id}", (group, why))


def _server_groups(app: AppResources) -> list[Resource]:
    """Return the app's groups of file servers, each once."""
    groups = {
        (group.template, group.logical_id): group
        for file_system in lustre_file_systems(app)
        for value in file_system.items("SecurityGroupIds")
        if (group := app.resource(file_system.template, value)) is not None and group.type == SECURITY_GROUP
    }
    return list(groups.values())


def _rules(app: AppResources) -> Iterator[SeenRule]:
    """Yield every rule of the app, within groups and beside them."""
    for group in app.of_type(SECURITY_GROUP):
        own = app.identity(group.template, {"Ref": group.logical_id})
        for inwards, name in ((True, "SecurityGroupIngress"), (False, "SecurityGroupEgress")):
            for rule in group.items(name):
                if isinstance(rule, dict):
                    yield _rule(app, group.template, own, rule, inwards=inwards)
    for inwards, type_ in ((True, "AWS::EC2::SecurityGroupIngress"), (False, "AWS::EC2::SecurityGroupEgress")):
        for resource in app.of_type(type_):
            owner = app.identity(resource.template, resource.value("GroupId"))
            yield _rule(app, resource.template, owner, resource.properties, inwards=inwards)


def _rule(app: AppResources, template: str, group: str | None, rule: Any, *, inwards: bool) -> SeenRule:
    """Read a rule; what only a deploy knows is nobody and no port."""
    peer = rule.get("SourceSecurityGroupId" if inwards else "DestinationSecurityGroupId")
    address = rule.get("CidrIp", rule.get("CidrIpv6"))
    return SeenRule(
        group=group or "",
        outwards=not inwards,
        protocol=str(rule.get("IpProtocol")),
        from_port=_port(rule.get("FromPort")),
        to_port=_port(rule.get("ToPort")),
        peer_group=app.identity(template, peer) or "",
        peer_cidr=address if isinstance(address, str) else "",
    )


def _is_anyone(address: str) -> bool:
    """Tell whether a range is wider than any private one; what is no range, such as nothing, is not."""
    try:
        range_ = ip_network(address, strict=False)
    except ValueError:
        return False
    return range_.prefixlen < _WIDEST_PRIVATE[range_.version]


def _port(value: Any) -> int:
    """Return a port; one that lets nothing through where it is absent or only a deploy knows it."""
    return int(str(value)) if str(value).isdigit() else _NO_PORT
