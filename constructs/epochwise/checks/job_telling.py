"""Rules about the topic that a job's findings are told to."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def topic_is_fifo(name: str, *, fifo: bool) -> Iterator[Finding]:
    """Refuse a FIFO topic, which takes no message without a group.

    Source: SNS API Reference, Publish: MessageGroupId is required for FIFO topics (from memory, unverified).
    """
    if fifo:
        yield Finding(
            "TOPIC_IS_FIFO",
            Level.ERROR,
            f"topic must be a standard one, got {name}, a FIFO topic, which takes no finding",
            "pass a standard topic, or leave topic out for one of the job's own",
        )


def topic_policy_unseen(name: str, *, imported: bool) -> Iterator[Finding]:
    """Warn about a topic that others own: whether its policy and its key's let findings in cannot be seen here.

    Source: SNS Developer Guide, sns-key-management: who publishes to an encrypted topic needs its key (from memory,
    unverified).
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
