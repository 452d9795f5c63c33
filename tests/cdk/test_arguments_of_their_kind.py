"""Whatever is given to whatever is public: it is taken, or refused in words, and a refusal leaves nothing behind."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Aws, Duration, RemovalPolicy, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from constructs import Construct
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epochwise import Plan
from tests.cdk.legal_calls import LegalCalls
from tests.cdk.public_callables import PublicCallable, every_callable

REFUSAL = re.compile(r"[a-z]\S* .*\S; .*\S \[[A-Z0-9_]+\]")
EXAMPLES_PER_ARGUMENT = 10
TAKING = [each for each in every_callable() if each.hints]
PLAIN: list[Any] = [
    *[None, True, False, 0, -1, 1, 2.0, 1.5, -0.5, 2**31, 10**400, 10**5000],
    *[float("nan"), float("inf"), float("-inf")],
    *["", " ", "x", "2", "é", "a/b", "\ud800", "\x00", "True", "x" * 300, "a\nb"],
    *[b"", b"x", object(), lambda: None, int, Stack, ec2.Vpc, ec2.IVpc, Duration],
    *[RemovalPolicy.SNAPSHOT, RemovalPolicy.RETAIN],
    *[Aws.REGION, Token.as_number({"Ref": "N"}), Token.as_any({"Ref": "A"}), Token.as_list({"Ref": "L"})],
]


def odd_things() -> list[Any]:
    """Return things of the CDK, each of which is the wrong one for almost every argument."""
    stack = Stack(App(), "odd")
    return [
        stack,
        App(),
        Construct(stack, "Construct"),
        ec2.CfnVPC(stack, "CfnVpc", cidr_block="10.0.0.0/16"),
        ec2.CfnSecurityGroup(stack, "CfnGroup", group_description="odd"),
        s3.CfnBucket(stack, "CfnBucket"),
        s3.Bucket(stack, "Bucket"),
        s3.Bucket.from_bucket_name(stack, "Imported", "example-data"),
        sns.Topic.from_topic_arn(stack, "Topic", "arn:aws:sns:us-east-1:123456789012:odd"),
        iam.Role.from_role_arn(stack, "Role", "arn:aws:iam::123456789012:role/odd"),
        ec2.Peer.any_ipv4(),
        ec2.InterfaceVpcEndpointAwsService.STS,
        Duration.minutes(5),
        Duration.seconds(7),
        Duration.millis(1),
        Duration.seconds(Token.as_number({"Ref": "Seconds"})),
    ]


ONE = st.sampled_from([*PLAIN, *odd_things()])
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    ONE,
    ONE,
    st.lists(ONE, max_size=2),
    st.dictionaries(st.sampled_from(["a", "", "\ud800", Aws.REGION, 1, None]), ONE, max_size=2),
    st.lists(st.lists(ONE, max_size=1), max_size=1),
)


@pytest.mark.parametrize("called", every_callable(), ids=lambda called: called.name)
def test_what_is_public_says_what_it_takes_and_is_judged_by_it(called: PublicCallable) -> None:
    assert called.unknown == [], "give every argument a type, and take no *args or **kwargs"
    assert called.is_judged or not called.hints, "decorate it with arguments_of_their_kind"


@pytest.mark.parametrize("called", TAKING, ids=lambda called: called.name)
def test_any_argument_is_taken_or_refused_in_words_and_a_refusal_leaves_nothing(
    new_app: Callable[..., App], guide_plan: Plan, called: PublicCallable
) -> None:
    stacks = [LegalCalls(new_app, guide_plan)]

    for name in called.hints:

        @settings(
            max_examples=EXAMPLES_PER_ARGUMENT,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(name=st.just(name), value=ANYTHING)
        def call(name: str, value: Any) -> None:
            calls = stacks[-1]
            arguments = calls.arguments(called) | {name: value}
            subject = calls.subject(called)
            before = children(calls.stack, subject)
            try:
                called_on(called, subject)(**arguments)
            except ValueError as error:
                for line in str(error).splitlines():
                    assert REFUSAL.fullmatch(line), line
                    assert " at 0x" not in line
                assert children(calls.stack, subject) == before
            else:
                if not called.makes and children(calls.stack, subject) != before:
                    stacks.append(LegalCalls(new_app, guide_plan))

        call()
    for calls in stacks:
        calls.app.synth()


def children(*constructs: Any) -> list[str]:
    """Return the paths of what is in constructs."""
    return [child.node.path for each in constructs if each is not None for child in each.node.children]


def called_on(called: PublicCallable, subject: Any) -> Callable[..., Any]:
    """Return what is called: a function, a construct's class, or a method of the class or of the construct."""
    attribute = called.name.partition(".")[2]
    if called.owner is None:
        return called.function
    method: Callable[..., Any] = getattr(subject or called.owner, attribute) if attribute else called.owner
    return method
