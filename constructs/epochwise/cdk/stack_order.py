"""Which of two stacks is deployed first, as far as a construct can tell when it is made."""

from collections.abc import Iterable

from aws_cdk import Stack, Token
from aws_cdk import aws_ec2 as ec2
from constructs import IConstruct

from epochwise.cdk.same_vpc import created_vpc


def comes_later(group: ec2.ISecurityGroup, construct: IConstruct, *, needs: Iterable[IConstruct]) -> bool:
    """Tell whether a security group is of a stack that is deployed after a construct's.

    Rules between the two then belong into the group's stack, since a stack cannot refer to one that refers to it. What
    references there will be is known at synth only. A stack is later where it is declared to depend on the construct's,
    or holds a group of a VPC that the construct's stack makes; it is earlier where the construct needs it. Otherwise
    stacks are taken to be deployed in the order in which the app makes them, as a stack that is handed something of
    another is made after it.

    Args:
        group: of another stack, or of the same.
        construct: refers to the group, or is referred to.
        needs: what the construct refers to in other stacks.
    """
    here, there = Stack.of(construct), Stack.of(group)
    if is_of_stack(here, there) or not Token.is_unresolved(group.security_group_id):
        return False
    made = group.node.default_child
    vpc = created_vpc(made.vpc_id) if isinstance(made, ec2.CfnSecurityGroup) else None
    if here.node.addr in _with_dependencies([there, *([] if vpc is None else [Stack.of(vpc)])]):
        return True
    if there.node.addr in _with_dependencies([here, *(Stack.of(each) for each in needs)]):
        return False
    return _is_made_after(there, here)


def is_in_stack(construct: IConstruct) -> bool:
    """Tell whether a construct is a stack, or in one."""
    return any(Stack.is_stack(each) for each in construct.node.scopes)


def is_of_stack(one: IConstruct, other: IConstruct) -> bool:
    """Tell whether two constructs are of one stack."""
    return Stack.of(one).node.addr == Stack.of(other).node.addr


def come_after(construct: IConstruct, file_system_id: str, file_system: IConstruct) -> None:
    """Declare that a construct's stack is deployed after that of the file system it refers to.

    The CDK finds that out at synth; from now on it is known to whoever asks, such as a bucket that is linked later.
    """
    here, there = Stack.of(construct), Stack.of(file_system)
    nested = here.nested_stack_parent is not None or there.nested_stack_parent is not None
    if Token.is_unresolved(file_system_id) and not nested and not is_of_stack(here, there):
        here.add_stack_dependency(there)


def depends_on(one: Stack, other: Stack) -> bool:
    """Tell whether a stack is declared to be deployed after another one."""
    return one.node.addr != other.node.addr and other.node.addr in _with_dependencies([one])


def _with_dependencies(stacks: Iterable[Stack]) -> set[str]:
    """Return the addresses of stacks and of those that they are declared to depend on."""
    left, found = list(stacks), set[str]()
    while left:
        stack = left.pop()
        if stack.node.addr not in found:
            found.add(stack.node.addr)
            left += stack.dependencies
    return found


def _is_made_after(one: Stack, other: Stack) -> bool:
    """Tell whether an app makes a stack after another one: it keeps what it is made of in that order."""
    paths = [[each.node.addr for each in stack.node.scopes] for stack in (one, other)]
    shared = [each for each, same in zip(*paths, strict=False) if each == same]
    parent = next(each for each in one.node.scopes if each.node.addr == shared[-1])
    order = [parent.node.addr, *(child.node.addr for child in parent.node.children)]
    first, second = (order.index((*path[len(shared) :], shared[-1])[0]) for path in paths)
    return first > second
