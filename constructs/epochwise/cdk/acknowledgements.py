"""Findings of cdk-nag that are meant to be: each named whole, with its reason, at the resource it is about.

An acknowledgement holds for one finding, such as one wildcard of one policy, so that another wildcard is still found.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct


class Pack(StrEnum):
    """Packs of cdk-nag that this library is held to."""

    SOLUTIONS = "AwsSolutions"
    HIPAA = "HIPAA.Security"
    NIST = "NIST.800.53.R5"
    PCI = "PCI.DSS.321"
    SERVERLESS = "Serverless"


REGULATED = (Pack.HIPAA, Pack.NIST, Pack.PCI)
"""The packs that follow a regulation; they share most of their rules."""


def acknowledge(construct: IConstruct, rule: str, reason: str, *packs: Pack) -> None:
    """Acknowledge one finding at a construct.

    The pack's name must stand in front: an id without it matches nothing, and nobody is told.

    Args:
        construct: where it is found, or what holds it.
        rule: without the pack's name, such as IAM5.
        reason: why it is meant to be.
        packs: which packs have the rule; AwsSolutions by default.
    """
    for pack in packs or (Pack.SOLUTIONS,):
        Validations.of(construct).acknowledge(Acknowledgment(id=f"{pack}::{pack}-{rule}", reason=reason))


def acknowledge_policy(policy: IConstruct, wildcards: Mapping[str, str] | None = None) -> None:
    """Acknowledge that a role's one policy is inline, and its wildcard resources.

    Args:
        policy: the role's default policy.
        wildcards: the reason of each, by the resource as the policy names it, tokens included.
    """
    acknowledge(policy, "IAMNoInlinePolicy", "the policy is one role's alone, and goes with it", *REGULATED)
    stack = Stack.of(policy)
    for resource, reason in (wildcards or {}).items():
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
