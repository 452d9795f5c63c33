"""Findings of cdk-nag that are meant to be: each named whole, with its reason, at the resource it is about.

An acknowledgement holds for one finding, such as one wildcard of one policy, so that another wildcard is still found.
"""

from collections.abc import Mapping
from typing import Any

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct

_PACK = "AwsSolutions"


def acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    """Acknowledge one finding of the AwsSolutions pack at a construct.

    The pack's name must stand in front: an id without it matches nothing, and nobody is told.
    """
    Validations.of(construct).acknowledge(Acknowledgment(id=f"{_PACK}::{_PACK}-{rule}", reason=reason))


def acknowledge_wildcards(policy: IConstruct, reasons: Mapping[str, str]) -> None:
    """Acknowledge wildcard resources of a policy, given as the policy names them, tokens included."""
    stack = Stack.of(policy)
    for resource, reason in reasons.items():
        acknowledge(policy, f"IAM5[Resource::{_as_nag_writes(stack.resolve(resource))}]", reason)


def _as_nag_writes(resolved: Any) -> str:
    """Write a resolved value as cdk-nag writes it in an id: references in angle brackets.

    >>> _as_nag_writes({"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, ":s3:::", {"Fn::GetAtt": ["B", "Arn"]}]]})
    'arn:<AWS::Partition>:s3:::<B.Arn>'
    """
    match resolved:
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(_as_nag_writes(part) for part in parts)
        case {"Fn::GetAtt": [resource, attribute]}:
            return f"<{resource}.{attribute}>"
        case {"Ref": name} | {"Fn::ImportValue": name}:
            return f"<{_as_nag_writes(name)}>"
        case _:
            return str(resolved)
