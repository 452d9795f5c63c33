"""Rules about the topic that a job's findings are told to, and the key that it is given."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def topic_is_fifo(name: str, *, fifo: bool) -> Iterator[Finding]:
    """Refuse a FIFO topic, which takes no message without a group.

    Source: SNS API Reference, Publish: MessageGroupId is required for FIFO topics.
    """
    if fifo:
        yield Finding(
            "TOPIC_IS_FIFO",
            Level.ERROR,
            f"topic must be a standard one, got {name}, a FIFO topic, which takes no finding",
            "pass a standard topic, or leave topic out for one of the job's own",
        )


def topic_of_other_region(name: str, topic_region: str, job_region: str) -> Iterator[Finding]:
    """Refuse a topic in another Region than the state machine that tells findings to it.

    Source: Step Functions Developer Guide, supported-services-awssdk: no calls to another Region.
    """
    if topic_region != job_region:
        yield Finding(
            "TOPIC_OF_OTHER_REGION",
            Level.ERROR,
            f"topic must be in {job_region}, where the job's stack is, got {name} in {topic_region}",
            f"pass a topic in {job_region} and subscribe what listens in {topic_region} to it",
        )


def topic_policy_unseen(name: str, *, imported: bool) -> Iterator[Finding]:
    """Warn about a topic that others own: whether its policy and its key's let findings in cannot be seen here.

    Source: SNS Developer Guide, sns-key-management: who publishes to an encrypted topic needs its key.
    """
    if imported:
        yield Finding(
            "TOPIC_POLICY_UNSEEN",
            Level.WARNING,
            f"whether topic {name}, which is imported, and the key that encrypts it let the state machine publish "
            "cannot be seen here",
            "see that both policies let the role of state_machine publish, with kms:GenerateDataKey* and kms:Decrypt "
            "for the key",
        )


def encryption_key_is_alias(name: str, *, alias: bool) -> Iterator[Finding]:
    """Refuse an alias in the place of a key: policies name keys, and one that names an alias's ARN allows nothing.

    Source: KMS Developer Guide, cmks-in-iam-policies; CloudWatch Logs API Reference, CreateLogGroup kmsKeyId: an ARN
    of a key.
    """
    if alias:
        yield Finding(
            "ENCRYPTION_KEY_IS_ALIAS",
            Level.ERROR,
            f"encryption_key must be a key, got {name}, an alias of one",
            "pass kms.Key.from_lookup(self, 'Key', alias_name=...) or kms.Key.from_key_arn(self, 'Key', the key's ARN)",
        )
