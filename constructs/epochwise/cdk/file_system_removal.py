"""Whether a file system outlives its stack, and what shares its fate."""

from collections.abc import Iterable

import jsii
from aws_cdk import AspectPriority, Aspects, CfnDeletionPolicy, CfnResource, IAspect, RemovalPolicy
from constructs import Construct, IConstruct

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.findings import annotate
from epochwise.checks.file_system_backups import destroy_not_allowed

ALLOW_DESTROY = "epochwise:allow-destroy"
"""Context flag that must be true before a persistent file system is destroyed."""
_KEEPING = (CfnDeletionPolicy.RETAIN, CfnDeletionPolicy.RETAIN_EXCEPT_ON_CREATE)
_LATE = AspectPriority.DEFAULT + 100
"""After `RemovalPolicies.of(…)` and aspects of an app that say nothing of their place."""


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


@jsii.implements(IAspect)
class KeptResources:
    """What outlives the stack with a persistent file system, also where an aspect lets everything around it go.

    `RemovalPolicies.of(stack).destroy()` is one key of two, as `removal_policy` is. What keeps a resource in its own
    way, such as RETAIN_ON_UPDATE_OR_DELETE, is left alone.
    """

    def __init__(self, file_system: Construct) -> None:
        """Begin with nothing that is kept, of a file system that is retained."""
        self._file_system = file_system
        self._kept: set[str] = set()
        self._told = False
        Aspects.of(file_system).add(self, priority=_LATE)

    def add(self, constructs: Iterable[IConstruct]) -> None:
        """Keep resources; those of other constructs are looked after where they stand."""
        for construct in constructs:
            resource = construct.node.default_child or construct
            if resource.node.addr not in self._kept:
                self._kept.add(resource.node.addr)
                if self._file_system.node.addr not in (each.node.addr for each in resource.node.scopes):
                    Aspects.of(resource).add(self, priority=_LATE)

    def visit(self, node: IConstruct) -> None:
        """Keep a resource that an aspect let go, and say so once."""
        if not isinstance(node, CfnResource) or node.node.addr not in self._kept:
            return
        options = node.cfn_options
        if options.deletion_policy in _KEEPING and options.update_replace_policy in _KEEPING:
            return
        apply_removal([node], retained=True)
        if not self._told:
            self._told = True
            annotate(self._file_system, [destroy_not_allowed()])
