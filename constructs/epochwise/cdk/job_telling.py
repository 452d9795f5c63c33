"""The topic that a job's findings are told to and the key of its logs: what is seen of those that are given."""

from collections.abc import Iterator

from aws_cdk import Stack, Token
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from constructs import IConstruct

from epochwise.checks.finding import Finding
from epochwise.checks.job_telling import (
    encryption_key_is_alias,
    topic_is_fifo,
    topic_of_other_region,
    topic_policy_unseen,
)


def telling_findings(scope: IConstruct, topic: sns.ITopic | None, key: kms.IKey | None) -> Iterator[Finding]:
    """Yield what is to be said about the topic and the key that a job in a scope is given."""
    if key is not None:
        arn = str(Stack.of(scope).resolve(key.key_arn))
        yield from encryption_key_is_alias(key.node.path, alias=":alias/" in arn or hasattr(key, "alias_name"))
    if topic is None:
        return
    name, here, there = topic.node.path, Stack.of(scope).region, topic.env.region
    yield from topic_is_fifo(name, fifo=topic.fifo)
    if not Token.is_unresolved(here) and not Token.is_unresolved(there):
        yield from topic_of_other_region(name, there, here)
    yield from topic_policy_unseen(name, imported=not isinstance(topic, sns.Topic))
