"""Whether a VPC that exists resolves names, leads to S3, and has addresses to spare."""

from typing import Any

from epochwise.checks.given_subnet import SeenSubnet, subnet_of_other_vpc
from epochwise.checks.preflight import Preflight, Verdict, judged
from epochwise.checks.subnet import AddressBudget, subnet_full
from epochwise.checks.vpc import SeenVpc, dns_servers_of_others, vpc_without_dns
from epochwise.live.answer_fields import first_of
from epochwise.live.by_hand import Output, aws_command, filters
from epochwise.live.failure import NotFoundError
from epochwise.live.given_network import has_subnet, is_given, subnet_of, vpc_by_hand, vpc_of
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject

_DNS = {"enableDnsSupport": "EnableDnsSupport", "enableDnsHostnames": "EnableDnsHostnames"}
_NO_OPTIONS = "default"
"""The id of a VPC's DHCP options where it has none of its own."""


def _dns(subject: Subject) -> Preflight:
    """Look at both attributes without which no node resolves the file system's name."""
    vpc = vpc_of(subject)
    support, hostnames = (
        bool(subject.account.ask("ec2", "describe_vpc_attribute", VpcId=vpc, Attribute=name)[member]["Value"])
        for name, member in _DNS.items()
    )
    findings = list(vpc_without_dns(SeenVpc(vpc, visible=True, dns_support=support, dns_hostnames=hostnames)))
    off = [f"--enable-dns-{name}" for name, on in (("support", support), ("hostnames", hostnames)) if not on]
    commands = [f"`aws ec2 modify-vpc-attribute --vpc-id {vpc} {option}`" for option in off]
    return judged("dns", f"DNS support and DNS hostnames of {vpc} are on", findings, instead=" and ".join(commands))


def _dns_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look at both attributes."""
    return tuple(
        aws_command(
            "ec2", "describe-vpc-attribute", region=subject.region, vpc_id=vpc_by_hand(subject), attribute=attribute
        )
        for attribute in _DNS
    )


def _dns_servers(subject: Subject) -> Preflight:
    """Look at the DNS servers that the VPC's DHCP options name."""
    vpc = vpc_of(subject)
    found = subject.account.ask("ec2", "describe_vpcs", VpcIds=[vpc])["Vpcs"]
    if not found:
        raise NotFoundError(f"vpc {vpc} does not exist")
    cidrs = [each["CidrBlock"] for each in found[0].get("CidrBlockAssociationSet", [])] or [found[0]["CidrBlock"]]
    options = str(found[0].get("DhcpOptionsId", _NO_OPTIONS))
    servers: list[str] = []
    if options != _NO_OPTIONS:
        described = first_of(
            subject.account.ask("ec2", "describe_dhcp_options", DhcpOptionsIds=[options]), "DhcpOptions"
        )
        servers = [
            str(value["Value"])
            for each in described["DhcpConfigurations"]
            if each["Key"] == "domain-name-servers"
            for value in each["Values"]
        ]
    findings = dns_servers_of_others(vpc, servers, cidrs)
    return judged("dns-servers", f"{vpc} uses Amazon's DNS server", findings, warnings=Verdict.SKIP)


def _dns_servers_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look at the DHCP options."""
    options = aws_command(
        "ec2",
        "describe-vpcs",
        region=subject.region,
        vpc_ids=vpc_by_hand(subject),
        query="Vpcs[].DhcpOptionsId",
        output="text",
    )
    return (aws_command("ec2", "describe-dhcp-options", region=subject.region, dhcp_options_ids=Output(options, True)),)


def _addresses(subject: Subject) -> Preflight:
    """Compare the free addresses of the named subnet, or of each of the VPC's, with what nodes and servers need."""
    servers = 0 if subject.named.file_system is not None else subject.choice.addresses
    cluster = subject.workload.cluster
    budget = AddressBudget(cluster.nodes, cluster.instance_type, servers)
    if has_subnet(subject):
        subnet = subnet_of(subject)
        name, free = str(subnet["SubnetId"]), int(subnet["AvailableIpAddressCount"])
        seen = SeenSubnet(name, visible=True, of_other_vpc=vpc_of(subject) != subnet["VpcId"])
        findings = [
            *subnet_of_other_vpc(seen, vpc_of(subject)),
            *subnet_full(budget, name, free),
        ]
        said = f"subnet {name} has {free} free addresses, {budget}"
        return judged("addresses", said, findings, instead=_with_room(subject, budget) if findings else "")
    subnets = _subnets_of_vpc(subject)
    fitting = [each for each in subnets if each["AvailableIpAddressCount"] >= budget.needed]
    widest = max(subnets, key=lambda each: int(each["AvailableIpAddressCount"]), default=None)
    if widest is None:
        raise NotFoundError(f"vpc {vpc_of(subject)} has no subnet")
    findings = list(subnet_full(budget, str(widest["SubnetId"]), int(widest["AvailableIpAddressCount"])))
    said = f"{budget}; with room: {', '.join(map(_named, fitting))}"
    return judged("addresses", said, findings, instead="" if findings else "name one of them with --subnet")


def _subnets_of_vpc(subject: Subject) -> list[dict[str, Any]]:
    """Return the subnets of the VPC that are in the declared zone, or all where none is declared."""
    found = subject.account.listed(
        "ec2", "describe_subnets", "Subnets", Filters=[{"Name": "vpc-id", "Values": [vpc_of(subject)]}]
    )
    return [each for each in found if subject.zone in {None, each["AvailabilityZone"], each.get("AvailabilityZoneId")}]


def _with_room(subject: Subject, budget: AddressBudget) -> str:
    """Name the subnets of the VPC that have room."""
    fitting = [each for each in _subnets_of_vpc(subject) if each["AvailableIpAddressCount"] >= budget.needed]
    return f"with room: {', '.join(map(_named, fitting))}" if fitting else ""


def _named(subnet: dict[str, Any]) -> str:
    """Name a subnet with its zone and what is free."""
    return f"{subnet['SubnetId']} in {subnet['AvailabilityZone']} ({subnet['AvailableIpAddressCount']} free)"


def _addresses_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to count free addresses."""
    query = "Subnets[].[SubnetId,AvailabilityZone,AvailableIpAddressCount]"
    if subject.named.subnet is not None:
        return (
            aws_command("ec2", "describe-subnets", region=subject.region, subnet_ids=subject.named.subnet, query=query),
        )
    chosen = filters(vpc_id=str(subject.named.vpc))
    return (aws_command("ec2", "describe-subnets", region=subject.region, filters=chosen, query=query),)


CHECKS = (
    Check("dns", _dns, _dns_by_hand, is_given),
    Check("dns-servers", _dns_servers, _dns_servers_by_hand, is_given),
    Check("addresses", _addresses, _addresses_by_hand, is_given),
)
