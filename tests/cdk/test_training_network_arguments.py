"""Whatever Python can judge of a network's arguments is refused by Python, and in words."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Fn, Stack
from aws_cdk import aws_ec2 as ec2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epochwise.cdk.training_network import TrainingNetwork

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", " ", "4", True, 2.5, float("nan"), float("inf"), -1, 0, 10**30, [], {}, b"4", "é"]
)
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "nodes": st.integers(-2, 20_000) | ODD,
    "instance_type": st.sampled_from(["ml.p4d.24xlarge", "p5.48xlarge", "ml.g5.xlarge", "ml.p4d", "ml."]) | ODD,
    "availability_zone": st.sampled_from(["us-east-1a", "use1-az4", "us-east-1", "az4", "us-east-1a ", ["us-east-1a"]])
    | ODD,
    "vpc_cidr": st.sampled_from(
        ["10.0.0.0/16", "10.1.0.0/16", "10.0.0.0/8", "10.0.0.0/33", "fd00::/16", "224.0.0.0/16"]
    )
    | ODD,
    "nat_gateways": st.integers(-2, 3) | ODD,
    "subnet_prefix_length": st.integers(10, 34) | ODD,
    "file_system_servers": st.integers(-2, 40_000) | ODD,
    "interface_endpoints": st.lists(st.sampled_from([ec2.InterfaceVpcEndpointAwsService.STS]), max_size=2)
    | st.lists(ODD, max_size=2)
    | ODD,
    "flow_logs": st.booleans() | ODD,
    "flow_log_retention": ODD,
    "vpc": ODD,
    "subnet": ODD,
    "subnets": st.lists(ODD, max_size=2) | ODD,
    "security_groups": st.lists(ODD, max_size=6) | ODD,
}
LEGAL: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    """Return legal arguments of which up to three are something else."""
    changed = draw(st.sets(st.sampled_from(sorted(ARGUMENTS)), min_size=1, max_size=3))
    return LEGAL | {name: draw(ARGUMENTS[name]) for name in sorted(changed)}


def refusal(stack: Stack, arguments: dict[str, Any]) -> str:
    """Return what a network is refused with, empty where it is not; anything but a ValueError is the test's failure."""
    try:
        TrainingNetwork(stack, "Network", **arguments)
    except ValueError as error:
        return str(error)
    return ""


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments=arguments())
def test_arguments_make_a_network_or_a_value_error_that_leaves_nothing_behind(
    new_app: Callable[..., App], arguments: dict[str, Any]
) -> None:
    stack = Stack(new_app(), "test")
    refused = refusal(stack, arguments)
    assert (stack.node.try_find_child("Network") is None) == bool(refused)
    for line in refused.splitlines():
        assert re.fullmatch(r"\S.*; .*\S \[[A-Z0-9_]+\]", line), "a sentence, the fix and the id in each line"


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_an_argument_of_the_wrong_kind_is_named(new_app: Callable[..., App], name: str) -> None:
    values: list[Any] = [2.5, {}, b"4", float("nan")]
    for value in values:
        assert name in refusal(Stack(new_app(), "test"), LEGAL | {name: value})


def test_a_value_that_only_the_deploy_knows_is_told_as_such(stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"got a token, which only the deploy knows; .*\[VPC_CIDR_ILLEGAL\]"):
        TrainingNetwork(stack, "Network", nodes=1, instance_type="p4d.24xlarge", vpc_cidr=Fn.import_value("cidr"))
