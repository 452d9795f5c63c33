"""Rules about the key that a construct is given to encrypt with."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

_SYMMETRIC = "SYMMETRIC_DEFAULT"
_ENCRYPTING = "ENCRYPT_DECRYPT"


def encryption_key_is_alias(name: str, *, alias: bool) -> Iterator[Finding]:
    """Refuse an alias in the place of a key: policies name keys, and one that names an alias's ARN allows nothing.

    Whether FSx takes an alias is unverified. Source: KMS Developer Guide, cmks-in-iam-policies; CloudWatch Logs API
    Reference, CreateLogGroup kmsKeyId: an ARN of a key (both from memory, unverified).
    """
    if alias:
        yield Finding(
            "ENCRYPTION_KEY_IS_ALIAS",
            Level.ERROR,
            f"encryption_key must be a key, got {name}, an alias of one",
            "pass kms.Key.from_lookup(self, 'Key', alias_name=...) or kms.Key.from_key_arn(self, 'Key', the key's ARN)",
        )


def encryption_key_not_symmetric(name: str, spec: str | None, usage: str | None) -> Iterator[Finding]:
    """Refuse a key that services do not encrypt with: they take symmetric keys for encryption alone.

    None stands for what the key leaves to KMS, which makes it such a one, or what is not seen of it.

    Source: KMS Developer Guide, symmetric-asymmetric: services that are integrated with KMS use symmetric encryption
    keys.
    """
    odd = [each for each, usual in ((spec, _SYMMETRIC), (usage, _ENCRYPTING)) if each not in {None, usual}]
    if odd:
        yield Finding(
            "ENCRYPTION_KEY_NOT_SYMMETRIC",
            Level.ERROR,
            f"encryption_key must be {_SYMMETRIC} for {_ENCRYPTING}, got {name}, which is "
            f"{' for '.join(map(str, odd))}",
            "pass a kms.Key without key_spec and key_usage",
        )
