"""Whether what is put together is of one VPC, as far as an app sees it. One rule, one function, one id."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.checks.finding import Finding, Level


@dataclass(frozen=True)
class KnownVpc:
    """A VPC that an app can tell from others."""

    name: str
    """Its id, or its place in the app."""
    created_here: bool
    """Whether the same app creates it."""


def are_apart(one: KnownVpc | None, other: KnownVpc | None) -> bool:
    """Tell whether two VPCs are seen to be different ones; None is one of which nothing is known.

    One that is created and one that is imported may be the same: an app can look up what its own last deploy made.

    >>> here, there = KnownVpc("App/Vpc", created_here=True), KnownVpc("vpc-1", created_here=False)
    >>> are_apart(here, KnownVpc("App/Other", created_here=True)), are_apart(here, there), are_apart(here, None)
    (True, False, False)
    """
    return one is not None and other is not None and one.created_here is other.created_here and one.name != other.name


def security_group_of_other_vpc(
    argument: str, group: str, of: KnownVpc | None, vpc: KnownVpc | None
) -> Iterator[Finding]:
    """An interface has security groups of its own VPC only.

    Source: VPC User Guide, vpc-security-groups.
    """
    if are_apart(of, vpc):
        yield Finding(
            "SECURITY_GROUP_OF_OTHER_VPC",
            Level.ERROR,
            f"{argument} must be of vpc {_name(vpc)}, got {group} of {_name(of)}",
            "pass a group of that VPC",
        )


def efa_peer_of_other_vpc(group: str, of: KnownVpc | None, vpc: KnownVpc | None) -> Iterator[Finding]:
    """EFA does not leave its VPC, not even over a peering connection.

    Source: EC2 User Guide, efa (limitations); FSx User Guide, efa-file-systems.
    """
    if are_apart(of, vpc):
        yield Finding(
            "EFA_PEER_OF_OTHER_VPC",
            Level.ERROR,
            f"a peer over EFA must be of vpc {_name(vpc)}, got {group} of {_name(of)}: EFA does not leave a VPC",
            "put both into one VPC and zone; a file system without EFA can be reached from a peered VPC",
        )


def client_of_other_vpc(group: str, of: KnownVpc | None, vpc: KnownVpc | None, *, joined: bool) -> Iterator[Finding]:
    """A rule names a group of another VPC only where the two are joined, and two that are made here are not so before.

    Source: VPC Peering Guide, vpc-peering-security-groups.
    """
    if are_apart(of, vpc) and of is not None and of.created_here and not joined:
        yield Finding(
            "CLIENT_OF_OTHER_VPC",
            Level.ERROR,
            f"a client must be of vpc {_name(vpc)}, got {group} of {_name(of)}, which nothing here joins to it",
            "pass a group of that VPC, or add an ec2.CfnVPCPeeringConnection between the two before",
        )


def client_of_peered_vpc(group: str, of: KnownVpc | None, vpc: KnownVpc | None, *, joined: bool) -> Iterator[Finding]:
    """A client of another VPC needs a peering connection that is active, routes, and an address instead of a name.

    Source: VPC Peering Guide, vpc-peering-security-groups; FSx User Guide, mounting-on-premises: the file system's name
    does not resolve outside its VPC (of 2021, unverified since).
    """
    if are_apart(of, vpc) and of is not None and (joined or not of.created_here):
        yield Finding(
            "CLIENT_OF_PEERED_VPC",
            Level.WARNING,
            f"client {group} is of vpc {_name(of)}, the file system of {_name(vpc)}: rules by group id hold between "
            "VPCs of one Region with an active peering connection, EFA does not cross it, and the file system's name "
            "does not resolve there",
            "make sure of the connection and its routes, and mount over TCP by the address of the first interface",
        )


def _name(vpc: KnownVpc | None) -> str:
    """Return the name of a VPC that is known."""
    return "" if vpc is None else vpc.name
