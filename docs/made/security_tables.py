"""Roles, keys, security groups and acknowledged findings, from the synthesized stacks."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from docs.made.markdown import code, prose, table
from docs.made.synthesized_stacks import SynthesizedStack, below_stack, synthesized_stacks
from epochwise.cdk.acknowledgements import Pack


def roles_tables() -> str:
    """Write for every role who assumes it, and a table of the statements of its policies."""
    parts = []
    for stack in synthesized_stacks():
        for logical_id, role in _of_type(stack, "AWS::IAM::Role"):
            trust = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
            who = dict.fromkeys(code(str(each["Principal"].get("Service", "…"))) for each in trust)
            parts += [
                f"### {stack.paths[logical_id]}",
                f"In the stack {stack.part}, assumed by {', '.join(who)}:",
                table(("may", "on", "where"), map(_statement, _statements(stack, logical_id))),
            ]
    return "\n\n".join(parts)


def keys_table() -> str:
    """Write a table of the customer-managed keys."""
    rows = []
    for stack in synthesized_stacks():
        for logical_id, key in _of_type(stack, "AWS::KMS::Key"):
            settings = key["Properties"]
            rotated = "yes" if settings.get("EnableKeyRotation") else "no"
            kept = {"Retain": "kept", "Delete": "deleted"}.get(key.get("DeletionPolicy", "Delete"), "")
            rows.append((code(stack.paths[logical_id]), prose(settings.get("Description", "")), rotated, kept))
    return table(("key", "encrypts", "rotated", "when the stack goes"), rows)


def groups_table() -> str:
    """Write a table of every security group's rules."""
    rows = []
    for stack in synthesized_stacks():
        for direction in ("Ingress", "Egress"):
            for _, rule in _of_type(stack, f"AWS::EC2::SecurityGroup{direction}"):
                settings = rule["Properties"]
                peer = (
                    settings.get("SourceSecurityGroupId")
                    or settings.get("DestinationSecurityGroupId")
                    or settings.get("CidrIp")
                )
                rows.append(
                    (
                        code(_by_path(written(settings["GroupId"])).strip("<>")),
                        "in from" if direction == "Ingress" else "out to",
                        code(_by_path(written(peer)).strip("<>")),
                        _ports(settings),
                        prose(settings.get("Description", "")),
                    )
                )
    return table(("group", "direction", "peer", "ports", "for"), sorted(rows))


def acknowledgements_table() -> str:
    """Write a table of every finding of a nag pack that is meant to be, with its reason."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for stack in synthesized_stacks():
        for path, notes in stack.metadata.items():
            for note in notes:
                if note["type"] != "aws:cdk:acknowledged-rules":
                    continue
                for finding, reason in note["data"].items():
                    pack, _, rule = finding.partition("::")
                    if pack in set(Pack):
                        where = f"{stack.part}: {code(_without_hash(below_stack(path)))}"
                        found.setdefault((where, rule.removeprefix(f"{pack}-"), reason), []).append(pack)
    rows = (
        (where, code(_by_path(rule)), ", ".join(dict.fromkeys(packs)), prose(reason))
        for (where, rule, reason), packs in found.items()
    )
    return table(("construct", "finding", "packs", "reason"), rows)


def written(value: Any) -> str:
    """Write a value of a template as text, references in angle brackets.

    >>> written({"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, ":s3:::", {"Fn::GetAtt": ["B", "Arn"]}]]})
    'arn:<Partition>:s3:::<B.Arn>'
    """
    match value:
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(written(part) for part in parts)
        case {"Fn::GetAtt": [resource, attribute]}:
            return f"<{resource}.{attribute}>"
        case {"Fn::ImportValue": name}:
            return f"<{written(name).rpartition(':')[2]}>"
        case {"Ref": name}:
            return f"<{str(name).removeprefix('AWS::')}>"
        case list():
            return ", ".join(written(part) for part in value)
    return str(value)


def _of_type(stack: SynthesizedStack, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a stack's resources of a type by logical id."""
    yield from ((name, each) for name, each in stack.resources.items() if each["Type"] == kind)


def _statements(stack: SynthesizedStack, role: str) -> Iterator[dict[str, Any]]:
    """Yield the statements of a role's policies, attached and inline."""
    for _, policy in _of_type(stack, "AWS::IAM::Policy"):
        if {"Ref": role} in policy["Properties"]["Roles"]:
            yield from policy["Properties"]["PolicyDocument"]["Statement"]
    for inline in stack.resources[role]["Properties"].get("Policies", []):
        yield from inline["PolicyDocument"]["Statement"]


def _statement(statement: dict[str, Any]) -> tuple[str, str, str]:
    """Write what a statement allows, on what, and the keys of the conditions that narrow it."""
    actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
    keys = [key for test in statement.get("Condition", {}).values() for key in test]
    resource = statement["Resource"]
    resources = resource if isinstance(resource, list) else [resource]
    return _codes(actions), _codes(_by_path(written(each)) for each in resources), _codes(keys)


def _codes(texts: Iterable[str]) -> str:
    """Write texts as code, with commas."""
    return ", ".join(map(code, texts))


def _by_path(text: str) -> str:
    """Name the resources that a text refers to by their constructs instead of by logical ids."""
    paths = {name: path for stack in synthesized_stacks() for name, path in stack.paths.items()}

    def named(reference: re.Match[str]) -> str:
        held = [name for name in paths if name in reference[1]]
        return f"<{paths[max(held, key=len)]}>" if held else reference[0]

    return re.sub(r"<([^<>]+)>", named, text)


def _without_hash(path: str) -> str:
    """Shorten the names that CDK gives to rules, which repeat the group's.

    >>> _without_hash("Network/Group/from aB1:ALL TRAFFIC")
    'Network/Group/from …:ALL TRAFFIC'
    """
    return re.sub(r"\b(from|to) \w+:", r"\1 …:", path)


def _ports(settings: dict[str, Any]) -> str:
    """Write protocol and ports of a rule."""
    if settings["IpProtocol"] == "-1":
        return "all traffic"
    first, last = settings["FromPort"], settings["ToPort"]
    return f"{settings['IpProtocol']} {first}" + ("" if first == last else f"–{last}")
