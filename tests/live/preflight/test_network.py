"""Checks about a VPC and a subnet that exist."""

from typing import Any

import boto3
import pytest

from tests.live.preflight.account import CLUSTER, Account


@pytest.mark.parametrize("hostnames", [True, False])
def test_f34a_names_resolve_or_what_is_off_is_named(account: Account, hostnames: bool) -> None:
    """ "Can't parse NID": the name of the file system did not resolve."""
    vpc = account.vpc(hostnames=hostnames)
    row = account.judged("dns", vpc=vpc)
    if hostnames:
        assert (row.verdict, row.said) == ("PASS", f"DNS support and DNS hostnames of {vpc} are on")
        return
    assert row.verdict == "FAIL"
    assert "got enable_dns_hostnames off [VPC_WITHOUT_DNS]" in row.said
    assert f"`aws ec2 modify-vpc-attribute --vpc-id {vpc} --enable-dns-hostnames`" in row.instead


def test_the_vpc_of_a_subnet_is_looked_at_where_only_the_subnet_is_named(account: Account) -> None:
    vpc = account.vpc(hostnames=False)
    row = account.judged("dns", subnet=account.subnet(vpc))
    assert row.verdict == "FAIL"
    assert vpc in row.said
    assert row.by_hand[0].startswith(
        'aws ec2 describe-vpc-attribute --region us-east-1 --vpc-id "$(aws ec2 describe-subnets --region us-east-1 '
    )


@pytest.mark.parametrize(
    ("servers", "verdict"),
    [(["AmazonProvidedDNS"], "PASS"), (["10.0.0.2"], "PASS"), ([], "PASS"), (["10.0.0.2", "10.9.0.53"], "SKIP")],
)
def test_f34a_dns_servers_of_others_cannot_be_told(account: Account, servers: list[str], verdict: str) -> None:
    """Servers of one's own know the name only where they ask Amazon's."""
    vpc, ec2 = account.vpc(), boto3.client("ec2")
    if servers:
        options = [{"Key": "domain-name-servers", "Values": servers}]
        made = ec2.create_dhcp_options(DhcpConfigurations=options)["DhcpOptions"]["DhcpOptionsId"]
        ec2.associate_dhcp_options(DhcpOptionsId=made, VpcId=vpc)
    row = account.judged("dns-servers", vpc=vpc)
    assert row.verdict == verdict
    if verdict == "SKIP":
        assert f"vpc {vpc} resolves names with 10.9.0.53; whether they know" in row.said
        assert "[DNS_SERVERS_OF_OTHERS]" in row.said
        assert "forward amazonaws.com" in row.instead


@pytest.mark.parametrize(("nodes", "verdict"), [(4, "PASS"), (5, "FAIL")])
def test_f20_f21_free_addresses_hold_nodes_and_file_servers(account: Account, nodes: int, verdict: str) -> None:
    """A /27 leaves 27: 23 for 4 nodes and 3 file servers, 28 for 5."""
    vpc = account.vpc()
    subnet = account.subnet(vpc, cidr="10.0.1.0/27")
    wide = account.subnet(vpc, cidr="10.0.2.0/24", zone="us-east-1b")
    row = account.judged("addresses", {"cluster": CLUSTER | {"nodes": nodes}}, subnet=subnet)
    assert row.verdict == verdict
    budget = f"{nodes} nodes of ml.p4d.24xlarge at 5 each and 3 file servers need {nodes * 5 + 3}"
    assert row.said.startswith(f"subnet {subnet} has 27 free addresses, {budget}")
    if verdict == "FAIL":
        assert "[SUBNET_FULL]" in row.said
        assert f"with room: {wide} in us-east-1b (251 free)" in row.instead


def test_addresses_that_are_taken_do_not_count(account: Account) -> None:
    subnet = account.subnet(account.vpc(), cidr="10.0.1.0/27")
    for _ in range(5):
        boto3.client("ec2").create_network_interface(SubnetId=subnet)
    assert f"subnet {subnet} has 22 free addresses" in account.judged("addresses", subnet=subnet).said


def test_a_file_system_that_exists_takes_no_more_addresses(account: Account) -> None:
    subnet = account.subnet(account.vpc(), cidr="10.0.1.0/27")
    row = account.judged("addresses", subnet=subnet, file_system="fs-01234567")
    assert "and 0 file servers need 20" in row.said


def test_a_vpc_without_a_named_subnet_has_those_with_room_named(account: Account) -> None:
    vpc = account.vpc()
    account.subnet(vpc, cidr="10.0.1.0/28")
    wide = account.subnet(vpc, cidr="10.0.2.0/24", zone="us-east-1b")
    row = account.judged("addresses", vpc=vpc)
    assert row.verdict == "PASS"
    assert row.said.endswith(f"need 23; with room: {wide} in us-east-1b (251 free)")
    assert row.instead == "name one of them with --subnet"
    row = account.judged("addresses", {"cluster": CLUSTER | {"availability_zone": "us-east-1a"}}, vpc=vpc)
    assert row.verdict == "FAIL"
    assert "has 11 free addresses" in row.said


def test_a_vpc_without_subnets_fails(account: Account) -> None:
    vpc = account.vpc()
    row = account.judged("addresses", vpc=vpc)
    assert (row.verdict, row.said) == ("FAIL", f"vpc {vpc} has no subnet")


def test_a_subnet_of_another_vpc_fails(account: Account) -> None:
    vpc, subnet = account.vpc(), account.subnet(account.vpc())
    row = account.judged("addresses", vpc=vpc, subnet=subnet)
    assert row.verdict == "FAIL"
    assert f"subnet must be one of vpc {vpc}, got {subnet} of another [SUBNET_OF_OTHER_VPC]" in row.said


@pytest.mark.parametrize("check", ["dns", "addresses", "routes", "zone"])
def test_a_subnet_that_is_not_there_fails(account: Account, check: str) -> None:
    row = account.judged(check, subnet="subnet-0123456789abcdef0")
    assert row.verdict == "FAIL"
    assert "subnet-0123456789abcdef0" in row.said


@pytest.mark.parametrize("check", ["dns", "dns-servers"])
def test_a_vpc_that_is_not_there_fails(account: Account, check: str) -> None:
    row = account.judged(check, vpc="vpc-0123456789abcdef0")
    assert row.verdict == "FAIL"
    assert "vpc-0123456789abcdef0" in row.said


def routed(account: Account, *ways: str, main: bool = False) -> str:
    """Return a subnet whose own route table, or its VPC's main one, has these ways out."""
    vpc, ec2 = account.vpc(), boto3.client("ec2")
    subnet = account.subnet(vpc)
    if main:
        found = ec2.describe_route_tables(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["RouteTables"]
        table = str(found[0]["RouteTableId"])
    else:
        table = str(ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"])
        ec2.associate_route_table(RouteTableId=table, SubnetId=subnet)
    out: dict[str, Any] = {}
    if "s3" in ways:
        ec2.create_vpc_endpoint(VpcId=vpc, ServiceName="com.amazonaws.us-east-1.s3", RouteTableIds=[table])
    if "dynamodb" in ways:
        ec2.create_vpc_endpoint(VpcId=vpc, ServiceName="com.amazonaws.us-east-1.dynamodb", RouteTableIds=[table])
    if "nat" in ways:
        out = {"NatGatewayId": ec2.create_nat_gateway(SubnetId=subnet)["NatGateway"]["NatGatewayId"]}
    if "internet" in ways:
        gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
        ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc)
        out = {"GatewayId": gateway}
    if out:
        ec2.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", **out)
    return subnet


@pytest.mark.parametrize(
    ("ways", "verdict", "said"),
    [
        (["nat"], "PASS", "is private and has no endpoint of S3"),
        (["s3"], "PASS", "is isolated and has S3's gateway endpoint"),
        ([], "FAIL", "has no gateway endpoint of S3 so far [NO_WAY_TO_S3]"),
        (["dynamodb"], "FAIL", "[NO_WAY_TO_S3]"),
        (["internet"], "FAIL", "is public: SageMaker"),
        (["internet", "s3"], "PASS", "is public and has S3's gateway endpoint"),
    ],
)
@pytest.mark.parametrize("main", [False, True])
def test_f70_a_subnet_leads_to_s3_or_fails(
    account: Account, ways: list[str], verdict: str, said: str, main: bool
) -> None:
    """A job without a way to S3 hangs, be the routes the subnet's own or its VPC's main ones."""
    row = account.judged("routes", subnet=routed(account, *ways, main=main))
    assert row.verdict == verdict
    assert said in row.said


def test_a_public_subnet_is_remarked_and_is_a_way_out_in_ec2(account: Account) -> None:
    public = routed(account, "internet", "s3")
    assert [finding.id for finding in account.judged("routes", subnet=public).findings] == ["SUBNET_IS_PUBLIC"]
    of_ec2 = {"cluster": CLUSTER | {"instance_type": "p4d.24xlarge", "platform": "ec2"}}
    row = account.judged("routes", of_ec2, subnet=routed(account, "internet"))
    assert (row.verdict, row.findings) == ("PASS", ())
