"""Remarks about a VPC: its addresses, its names, and its way to what training code calls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from epochwise.checks.finding import Finding, Level
from epochwise.checks.physical_id import in_command
from epochwise.checks.subnet import VPC_PREFIX_LENGTH

DEFAULT_VPC_CIDR = f"10.0.0.0/{VPC_PREFIX_LENGTH}"
DOCKER_BRIDGE = IPv4Network("172.17.0.0/16")
"""Where Docker's own network is on a host, and SageMaker's containers with it."""
_ZERO = IPv4Network("0.0.0.0/8")
"""This network, of which nobody is."""
DEFAULT_ENDPOINTS = ("sagemaker.api", "ecr.api", "ecr.dkr", "logs", "monitoring", "sts")
"""Services that training code may call, as their endpoints are called. That a job needs them is unverified: SageMaker
pulls the image and writes the logs by itself, and only S3 is documented as needed without a way out."""


@dataclass(frozen=True)
class SeenVpc:
    """What an app, or a look at the account, can see of a VPC that is given."""

    name: str
    """Its id, or its place in the app."""
    visible: bool
    """Whether all of it can be seen: the same app creates it, or its account is asked."""
    dns_hostnames: bool | None = None
    """None where only the account knows."""
    dns_support: bool | None = None
    s3_endpoint: bool = False
    """Whether the app creates a gateway endpoint of S3 in it."""


def vpc_cidr_illegal(vpc_cidr: str) -> Iterator[Finding]:
    """A new VPC is one IPv4 /16, which EFA clients and an EFA-enabled file system must share.

    Addresses of the host itself, link-local and multicast ones are none of a VPC's.
    Source: FSx User Guide, efa-file-systems; VPC User Guide, vpc-cidr-blocks.
    """
    nearest = _nearest_vpc_cidr(vpc_cidr)
    if vpc_cidr != nearest:
        yield Finding(
            "VPC_CIDR_ILLEGAL",
            Level.ERROR,
            f"vpc_cidr must be an IPv4 /{VPC_PREFIX_LENGTH} that a VPC may have, since EFA nodes and file system share "
            f"one, got {vpc_cidr!r:.60}",
            f"nearest legal: {nearest}",
        )


def _nearest_vpc_cidr(vpc_cidr: str) -> str:
    """Return the /16 that begins where the given addresses do, or the usual one where no VPC may.

    >>> [_nearest_vpc_cidr(cidr) for cidr in ("10.1.2.0/24", "10.0.0.0/8", "127.0.0.0/16", "home")]
    ['10.1.0.0/16', '10.0.0.0/16', '10.0.0.0/16', '10.0.0.0/16']
    """
    try:
        address = IPv4Network(vpc_cidr, strict=False).network_address
    except ValueError:
        return DEFAULT_VPC_CIDR
    if address.is_loopback or address.is_link_local or address.is_multicast or address.is_reserved or address in _ZERO:
        return DEFAULT_VPC_CIDR
    return str(IPv4Network(f"{address}/{VPC_PREFIX_LENGTH}", strict=False))


def vpc_cidr_of_docker(vpc_cidr: str) -> Iterator[Finding]:
    """A VPC with the addresses of Docker's own network is hard to reach from a container.

    Source: VPC User Guide, vpc-cidr-blocks, which names SageMaker among the services that use 172.17.0.0/16.
    """
    if IPv4Network(vpc_cidr).overlaps(DOCKER_BRIDGE):
        yield Finding(
            "VPC_CIDR_OF_DOCKER",
            Level.WARNING,
            f"vpc_cidr {vpc_cidr} holds the addresses of Docker's network, {DOCKER_BRIDGE}, in which containers run",
            f"take another /{VPC_PREFIX_LENGTH}, such as {DEFAULT_VPC_CIDR}",
        )


def nat_gateways_out_of_range(nat_gateways: int) -> Iterator[Finding]:
    """One zone has one public subnet, and so at most one NAT gateway."""
    if nat_gateways not in {0, 1}:
        yield Finding(
            "NAT_GATEWAYS_OUT_OF_RANGE",
            Level.ERROR,
            f"nat_gateways must be 0 or 1, got {nat_gateways}",
            f"nearest legal: {min(max(nat_gateways, 0), 1)}",
        )


def no_way_out(nat_gateways: int, endpoints: Sequence[str]) -> Iterator[Finding]:
    """Training code without a NAT gateway and without interface endpoints hangs in its first call of a service.

    The gateway endpoint of S3 is always there. Source: SageMaker Developer Guide, train-vpc.
    """
    if nat_gateways == 0 and not endpoints:
        yield Finding(
            "NO_WAY_OUT",
            Level.ERROR,
            "nat_gateways is 0 and interface_endpoints is empty, so that training code reaches S3 and nothing else",
            f"leave interface_endpoints out for {', '.join(DEFAULT_ENDPOINTS)}, or name those that the code calls",
        )


def endpoints_left_out(nat_gateways: int, endpoints: Sequence[str]) -> Iterator[Finding]:
    """Without a NAT gateway, what has no endpoint cannot be called.

    Source: SageMaker Developer Guide, train-vpc; which services a job's code calls is unverified.
    """
    absent = [name for name in DEFAULT_ENDPOINTS if name not in endpoints]
    if nat_gateways == 0 and endpoints and absent:
        yield Finding(
            "ENDPOINTS_LEFT_OUT",
            Level.WARNING,
            f"nat_gateways is 0 and interface_endpoints leaves out {', '.join(absent)}",
            "make sure that the training code calls none of them, or it hangs",
        )


def vpc_without_dns(vpc: SeenVpc) -> Iterator[Finding]:
    """Without DNS support and DNS hostnames, no node can resolve the file system's name and none mounts it.

    Source: FSx User Guide, troubleshooting mounts; VPC User Guide, vpc-dns.
    """
    flags = {"enable_dns_support": vpc.dns_support, "enable_dns_hostnames": vpc.dns_hostnames}
    off = [name for name, on in flags.items() if on is False]
    if off:
        yield Finding(
            "VPC_WITHOUT_DNS",
            Level.ERROR,
            f"vpc {vpc.name} must have {' and '.join(flags)} on, got {' and '.join(off)} off",
            f"set {' and '.join(f'{name}=True' for name in off)}",
        )


def vpc_not_visible(vpc: SeenVpc) -> Iterator[Finding]:
    """Whether names resolve in a VPC that is imported is known to its account only.

    Source: VPC User Guide, vpc-dns.
    """
    if not vpc.visible or vpc.dns_hostnames is None or vpc.dns_support is None:
        ask = f"aws ec2 describe-vpc-attribute --vpc-id {in_command(vpc.name, 'vpc id')} --attribute"
        yield Finding(
            "VPC_NOT_VISIBLE",
            Level.WARNING,
            f"whether DNS support and DNS hostnames of vpc {vpc.name} are on cannot be seen here; without them no node "
            "mounts the file system",
            f"verify with `epochwise check`, or with `{ask} enableDnsHostnames` and `{ask} enableDnsSupport`",
        )


def dns_servers_of_others(vpc: str, servers: Sequence[str], cidrs: Sequence[str]) -> Iterator[Finding]:
    """Names of file systems are known to Amazon's DNS server, and to others only where they ask it.

    Source: FSx for Lustre User Guide, mount-troubleshooting ("Can't parse NID"); VPC User Guide, AmazonDNS-concepts.

    Args:
        vpc: its id.
        servers: of its DHCP options; none stands for Amazon's.
        cidrs: the VPC's addresses, the third of which is Amazon's server too.
    """
    amazons = {"AmazonProvidedDNS", "169.254.169.253", *(str(IPv4Network(cidr)[2]) for cidr in cidrs)}
    others = [server for server in servers if server not in amazons]
    if others:
        yield Finding(
            "DNS_SERVERS_OF_OTHERS",
            Level.WARNING,
            f"vpc {vpc} resolves names with {', '.join(others)}; whether they know file systems' names cannot be seen",
            "have them forward amazonaws.com to Amazon's server, or use DHCP options with AmazonProvidedDNS",
        )


def new_vpc_arguments(given: Sequence[str]) -> Iterator[Finding]:
    """What describes a new VPC has no effect on one that exists."""
    if given:
        yield Finding(
            "NEW_VPC_ARGUMENTS",
            Level.ERROR,
            f"{', '.join(given)} {'is' if len(given) == 1 else 'are'} for a new VPC, got with vpc",
            f"leave {'it' if len(given) == 1 else 'them'} out; to choose a zone pass subnet instead",
        )
