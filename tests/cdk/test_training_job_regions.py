"""A job runs in the Region that its workload declares, and nowhere else."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk.assertions import Template

from epochwise import TrainingFileSystem, Workload
from epochwise.catalog.debugger import evaluator_image
from tests.cdk.jobs import file_system_in, job_in, network_in


@pytest.fixture
def placed(new_app: Callable[..., App]) -> Callable[[str], Stack]:
    return lambda region: Stack(new_app(), "test", env=Environment(account="123456789012", region=region))


def test_a_stack_of_another_region_than_the_workloads_is_refused(
    placed: Callable[[str], Stack], guide: Workload
) -> None:
    stack = placed("eu-west-1")
    network = network_in(stack, availability_zone="eu-west-1a")
    with pytest.raises(ValueError, match=r"workload is us-east-1, and it is deployed to eu-west-1; set region to"):
        job_in(stack, guide, network, file_system_in(stack, network))


def test_a_file_system_for_a_workload_of_another_region_is_refused(
    placed: Callable[[str], Stack], guide: Workload
) -> None:
    stack = placed("eu-west-1")
    network = network_in(stack, availability_zone="eu-west-1a")
    where: dict[str, Any] = {"vpc": network.vpc, "subnet": network.private_subnet}
    with pytest.raises(ValueError, match=r"it is deployed to eu-west-1; .*\[WORKLOAD_OF_OTHER_REGION\]$"):
        TrainingFileSystem.for_workload(stack, "Planned", workload=guide, **where)
    assert stack.node.try_find_child("Planned") is None


def test_a_file_system_of_another_region_is_refused(new_app: Callable[..., App], guide: Workload) -> None:
    app = new_app()
    east, west = (Stack(app, name, env=Environment(region=name)) for name in ("us-east-1", "us-west-2"))
    network = network_in(east)
    with pytest.raises(ValueError, match=r"file_system must be in us-east-1, .* in us-west-2; .*OTHER_REGION\]"):
        job_in(east, guide, network, file_system_in(west, network_in(west)))


def test_where_only_the_deploy_knows_the_region_it_is_refused_in_any_other(
    placed: Callable[[str], Stack], templates: dict[str, Template], guide: Workload
) -> None:
    agnostic = templates["training"]
    [(name, only)] = agnostic.find_mappings("*").items()
    assert only == {"us-east-1": {"Name": "us-east-1"}}
    text = json.dumps(agnostic.find_resources("AWS::StepFunctions::StateMachine"))
    assert json.dumps({"Fn::FindInMap": [name, {"Ref": "AWS::Region"}, "Name"]}) in text
    assert str(evaluator_image("us-east-1")) in text

    stack = placed("us-east-1")
    network = network_in(stack, availability_zone="us-east-1a")
    job_in(stack, guide, network, file_system_in(stack, network))
    assert Template.from_stack(stack).find_mappings("*") == {}
