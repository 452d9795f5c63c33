"""The key that a construct is given to encrypt with: what is seen of it."""

from collections.abc import Iterator

from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from constructs import IConstruct

from epochwise.cdk.tokens import is_token
from epochwise.checks.encryption_key import encryption_key_is_alias, encryption_key_not_symmetric
from epochwise.checks.finding import Finding


def encryption_key_findings(scope: IConstruct, key: kms.IKey | None) -> Iterator[Finding]:
    """Yield what is wrong with a key that a construct in a scope is given."""
    if key is None:
        return
    made = key.node.default_child
    alias = hasattr(key, "alias_name") or ":alias/" in str(Stack.of(scope).resolve(key.key_arn))
    yield from encryption_key_is_alias(key.node.path, alias=alias)
    if isinstance(made, kms.CfnKey):
        seen = [None if is_token(each, str) else each for each in (made.key_spec, made.key_usage)]
        yield from encryption_key_not_symmetric(key.node.path, *seen)
