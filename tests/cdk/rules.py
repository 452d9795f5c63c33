"""Security group rules of a template as a set that a test can spell out."""

from collections.abc import Mapping
from typing import Any

from aws_cdk.assertions import Template

Rule = tuple[str, str, str, str, int | None, int | None]
"""Direction, group, peer, protocol, from port, to port; groups by the name that a test gives them."""


def rules_of(template: Template, names: Mapping[str, str]) -> set[Rule]:
    """Return every stand-alone rule; `names` maps a part of a group's reference to the test's name of the group."""
    found: set[Rule] = set()
    for direction in ("Ingress", "Egress"):
        for resource in template.find_resources(f"AWS::EC2::SecurityGroup{direction}").values():
            properties = resource["Properties"]
            peer = "SourceSecurityGroupId" if direction == "Ingress" else "DestinationSecurityGroupId"
            found.add(
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
