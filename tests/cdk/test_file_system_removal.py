"""What an app's aspects do to a file system that is retained: data is destroyed by two keys, however one is turned."""

from collections.abc import Callable
from typing import Any

import jsii
import pytest
from aws_cdk import App, Aspects, CfnResource, IAspect, RemovalPolicies, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template
from constructs import IConstruct

from tests.cdk.file_systems import FILE_SYSTEM, PERSISTENT_2, SCRATCH_2, build, imported_vpc

ALLOWED = {"epochwise:allow-destroy": True}
KEPT = (FILE_SYSTEM, "AWS::FSx::DataRepositoryAssociation", "AWS::EC2::SecurityGroup", "AWS::EC2::SecurityGroupIngress")


@jsii.implements(IAspect)
class LetGo:
    """An aspect of an app that says nothing of its place."""

    def visit(self, node: IConstruct) -> None:
        if isinstance(node, CfnResource):
            node.apply_removal_policy(RemovalPolicy.DESTROY)


WAYS: dict[str, Callable[[Stack], object]] = {
    "removal policies": lambda stack: RemovalPolicies.of(stack).destroy(),
    "aspect of the app": lambda stack: Aspects.of(stack).add(LetGo()),
}


def linked(app: App, settings: dict[str, Any]) -> Stack:
    """Return a stack with a linked file system between groups of the app, and a bucket beside it."""
    stack = Stack(app, "test")
    vpc = imported_vpc(stack)
    groups = [ec2.SecurityGroup(stack, name, vpc=vpc) for name in ("Servers", "Clients")]
    file_system = build(stack, **settings, security_groups=groups[:1], client_security_groups=groups[1:])
    file_system.link_bucket(s3.Bucket(stack, "Data"))
    return stack


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("settings", "context", "kept"),
    [(PERSISTENT_2, {}, True), (PERSISTENT_2, ALLOWED, False), (SCRATCH_2, {}, False)],
)
def test_an_aspect_is_one_key_of_two(
    new_app: Callable[..., App], way: str, settings: dict[str, Any], context: dict[str, Any], kept: bool
) -> None:
    stack = linked(new_app(**context), settings)
    WAYS[way](stack)
    template = Template.from_stack(stack)
    found = {name: each for kind in KEPT for name, each in template.find_resources(kind).items()}
    policies = {
        (each["DeletionPolicy"], each["UpdateReplacePolicy"])
        for name, each in found.items()
        if not name.startswith("Clients")
    }
    assert policies == ({("Retain", "Retain")} if kept else {("Delete", "Delete")})
    warned = Annotations.from_stack(stack).find_warning("/test/FileSystem", Match.string_like_regexp("DESTROY_NOT"))
    assert len(warned) == (1 if kept else 0)
    template.has_resource("AWS::S3::Bucket", {"DeletionPolicy": "Delete"})


def test_what_keeps_a_file_system_in_its_own_way_is_left_alone(new_app: Callable[..., App]) -> None:
    stack = linked(new_app(), PERSISTENT_2)
    RemovalPolicies.of(stack).retain_on_update_or_delete()
    template = Template.from_stack(stack)
    template.has_resource(FILE_SYSTEM, {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"})
    Annotations.from_stack(stack).has_no_warning("*", Match.string_like_regexp("DESTROY_NOT"))
