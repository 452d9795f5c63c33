"""Checks about security groups and file systems that exist."""

from typing import Any

import boto3
import pytest

from tests.live.preflight.account import CLUSTER, Account

LUSTRE = ((988, 988), (1018, 1023))
ONE = {"cluster": CLUSTER | {"nodes": 1}}


@pytest.mark.parametrize(
    ("ways", "verdict", "said"),
    [
        ("in out", "PASS", ": all traffic among the nodes, HTTPS out"),
        ("in", "FAIL", "has no rule for all traffic out to itself, by its id, which EFA needs [EFA_SELF_RULES_ABSENT]"),
        ("out", "FAIL", "has no rule for all traffic in from itself, by its id"),
        ("", "FAIL", "has no rule for all traffic in from itself and none out to itself, by its id"),
    ],
)
def test_f4_f10_f14_groups_have_both_rules_to_themselves(account: Account, ways: str, verdict: str, said: str) -> None:
    """Everything out to 0.0.0.0/0 is not enough: jobs stalled, or fell back to TCP without an error."""
    vpc = account.vpc()
    group = account.group(vpc)
    if ways:
        account.open(group, group, ways=ways)
    row = account.judged("security-groups", security_groups=(group,))
    assert row.verdict == verdict
    assert said in row.said
    commands = [each for each in row.instead.split("`") if each.startswith("aws ")]
    assert len(commands) == 2 - len(ways.split())
    for command in commands:
        assert command.endswith(f"--ip-permissions 'IpProtocol=-1,UserIdGroupPairs=[{{GroupId={group}}}]'")


def test_f16_a_rule_by_address_does_not_count_for_efa(account: Account) -> None:
    """0.0.0.0/0 in and out lets everything through but EFA."""
    group = account.group(account.vpc())
    account.open(group, "", ways="in", cidr="0.0.0.0/0")
    assert account.judged("security-groups", security_groups=(group,)).verdict == "FAIL"


def test_tcp_among_the_nodes_is_not_all_traffic(account: Account) -> None:
    group = account.group(account.vpc())
    account.open(group, group, (0, 65535))
    assert account.judged("security-groups", security_groups=(group,)).verdict == "FAIL"


def test_one_group_of_several_carries_efa(account: Account) -> None:
    vpc = account.vpc()
    first, second = account.group(vpc, "first"), account.group(vpc, "second")
    account.open(second, second)
    assert account.judged("security-groups", security_groups=(first, second)).verdict == "PASS"


def test_one_node_needs_no_rule_to_itself(account: Account) -> None:
    row = account.judged("security-groups", ONE, security_groups=(account.group(account.vpc()),))
    assert row.verdict == "PASS"


@pytest.mark.parametrize(("ports", "verdict"), [([(443, 443)], "PASS"), ([(80, 442), (444, 999)], "FAIL")])
def test_f84_nodes_that_cannot_reach_https_fail(account: Account, ports: list[tuple[int, int]], verdict: str) -> None:
    """A job whose first call leads nowhere hangs."""
    group = account.group(account.vpc(), closed=True)
    account.open(group, "", *ports, ways="out", cidr="0.0.0.0/0")
    row = account.judged("security-groups", ONE, security_groups=(group,))
    assert row.verdict == verdict
    assert ("[HTTPS_OUT_ABSENT]" in row.said) is (verdict == "FAIL")


def test_a_group_of_another_vpc_fails(account: Account) -> None:
    vpc, other = account.vpc(), account.vpc()
    group = account.group(other)
    row = account.judged("security-groups", ONE, security_groups=(group,), vpc=vpc)
    assert row.verdict == "FAIL"
    assert f"must be of {vpc}, where the nodes are, got {group} of {other} [SECURITY_GROUPS_OF_OTHER_VPC]" in row.said


def test_a_group_that_is_not_there_fails(account: Account) -> None:
    row = account.judged("security-groups", security_groups=("sg-0123456789abcdef0",))
    assert row.verdict == "FAIL"
    assert "sg-0123456789abcdef0" in row.said


def furnished(account: Account, *, efa: bool = False) -> dict[str, Any]:
    """Make nodes' and servers' groups without rules in a VPC, and a file system."""
    vpc = account.vpc()
    subnet = account.subnet(vpc)
    nodes, servers = account.group(vpc, "nodes", closed=True), account.group(vpc, "servers", closed=True)
    file_system = account.file_system(subnet, servers, **({"EfaEnabled": True} if efa else {}))
    return {"vpc": vpc, "subnet": subnet, "nodes": nodes, "servers": servers, "file_system": file_system}


def looked(account: Account, made: dict[str, Any]) -> Any:
    return account.judged("lustre-rules", security_groups=(made["nodes"],), file_system=made["file_system"])


@pytest.mark.parametrize("efa", [False, True])
def test_f5_f13_nodes_and_file_servers_reach_each_other(account: Account, efa: bool) -> None:
    """A mount hangs when a port is closed, and LNet fails when one of the rules is absent."""
    made = furnished(account, efa=efa)
    ports = () if efa else LUSTRE
    account.open(made["nodes"], made["servers"], *ports)
    account.open(made["servers"], made["nodes"], *ports)
    row = looked(account, made)
    assert row.verdict == "FAIL"
    assert "of file servers from file servers" in row.said
    assert "of file servers to file servers" in row.said
    assert "nodes from" not in row.said
    account.open(made["servers"], made["servers"], *ports)
    row = looked(account, made)
    assert row.verdict == "PASS"
    what = "all traffic" if efa else "Lustre's ports"
    assert row.said == f"{what} between {made['nodes']} and {made['servers']}, and among the file servers"


def test_f6_the_old_ports_are_not_enough(account: Account) -> None:
    """1021 to 1023 leaves 1018 to 1020 closed."""
    made = furnished(account)
    for one, other in (("nodes", "servers"), ("servers", "nodes"), ("servers", "servers")):
        account.open(made[one], made[other], (988, 988), (1021, 1023))
    row = looked(account, made)
    assert "TCP 1018-1023 in of nodes from file servers" in row.said
    assert "TCP 988" not in row.said


@pytest.mark.parametrize(("efa", "cidr", "verdict"), [
    (False, "10.0.0.0/16", "PASS"), (False, "10.0.0.0/25", "FAIL"), (True, "10.0.0.0/16", "FAIL"),
])  # fmt: skip
def test_f16_rules_by_address_count_for_lustre_alone(account: Account, efa: bool, cidr: str, verdict: str) -> None:
    """For EFA no rule by address counts; for TCP it does where it holds the subnet."""
    made = furnished(account, efa=efa)
    for one in ("nodes", "servers"):
        account.open(made[one], "", cidr=cidr)
    assert looked(account, made).verdict == verdict


def test_a_file_system_that_is_available_passes(account: Account) -> None:
    made = furnished(account)
    row = account.judged("file-system", file_system=made["file_system"])
    assert (row.verdict, row.said) == ("PASS", f"{made['file_system']} is AVAILABLE in {made['subnet']}")


def test_f51_a_file_system_that_failed_is_told_with_fsxs_message(account: Account) -> None:
    """Failures are opaque where nobody shows what FSx said."""
    subnet = account.subnet(account.vpc())
    made = boto3.client("fsx").create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=[subnet],
        LustreConfiguration={"DeploymentType": "SCRATCH_2"},
        Tags=[{"Key": "Failure", "Value": "security groups do not permit Lustre LNET network traffic on port 988"}],
    )["FileSystem"]["FileSystemId"]
    row = account.judged("file-system", file_system=made)
    assert row.verdict == "FAIL"
    assert "got LUSTRE and FAILED: security groups do not permit Lustre LNET network traffic on port 988" in row.said


@pytest.mark.parametrize(("zone", "verdict"), [("us-east-1a", "PASS"), ("us-east-1b", "FAIL")])
def test_f26_f27_nodes_are_in_the_zone_of_the_file_system(account: Account, zone: str, verdict: str) -> None:
    """EFA does not leave a zone, and a job's subnet is in the file system's."""
    made = furnished(account)
    subnet = account.subnet(made["vpc"], cidr="10.0.1.0/24", zone=zone)
    row = account.judged("file-system", file_system=made["file_system"], subnet=subnet)
    assert row.verdict == verdict
    if verdict == "FAIL":
        assert "is in " in row.said
        assert f"the nodes in {made['vpc']} and us-east-1b" in row.said
        assert row.instead == f"take the file system's own subnet, {made['subnet']}, for the nodes"


def test_a_file_system_without_an_interface_cannot_be_told(account: Account) -> None:
    """Moto gives none to a file system in a subnet that it does not know."""
    file_system = account.file_system("subnet-0123456789abcdef0", "sg-0123456789abcdef0")
    row = looked(account, {"nodes": "sg-0123456789abcdef0", "file_system": file_system})
    assert (row.verdict, row.said) == ("SKIP", f"file system {file_system} has no network interface so far")


@pytest.mark.parametrize("check", ["file-system", "lustre-rules"])
def test_a_file_system_that_is_not_there_fails(account: Account, check: str) -> None:
    row = account.judged(check, file_system="fs-0123456789abcdef0", security_groups=("sg-0123456789abcdef0",))
    assert (row.verdict, row.said) == ("FAIL", "file system fs-0123456789abcdef0 does not exist")
