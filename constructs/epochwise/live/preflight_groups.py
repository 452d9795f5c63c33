"""Whether security groups that exist let through what EFA and Lustre need."""

from typing import Any

from epochwise.checks.preflight import Preflight, judged
from epochwise.checks.security_group_rules import (
    Members,
    SeenRule,
    efa_self_rules_absent,
    https_out_absent,
    lustre_rules_absent,
    security_groups_of_other_vpc,
)
from epochwise.live.answer_fields import first_of
from epochwise.live.by_hand import Output, aws_command
from epochwise.live.given_network import is_given, subnet_of, vpc_of
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_file_system import described_file_system, is_named
from epochwise.live.preflight_subject import CannotTellError, Subject


def _are_named(subject: Subject) -> bool:
    """Tell whether groups of the nodes are named."""
    return bool(subject.named.security_groups)


def _nodes(subject: Subject) -> Preflight:
    """Look at the rules among the nodes, and at their way out."""
    groups = subject.named.security_groups
    found = _described(subject, groups)
    rules = [rule for group in found for rule in seen_rules(group)]
    cluster = subject.workload.cluster
    over_efa = cluster.nodes > 1 and cluster.instance.efa_interfaces > 0
    findings = [*efa_self_rules_absent(groups, rules)] if over_efa else []
    findings += https_out_absent(groups, rules)
    if is_given(subject):
        findings += security_groups_of_other_vpc(
            {str(group["GroupId"]): str(group["VpcId"]) for group in found}, vpc_of(subject)
        )
    among = "all traffic among the nodes, " if over_efa else ""
    return judged("security-groups", f"{', '.join(groups)}: {among}HTTPS out", findings)


def _lustre(subject: Subject) -> Preflight:
    """Look at the rules between the nodes and the file servers, and among the file servers."""
    found = described_file_system(subject)
    interfaces = [str(each) for each in found.get("NetworkInterfaceIds", [])]
    if not interfaces:
        raise CannotTellError(f"file system {subject.named.file_system} has no network interface so far")
    described = subject.account.listed(
        "ec2", "describe_network_interfaces", "NetworkInterfaces", NetworkInterfaceIds=interfaces
    )
    of_servers = tuple(dict.fromkeys(str(group["GroupId"]) for each in described for group in each.get("Groups", [])))
    of_nodes = subject.named.security_groups
    rules = [rule for group in _described(subject, (*of_nodes, *of_servers)) for rule in seen_rules(group)]
    of_file_system = subject.account.ask("ec2", "describe_subnets", SubnetIds=found["SubnetIds"][:1])
    servers_subnet = first_of(of_file_system, "Subnets")
    nodes_subnet = subnet_of(subject) if subject.named.subnet is not None else servers_subnet
    efa_enabled = bool(found.get("LustreConfiguration", {}).get("EfaEnabled"))
    findings = lustre_rules_absent(
        Members("nodes", of_nodes, str(nodes_subnet["CidrBlock"])),
        Members("file servers", of_servers, str(servers_subnet["CidrBlock"])),
        rules,
        efa_enabled=efa_enabled,
    )
    what = "all traffic" if efa_enabled else "Lustre's ports"
    said = f"{what} between {', '.join(of_nodes)} and {', '.join(of_servers)}, and among the file servers"
    return judged("lustre-rules", said, findings)


def _are_both_named(subject: Subject) -> bool:
    """Tell whether both the nodes' groups and the file system are named."""
    return _are_named(subject) and is_named(subject)


def _described(subject: Subject, groups: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return EC2's descriptions of groups."""
    return subject.account.listed(
        "ec2", "describe_security_groups", "SecurityGroups", GroupIds=list(dict.fromkeys(groups))
    )


def seen_rules(group: dict[str, Any]) -> list[SeenRule]:
    """Read the rules of one of DescribeSecurityGroups' descriptions, one for each peer."""
    rules: list[SeenRule] = []
    for outwards, member in ((False, "IpPermissions"), (True, "IpPermissionsEgress")):
        for permission in group.get(member, []):
            peers = [
                *({"peer_group": str(pair.get("GroupId", ""))} for pair in permission.get("UserIdGroupPairs", [])),
                *({"peer_cidr": str(each["CidrIp"])} for each in permission.get("IpRanges", [])),
                *({"peer_cidr": str(each["CidrIpv6"])} for each in permission.get("Ipv6Ranges", [])),
                *({} for _ in permission.get("PrefixListIds", [])),
            ]
            rules += [
                SeenRule(
                    str(group["GroupId"]),
                    outwards,
                    str(permission["IpProtocol"]),
                    permission.get("FromPort"),
                    permission.get("ToPort"),
                    **peer,
                )
                for peer in peers
            ]
    return rules


def _nodes_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to list the rules of the nodes' groups."""
    groups = list(subject.named.security_groups)
    return (aws_command("ec2", "describe-security-groups", region=subject.region, group_ids=groups),)


def _lustre_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to find the file servers' groups; their rules are listed like those of the nodes'."""
    interfaces = aws_command(
        "fsx",
        "describe-file-systems",
        region=subject.region,
        file_system_ids=str(subject.named.file_system),
        query="FileSystems[].NetworkInterfaceIds[]",
        output="text",
    )
    groups = aws_command(
        "ec2",
        "describe-network-interfaces",
        region=subject.region,
        network_interface_ids=Output(interfaces, several=True),
        query="NetworkInterfaces[].Groups[].GroupId",
        output="text",
    )
    return (
        aws_command(
            "ec2",
            "describe-security-groups",
            region=subject.region,
            group_ids=[*subject.named.security_groups, Output(groups, several=True)],
        ),
    )


CHECKS = (
    Check("security-groups", _nodes, _nodes_by_hand, _are_named),
    Check("lustre-rules", _lustre, _lustre_by_hand, _are_both_named),
)
