"""The topic that a job's findings are told to and the key of its logs: what is seen of those that are given."""

from collections.abc import Iterator

from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from constructs import IConstruct

from epochwise.cdk.encryption_key import encryption_key_findings
from epochwise.checks.finding import Finding
from epochwise.checks.job_telling import topic_is_fifo, topic_policy_unseen


def telling_findings(scope: IConstruct, topic: sns.ITopic | None, key: kms.IKey | None) -> Iterator[Finding]:
    """Yield what is to be said about the topic and the key that a job in a scope is given."""
    yield from encryption_key_findings(scope, key)
    if topic is None:
        return
    yield from topic_is_fifo(topic.node.path, fifo=topic.fifo)
    yield from topic_policy_unseen(topic.node.path, imported=not isinstance(topic, sns.Topic))
