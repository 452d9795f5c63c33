"""In which Region, account and Stage the things are that a construct is given, and what follows where they differ.

The CDK itself finds out when it writes the templates, and then says so in an error of its own, or writes what no deploy
takes. What is seen here is a reference into another Stage, account or Region, and one between a stack that knows its
environment and one that does not. What is imported by an id, a name or an ARN takes no reference, and is judged by the
Region and account that these name.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aws_cdk import CfnElement, Reference, Stack, Stage, Tokenization
from aws_cdk import aws_ec2 as ec2
from constructs import Construct, IConstruct

from epochwise.catalog.zones import region_of_zone
from epochwise.cdk.stack_order import depends_on, is_in_stack, is_of_stack
from epochwise.cdk.tokens import is_token
from epochwise.checks.finding import Finding
from epochwise.checks.same_environment import (
    KnownEnvironment,
    UsedThing,
    construct_of_later_stack,
    construct_of_other_account,
    construct_of_other_region,
    construct_of_other_stage,
    environment_known_to_one,
)

_BY_NAME = ("bucket_name", "instance_profile_arn")
"""Attributes by which things of other Regions are named too."""
_IN_ACCOUNT = ("log_group_arn",)
"""Attributes of what FSx takes from its own account only."""
_HANDLES = (
    *("vpc_id", "subnet_id", "security_group_id", "key_arn", "topic_arn", "file_system_id", "state_machine_arn"),
    *_BY_NAME,
    *_IN_ACCOUNT,
)
"""Attributes by which templates name things."""
_OTHER_WAY = ("client", "client_security_groups", "peer")
"""Arguments whose stack may be the later one: rules between groups belong into that one."""
_REFERENCE = re.compile(r'"Ref": "(?!AWS::)|"Fn::GetAtt"')
_REGION_OF_HOST = re.compile(r"\.fsx\.(?P<region>[a-z0-9-]+)\.amazonaws\.")


def environment_of(construct: IConstruct) -> KnownEnvironment:
    """Return where a construct's stack is deployed."""
    stack = Stack.of(construct)
    stage = Stage.of(construct)
    return KnownEnvironment(_known(stack.account), _known(stack.region), "" if stage is None else stage.node.path)


def environment_findings(given: Mapping[str, object]) -> Iterator[Finding]:
    """Yield what is wrong with the places of a call's arguments beside that of what is made, or called."""
    home = next((each for each in map(given.get, ("scope", "self", "stack")) if isinstance(each, Construct)), None)
    others = {name: value for name, value in given.items() if value is not home and name not in {"self", "cls"}}
    used = [(name, each) for name, value in others.items() for each in _things(value)]
    if home is None or not used or not is_in_stack(home):
        return
    here = environment_of(home)
    for name, each in used:
        if not isinstance(each, ec2.UserData):
            yield from _first(_used(name, part, home, here) for part in _parts(each))
        elif "scope" in given:
            yield from _first(_used_in_text(name, each.render(), home, here))


def awaited_findings(argument: str, construct: IConstruct, home: IConstruct) -> Iterator[Finding]:
    """Yield what is wrong with a thing that a resource of another construct waits for without naming it."""
    if is_of_stack(construct, home) or not any(CfnElement.is_cfn_element(each) for each in construct.node.find_all()):
        return
    there = environment_of(construct)
    used = UsedThing(
        argument=argument, name=construct.node.path, of=there, stack=Stack.of(construct).node.path, awaited=True
    )
    yield from construct_of_other_stage(used, environment_of(home), home.node.path)
    yield from _later(used, construct, home)


def _first(found: Iterable[Iterator[Finding]]) -> Iterator[Finding]:
    """Yield what is said of the first of several things of which anything is said."""
    yield from next(filter(None, map(list, found)), [])


def _used(argument: str, thing: IConstruct, home: Construct, here: KnownEnvironment) -> Iterator[Finding]:
    """Yield what is wrong with the place of one thing."""
    if thing.node.root is not home.node.root:
        return
    if argument == "grantee":
        # the grantee's rights name what is called
        called = _parts(home)[0]
        handle, told = _handle(called), _reach(called, thing)
    else:
        handle, told = _handle(thing), _reach(thing, home)
    if handle is None:
        return
    used = UsedThing(
        argument=argument,
        name=thing.node.path,
        of=environment_of(thing) if told["referred"] else _environment_of_import(thing, here),
        stack=Stack.of(thing).node.path,
        regional=handle not in _BY_NAME and argument != "grantee",
        in_account=handle in _IN_ACCOUNT,
        awaited=told["referred"],
        **told,
    )
    yield from _findings(used, here, home.node.path)
    if argument not in (*_OTHER_WAY, "grantee"):
        yield from _later(used, thing, home)


def _used_in_text(argument: str, text: str, home: Construct, here: KnownEnvironment) -> Iterator[Iterator[Finding]]:
    """Yield what is wrong with each thing that a text refers to."""
    for token in Tokenization.reverse_string(text).tokens:
        if isinstance(token, Reference) and not is_of_stack(token.target, home):
            yield _findings(
                UsedThing(
                    argument=argument,
                    name=token.target.node.path,
                    of=environment_of(token.target),
                    referred=True,
                    awaited=True,
                ),
                here,
                home.node.path,
            )


def _findings(used: UsedThing, here: KnownEnvironment, place: str) -> Iterator[Finding]:
    """Yield what every rule of an environment says."""
    for rule in (
        construct_of_other_region,
        construct_of_other_account,
        construct_of_other_stage,
        environment_known_to_one,
    ):
        yield from rule(used, here, place)


def _later(used: UsedThing, thing: IConstruct, home: IConstruct) -> Iterator[Finding]:
    """Yield what is wrong where the thing's stack is known to wait for the construct's."""
    if used.awaited:
        later = depends_on(Stack.of(thing), Stack.of(home))
        yield from construct_of_later_stack(used, Stack.of(home).node.path, later=later)


def _reach(thing: IConstruct, home: IConstruct) -> dict[str, bool]:
    """Tell how a construct's template names a thing: by a reference to another stack, and whether there is none."""
    told = {"referred": False, "nameless": False}
    handle = _handle(thing)
    named = None if handle is None else getattr(thing, handle)
    if not is_token(named, str) or is_of_stack(thing, home):
        return told
    try:
        resolved = json.dumps(Stack.of(home).resolve(named))
    except RuntimeError:
        # how CDK says that the name is chosen by a deploy elsewhere
        return {"referred": True, "nameless": True}
    return told | {"referred": _REFERENCE.search(resolved) is not None}


def _environment_of_import(thing: Any, here: KnownEnvironment) -> KnownEnvironment:
    """Return where something is that the app names itself: what its attributes say, or else where it is imported."""
    stack = environment_of(thing) if not hasattr(thing, "env") else None
    account = stack.account if stack else _known(thing.env.account)
    region = stack.region if stack else _known(thing.env.region)
    return KnownEnvironment(account, _region_of_attributes(thing) or region, here.stage)


def _region_of_attributes(thing: Any) -> str | None:
    """Return the Region that a zone or a host's name is of."""
    if host := _REGION_OF_HOST.search(getattr(thing, "dns_name", "")):
        return host["region"]
    if getattr(thing, "subnet_id", None) is None or thing.node.default_child is not None:
        return None
    try:
        return region_of_zone(thing.availability_zone)
    except RuntimeError:
        # how CDK says that an imported subnet was given no zone
        return None


def _handle(thing: IConstruct) -> str | None:
    """Return the attribute by which templates name a thing; None for what they do not name."""
    return next((each for each in _HANDLES if hasattr(thing, each)), None)


def _parts(construct: Any) -> list[IConstruct]:
    """Return what of a construct templates name: the parts of a network, the state machine of a job, or itself."""
    if hasattr(construct, "private_subnet"):
        return [construct.vpc, construct.private_subnet, *construct.security_groups]
    return [construct.state_machine] if hasattr(construct, "state_machine") else [construct]


def _things(value: Any) -> Iterator[Any]:
    """Yield what of an argument is a construct, or a text that may refer to some."""
    for each in value if isinstance(value, list | tuple) else [value]:
        if isinstance(each, ec2.UserData) or (hasattr(each, "node") and not Stack.is_stack(each)):
            yield each


def _known(text: str) -> str | None:
    """Return an account or a Region, None where only the deploy knows it."""
    return None if is_token(text, str) else text
