"""The topic that a job's findings are told to and the key of its logs: what is seen of those that are given."""

from collections.abc import Iterator

from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from constructs import IConstruct

from epochwise.cdk.encryption_key import encryption_key_findings
from epochwise.cdk.tokens import is_token
from epochwise.checks.finding import Finding
from epochwise.checks.job_telling import topic_is_fifo, topic_policy_unseen
from epochwise.checks.same_environment import KnownEnvironment, UsedThing, construct_of_other_region


def telling_findings(
    scope: IConstruct, topic: sns.ITopic | None, key: kms.IKey | None, region: str
) -> Iterator[Finding]:
    """Yield what is to be said about the topic and the key that a job in a scope is given.

    A stack that does not know its Region can be deployed to the workload's alone, which is what these are held to.
    """
    yield from encryption_key_findings(scope, key)
    for argument, thing in (("topic", topic), ("encryption_key", key)):
        if thing is not None and not is_token(thing.env.region, str) and is_token(Stack.of(scope).region, str):
            used = UsedThing(argument=argument, name=thing.node.path, of=KnownEnvironment(region=thing.env.region))
            yield from construct_of_other_region(used, KnownEnvironment(region=region), "the job")
    if topic is None:
        return
    yield from topic_is_fifo(topic.node.path, fifo=topic.fifo)
    yield from topic_policy_unseen(topic.node.path, imported=not isinstance(topic, sns.Topic))
