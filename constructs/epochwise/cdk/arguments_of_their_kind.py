"""What every construct and method asks of its arguments first: that each is of the kind its signature says.

A resource is known by the interface that its class names, not by the attributes that it happens to have: a CfnBucket
has a name and is no `s3.IBucket`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

import jsii
from aws_cdk import IResolvable
from constructs import Construct, IConstruct
from jsii._reference_map import InterfaceDynamicProxy
from typing_extensions import is_protocol

from epochwise.cdk.same_environment import environment_findings
from epochwise.cdk.stack_order import is_in_stack
from epochwise.cdk.tokens import is_token
from epochwise.checks import hint_kinds
from epochwise.checks.construct_place import (
    construct_id_invalid,
    construct_id_taken,
    construct_of_other_app,
    scope_without_stack,
)
from epochwise.checks.finding import Finding
from epochwise.checks.judged_arguments import Arguments, Rule, judged_arguments

P = ParamSpec("P")
T = TypeVar("T")
_MAKE = "create or import one and pass it"
_THINGS: Mapping[str, tuple[str, str]] = {
    "BucketLinking": ("a file system of this app", "pass a TrainingFileSystem"),
    "Construct": ("a construct in a stack", "pass self, or the stack"),
    "Duration": ("a Duration", "write it like Duration.minutes(5)"),
    "IBucket": ("a bucket", _MAKE),
    "IConnectable": ("what has connections", "pass an instance, a security group, or addresses as ec2.Peer.ipv4(…)"),
    "IGrantable": ("what rights are granted to", "pass a role, a user or a principal"),
    "IInterfaceVpcEndpointService": (
        "a service of an interface endpoint",
        "pass one, such as ec2.InterfaceVpcEndpointAwsService.STS",
    ),
    "IKey": ("a KMS key", _MAKE),
    "ILogGroup": ("a log group", _MAKE),
    "ISecurityGroup": ("a security group", _MAKE),
    "ISubnet": ("a subnet", _MAKE),
    "ITopic": ("an SNS topic", _MAKE),
    "IVpc": ("a VPC", _MAKE),
    "LustreFileSystem": ("a file system", "pass a TrainingFileSystem, created or from_attributes"),
    "Port": ("a port", "write it like ec2.Port.tcp(988)"),
    "Stack": ("a stack", "pass Stack.of(self)"),
    "UserData": ("user data", "pass the user data of an instance or a launch template"),
}


def arguments_of_their_kind(
    *numbers_of_deploy: str, anywhere: bool = False, **instead: Rule
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator for a construct's `__init__` or a method: wrong kinds are refused before anything is made.

    Args:
        numbers_of_deploy: arguments that may be numbers which only the deploy knows.
        anywhere: whether constructs may be of any Region, account and Stage, since they are only asked about.
        instead: by an argument's name, what is said of a wrong kind in place of the general words.

    Raises:
        ValueError: by the function, with every argument of the wrong kind.
    """
    return judged_arguments(
        hint_kinds.Judge(is_one=is_one, thing_of=_thing_of, shown=shown, later=_is_of_deploy),
        skips=lambda name, value: name in numbers_of_deploy and is_token(value, int),
        then=lambda given: (*_place_findings(given), *_app_findings(given, anywhere=anywhere)),
        **instead,
    )


def is_one(value: object, wanted: type) -> bool:
    """Tell whether a value is one of a class, or of an interface of the CDK that its class names."""
    if not is_protocol(wanted):
        return isinstance(value, wanted)
    if isinstance(value, InterfaceDynamicProxy):
        # what the CDK returns of a class that it does not export, such as an import: one part for each interface
        return any(is_one(each, wanted) for each in value._delegates)
    named = (interface for each in type(value).__mro__ for interface in each.__dict__.get("__jsii_ifaces__", ()))
    return isinstance(value, jsii.proxy_for(wanted)) or any(wanted in interface.__mro__ for interface in named)


def shown(value: object) -> str:
    """Write a value of the wrong kind for a message."""
    if _is_of_deploy(value):
        return "a token, which only the deploy knows"
    if isinstance(value, InterfaceDynamicProxy):
        if isinstance(addresses := getattr(value, "unique_id", None), str):
            # a peer of a rule, such as 10.0.0.0/16
            return addresses
        return hint_kinds.with_article(type(value._delegates[-1]).__name__.removeprefix("_").removesuffix("Proxy"))
    return hint_kinds.shown(value)


def _thing_of(wanted: type) -> tuple[str, str]:
    """Return what a thing is called, and how one comes by it."""
    return _THINGS.get(wanted.__name__) or hint_kinds.thing_of(wanted)


def _is_of_deploy(value: object) -> bool:
    """Tell whether only the deploy knows a value, however it is written."""
    return is_token(value, str) or is_token(value, int) or is_one(value, IResolvable)


def _place_findings(given: Arguments) -> Iterator[Finding]:
    """Yield what is wrong with the place of a construct that is to be made."""
    scope, construct_id = given.get("scope"), given.get("construct_id")
    if not isinstance(scope, Construct) or not isinstance(construct_id, str):
        return
    token = is_token(construct_id, str)
    yield from construct_id_invalid(construct_id, token=token)
    yield from scope_without_stack(scope.node.path or type(scope).__name__, in_stack=is_in_stack(scope))
    if construct_id and not token:
        taken = scope.node.try_find_child(construct_id) is not None
        yield from construct_id_taken(construct_id, scope.node.path, taken=taken)


def _app_findings(given: Arguments, *, anywhere: bool) -> Iterator[Finding]:
    """Yield what is wrong with constructs of another app, or environment, than the scope, or than what is called."""
    # a construct that is being made has no place yet
    placed = {name: value for name, value in given.items() if name != "self" or "scope" not in given}
    found = [(name, each) for name, value in placed.items() for each in _constructs(value)]
    app = found[0][1].node.root if len(found) > 1 else None
    for name, each in found[1:]:
        yield from construct_of_other_app(name, each.node.path, same_app=each.node.root is app)
    if not anywhere:
        yield from environment_findings(given)


def _constructs(value: Any) -> Iterator[IConstruct]:
    """Yield what of an argument is a construct."""
    yield from (each for each in (value if isinstance(value, list | tuple) else [value]) if is_one(each, IConstruct))
