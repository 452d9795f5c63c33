"""Images of nodes: those that a template takes, and those that would not start, not be found or not mount."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match

from epochwise.cdk.node_launch_template import NodeLaunchTemplate
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import imported_vpc

HERE, ELSEWHERE = {"eu-west-1": "ami-0123456789abcdef0"}, {"us-east-1": "ami-0123456789abcdef0"}
ARM = ec2.AmazonLinuxCpuType.ARM_64
WINDOWS = ec2.WindowsVersion.WINDOWS_SERVER_2022_ENGLISH_FULL_BASE
UBUNTU_ARM = "/aws/service/canonical/ubuntu/server/22.04/stable/current/arm64/hvm/ebs-gp2/ami-id"
IMAGE = ec2.MachineImage
KNOWN = Environment(account="123456789012", region="eu-west-1")


def launched(app: App, image: ec2.IMachineImage, env: Environment | None = None, **settings: Any) -> Stack:
    """Create a template of nodes with an image, and return its stack."""
    stack = Stack(app, "nodes", env=env)
    vpc = imported_vpc(stack, zone="us-east-1a" if env is None else f"{env.region}a")
    network = TrainingNetwork(stack, "Network", vpc=vpc, nodes=4, instance_type="p5.48xlarge")
    before = [child.node.id for child in stack.node.children]
    try:
        NodeLaunchTemplate(
            stack, "Nodes", network=network, image=image, **({"instance_type": "p5.48xlarge"} | settings)
        )
    except ValueError:
        assert [child.node.id for child in stack.node.children] == before
        raise
    return stack


@pytest.mark.parametrize(
    ("make", "env", "says"),
    [
        (lambda: IMAGE.generic_linux(ELSEWHERE), KNOWN, "of eu-west-1, got a map of us-east-1; .*IMAGE_NOT_OF_REGION"),
        (lambda: IMAGE.generic_linux({}), None, "got a map of no known Region; .*IMAGE_NOT_OF_REGION"),
        (lambda: IMAGE.lookup(name="golden"), None, "without account and region; .*IMAGE_LOOKUP_WITHOUT_ENV"),
        (
            lambda: IMAGE.latest_amazon_linux2023(cached_in_context=True),
            Environment(region="eu-west-1"),
            "got a stack without account; .*IMAGE_LOOKUP_WITHOUT_ENV",
        ),
        (lambda: IMAGE.latest_windows(WINDOWS), None, "got a WindowsImage of Windows; .*IMAGE_NOT_LINUX"),
        (lambda: IMAGE.generic_windows(HERE), KNOWN, "got a GenericWindowsImage of Windows; .*IMAGE_NOT_LINUX"),
        (lambda: IMAGE.lookup(name="golden", windows=True), KNOWN, "of Windows; .*IMAGE_NOT_LINUX"),
        (
            lambda: IMAGE.latest_amazon_linux2023(cpu_type=ARM),
            None,
            "p5.48xlarge has, got .* for arm64; .*ARCHITECTURE",
        ),
        (
            lambda: IMAGE.from_ssm_parameter(UBUNTU_ARM),
            KNOWN,
            "for x86_64, .* for arm64; .*IMAGE_OF_OTHER_ARCHITECTURE",
        ),
    ],
)
def test_an_image_that_cannot_be_is_refused_and_leaves_nothing(
    new_app: Callable[..., App], make: Callable[[], ec2.IMachineImage], env: Environment | None, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        launched(new_app(), make(), env)


@pytest.mark.parametrize(
    ("make", "env", "instance_type"),
    [
        (lambda: IMAGE.generic_linux(HERE | ELSEWHERE), KNOWN, "p5.48xlarge"),
        (lambda: IMAGE.lookup(name="golden"), KNOWN, "p5.48xlarge"),
        (lambda: IMAGE.latest_amazon_linux2023(cpu_type=ARM), None, "hpc7g.16xlarge"),
        (lambda: IMAGE.from_ssm_parameter("/golden/arm64"), None, "p5.48xlarge"),
        (lambda: IMAGE.resolve_ssm_parameter_at_launch("/golden"), None, "p5.48xlarge"),
    ],
)
def test_an_image_that_may_be_is_taken(
    new_app: Callable[..., App], make: Callable[[], ec2.IMachineImage], env: Environment | None, instance_type: str
) -> None:
    stack = launched(new_app(), make(), env, instance_type=instance_type)
    assert stack.node.try_find_child("Nodes") is not None


def test_a_map_of_images_in_a_stack_without_a_region_is_warned_about(new_app: Callable[..., App]) -> None:
    stack = launched(new_app(), IMAGE.generic_linux(ELSEWHERE))
    warning = Match.string_like_regexp("AMIs of us-east-1: a deploy to another Region fails")
    assert Annotations.from_stack(stack).find_warning("/nodes/Nodes", warning)


def test_a_type_that_starts_in_no_placement_group_is_refused(new_app: Callable[..., App]) -> None:
    with pytest.raises(ValueError, match=r"got t3\.large; .*INSTANCE_TYPE_NOT_CLUSTERED"):
        launched(new_app(), IMAGE.latest_amazon_linux2023(), instance_type="t3.large")


def test_user_data_above_ec2s_limit_is_refused(new_app: Callable[..., App]) -> None:
    user_data = ec2.UserData.custom("#!/bin/bash\n" + "#" * 16_384)
    with pytest.raises(ValueError, match=r"got 16396; .*USER_DATA_TOO_LARGE"):
        launched(new_app(), IMAGE.latest_amazon_linux2023(), user_data=user_data)


def test_user_data_of_windows_is_refused(new_app: Callable[..., App]) -> None:
    with pytest.raises(ValueError, match=r"got a script of Windows; .*NODE_USER_DATA_OF_WINDOWS"):
        launched(new_app(), IMAGE.latest_amazon_linux2023(), user_data=ec2.UserData.for_windows())
