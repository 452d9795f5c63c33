"""Boundaries of what is said about rules that are read from the account."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from epochwise.checks.finding import Finding
from epochwise.checks.security_group_rules import (
    Members,
    SeenRule,
    efa_self_rules_absent,
    https_out_absent,
    lustre_rules_absent,
    security_groups_of_other_vpc,
)
from tests.checks.boundaries import Row

IN, OUT = SeenRule("sg-1", False, "-1", peer_group="sg-1"), SeenRule("sg-1", True, "-1", peer_group="sg-1")
ADDRESSES = SeenRule("sg-1", True, "-1", peer_cidr="0.0.0.0/0")
NODES, SERVERS = Members("nodes", ("sg-1",), "10.0.0.0/24"), Members("file servers", ("sg-2",), "10.0.1.0/24")
PAIRS = (("sg-1", "sg-2"), ("sg-2", "sg-1"), ("sg-2", "sg-2"))
PORTS = ((988, 988), (1018, 1023))


def _rules(protocol: str = "tcp", last: int = 1023, cidr: str = "") -> list[SeenRule]:
    """Return every rule of Lustre's, the last port as asked for."""
    return [
        SeenRule(
            owner,
            outwards,
            protocol,
            low,
            min(high, last),
            peer_group="" if cidr else peer,
            peer_cidr=cidr,
        )
        for (owner, peer), outwards, (low, high) in product(PAIRS, (False, True), PORTS)
    ]


def _lustre(rules: list[SeenRule], *, efa_enabled: bool = False) -> partial[Iterator[Finding]]:
    return partial(lustre_rules_absent, NODES, SERVERS, rules, efa_enabled=efa_enabled)


ROWS = (
    Row("EFA_SELF_RULES_ABSENT", partial(efa_self_rules_absent, ["sg-1"], [IN]), "out to itself"),
    Row("EFA_SELF_RULES_ABSENT", partial(efa_self_rules_absent, ["sg-1"], [IN, ADDRESSES]), "sg-1 has no rule"),
    Row("EFA_SELF_RULES_ABSENT", partial(efa_self_rules_absent, ["sg-1"], [OUT]), "in from itself"),
    Row("EFA_SELF_RULES_ABSENT", partial(efa_self_rules_absent, ["sg-1"], [IN, OUT]), None),
    Row(
        "EFA_SELF_RULES_ABSENT",
        partial(efa_self_rules_absent, ["sg-1"], [IN], resource="Nodes", why="the EFA-enabled FileSystem"),
        "security group Nodes is a group of the EFA-enabled FileSystem, and has no rule",
    ),
    Row("EFA_SELF_RULES_ABSENT", partial(efa_self_rules_absent, ["sg-2", "sg-1"], [IN, OUT]), None),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules(last=1022)), "TCP 1018-1023 in of nodes from file servers"),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules("udp")), "TCP 988 in of nodes"),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules(cidr="10.0.0.0/24")), "out of nodes to file servers"),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules(), efa_enabled=True), "all traffic in of nodes"),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules("-1", cidr="10.0.0.0/16"), efa_enabled=True), "all traffic out"),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules()), None),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules("6")), None),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules(cidr="10.0.0.0/23")), None),
    Row("LUSTRE_RULES_ABSENT", _lustre(_rules("-1"), efa_enabled=True), None),
    Row("HTTPS_OUT_ABSENT", partial(https_out_absent, ["sg-1"], [IN]), "no rule of sg-1"),
    Row("HTTPS_OUT_ABSENT", partial(https_out_absent, ["sg-1"], [SeenRule("sg-1", True, "tcp", 444, 500)]), "TCP 443"),
    Row("HTTPS_OUT_ABSENT", partial(https_out_absent, ["sg-1"], [SeenRule("sg-1", True, "tcp", 443, 443)]), None),
    Row("HTTPS_OUT_ABSENT", partial(https_out_absent, ["sg-1"], [ADDRESSES]), None),
    Row(
        "SECURITY_GROUPS_OF_OTHER_VPC",
        partial(security_groups_of_other_vpc, {"sg-1": "vpc-1", "sg-2": "vpc-2"}, "vpc-1"),
        "got sg-2 of vpc-2",
    ),
    Row("SECURITY_GROUPS_OF_OTHER_VPC", partial(security_groups_of_other_vpc, {"sg-1": "vpc-1"}, "vpc-1"), None),
)
