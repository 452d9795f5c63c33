"""The VPC and the subnet that are named, as several checks look at them."""

from dataclasses import replace
from typing import Any

from epochwise.live.by_hand import Output, aws_command
from epochwise.live.failure import NotFoundError
from epochwise.live.preflight_subject import CannotTellError, Subject


def subnet_of(subject: Subject) -> dict[str, Any]:
    """Return EC2's description of the named subnet.

    Raises:
        AwsError: it does not exist, or AWS does not answer.
        CannotTellError: none is named.
    """
    if subject.named.subnet is None:
        raise CannotTellError("no subnet is named; name one with --subnet")
    found = subject.account.ask("ec2", "describe_subnets", SubnetIds=[subject.named.subnet])["Subnets"]
    if not found:
        raise NotFoundError(f"subnet {subject.named.subnet} does not exist")
    subnet: dict[str, Any] = found[0]
    return subnet


def vpc_of(subject: Subject) -> str:
    """Return the id of the named VPC, or of the one that the named subnet is in.

    Raises:
        AwsError: AWS does not answer.
        CannotTellError: neither is named.
    """
    return subject.named.vpc or str(subnet_of(subject)["VpcId"])


def is_given(subject: Subject) -> bool:
    """Tell whether a VPC that exists is named."""
    return subject.named.vpc is not None or subject.named.subnet is not None


def has_subnet(subject: Subject) -> bool:
    """Tell whether a subnet that exists is named."""
    return subject.named.subnet is not None


def vpc_by_hand(subject: Subject) -> str | Output:
    """Return the VPC's id for a command, or the command that prints it."""
    if subject.named.vpc is not None:
        return subject.named.vpc
    return Output(
        aws_command(
            "ec2",
            "describe-subnets",
            region=subject.region,
            subnet_ids=subject.named.subnet or "",
            query="Subnets[0].VpcId",
            output="text",
        )
    )


def vpc_filter(subject: Subject) -> str | Output:
    """Return the filter of EC2's calls by the VPC's id, for a command."""
    vpc = vpc_by_hand(subject)
    return f"Name=vpc-id,Values={vpc}" if isinstance(vpc, str) else replace(vpc, after="Name=vpc-id,Values=")
