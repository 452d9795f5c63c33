"""Boundaries of what is said about a network."""

from functools import partial
from typing import Any

from epochwise.checks.finding import Finding
from epochwise.checks.network import network_findings
from tests.checks.boundaries import Row


def _network(**changes: Any) -> list[Finding]:
    settings: dict[str, Any] = {
        "nodes": 4,
        "instance_type": "ml.p4d.24xlarge",
        "file_system_servers": 3,
        "subnet_prefix_length": 24,
        "nat_gateways": 1,
    }
    return list(network_findings(**settings | changes))


CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("NODES_NOT_POSITIVE", {"nodes": 0}, "got 0"),
    ("NODES_NOT_POSITIVE", {"nodes": 1}, None),
    ("INSTANCE_TYPE_UNKNOWN", {"instance_type": "ml.p4d.25xlarge"}, "got 'ml.p4d.25xlarge'"),
    ("INSTANCE_TYPE_UNKNOWN", {"instance_type": "p4d.24xlarge"}, None),
    ("SUBNET_PREFIX_OUT_OF_RANGE", {"subnet_prefix_length": 16}, "got 16"),
    ("SUBNET_PREFIX_OUT_OF_RANGE", {"subnet_prefix_length": 29}, "got 29"),
    ("SUBNET_PREFIX_OUT_OF_RANGE", {"subnet_prefix_length": 17}, None),
    ("SUBNET_PREFIX_OUT_OF_RANGE", {"subnet_prefix_length": 28, "nodes": 1}, None),
    ("SUBNET_TOO_SMALL", {"subnet_prefix_length": 27, "file_system_servers": 8}, "need 28"),
    ("SUBNET_TOO_SMALL", {"subnet_prefix_length": 27, "file_system_servers": 7}, None),
    ("NAT_GATEWAYS_OUT_OF_RANGE", {"nat_gateways": 2}, "got 2"),
    ("NAT_GATEWAYS_OUT_OF_RANGE", {"nat_gateways": -1}, "got -1"),
    ("NAT_GATEWAYS_OUT_OF_RANGE", {"nat_gateways": 0}, None),
]

ROWS = tuple(Row(finding_id, partial(_network, **changes), says) for finding_id, changes, says in CASES)
