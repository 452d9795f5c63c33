"""Whether a file system outlives its stack, and what shares its fate."""

from collections.abc import Iterable

from aws_cdk import CfnDeletionPolicy, CfnResource, RemovalPolicy
from constructs import Construct, IConstruct

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind

ALLOW_DESTROY = "epochwise:allow-destroy"
"""Context flag that must be true before a persistent file system is destroyed."""


@arguments_of_their_kind()
def destroy_is_allowed(scope: Construct) -> bool:
    """Tell whether the app's context lets persistent file systems be destroyed."""
    return str(scope.node.try_get_context(ALLOW_DESTROY)).lower() == "true"


def is_retained(scope: Construct, deployment_type: DeploymentType, removal_policy: RemovalPolicy | None) -> bool:
    """Decide whether a file system outlives its stack: a persistent one is destroyed only with both keys."""
    if removal_policy is None:
        return not deployment_type.is_scratch
    if removal_policy is not RemovalPolicy.DESTROY:
        return True
    return not deployment_type.is_scratch and not destroy_is_allowed(scope)


def apply_removal(constructs: Iterable[IConstruct], *, retained: bool) -> None:
    """Keep resources, or let them go, with the file system."""
    policy = CfnDeletionPolicy.RETAIN if retained else CfnDeletionPolicy.DELETE
    for construct in constructs:
        resource = construct.node.default_child or construct
        assert isinstance(resource, CfnResource)  # noqa: S101 - what is created here is one, or is made of one
        resource.cfn_options.deletion_policy = policy
        resource.cfn_options.update_replace_policy = policy
