"""Security group rules of a template as a set that a test can spell out."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from aws_cdk.assertions import Template

Rule = tuple[str, str, str, str, int | None, int | None]
"""Direction, group, peer, protocol, from port, to port; groups by the name that a test gives them."""


def rules_of(template: Template, names: Mapping[str, str]) -> set[Rule]:
    """Return every stand-alone rule; `names` maps a part of a group's reference to the test's name of the group."""
    return set(_listed(template, names))


def repeated_rules(*templates: Template) -> list[Rule]:
    """Return the stand-alone rules of one app that are there more than once, which EC2 refuses."""
    counted = Counter(rule for template in templates for rule in _listed(template, {}))
    return [rule for rule, times in counted.items() if times > 1]


def both_ways(one: str, other: str) -> set[Rule]:
    """Return the rules by which two groups exchange all traffic."""
    return {
        (direction, group, peer, "-1", None, None)
        for direction in ("Ingress", "Egress")
        for group, peer in ((one, other), (other, one))
    }


def _listed(template: Template, names: Mapping[str, str]) -> list[Rule]:
    """Return every stand-alone rule of a template, a second one of the same content too."""
    found: list[Rule] = []
    for direction in ("Ingress", "Egress"):
        for resource in template.find_resources(f"AWS::EC2::SecurityGroup{direction}").values():
            properties = resource["Properties"]
            peer = "SourceSecurityGroupId" if direction == "Ingress" else "DestinationSecurityGroupId"
            found.append(
                (
                    direction,
                    _name(properties["GroupId"], names),
                    _name(properties.get(peer, properties.get("CidrIp")), names),
                    properties["IpProtocol"],
                    properties.get("FromPort"),
                    properties.get("ToPort"),
                )
            )
    return found


def _name(reference: Any, names: Mapping[str, str]) -> str:
    """Return the test's name of a group that is referred to by GetAtt, import or id."""
    text = str(reference)
    matching = [name for part, name in names.items() if part in text]
    return matching[0] if matching else text
