"""Whether FSx may read the bucket of the dataset: its policy, its key, and the key's policy."""

import json
from typing import Any

from epochwise.checks.bucket_policy import bucket_policy_conditional, bucket_policy_denies
from epochwise.checks.linked_bucket import bucket_key_unusable, key_policy_lets_fsx_in, key_policy_of_others
from epochwise.checks.preflight import Preflight, Verdict, judged
from epochwise.live.by_hand import Output, aws_command
from epochwise.live.dataset_bucket import ask_of_bucket, bucket_and_prefix, has_source
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import CannotTellError, Subject

_KEY = "ServerSideEncryptionConfiguration.Rules[0].ApplyServerSideEncryptionByDefault.KMSMasterKeyID"
_POLICY = "default"
"""The only name that a key's policy has (KMS API, GetKeyPolicy)."""


def _policy(subject: Subject) -> Preflight:
    """Read the bucket's policy."""
    bucket, _ = bucket_and_prefix(subject)
    found = ask_of_bucket(subject, "get_bucket_policy")
    if found is None:
        return judged("bucket-policy", f"bucket {bucket} has no policy", ())
    policy = _parsed(found["Policy"], f"the policy of bucket {bucket}")
    findings = [*bucket_policy_denies(bucket, policy), *bucket_policy_conditional(bucket, policy)]
    said = f"the policy of bucket {bucket} denies nothing that FSx does"
    return judged("bucket-policy", said, findings, warnings=Verdict.SKIP)


def _key(subject: Subject) -> Preflight:
    """Look at the state of the key that encrypts what is written to the bucket."""
    bucket, _ = bucket_and_prefix(subject)
    key = _key_of_bucket(subject)
    if key is None:
        return judged("bucket-key", f"bucket {bucket} is encrypted with a key of AWS", ())
    state = str(subject.account.ask("kms", "describe_key", KeyId=key)["KeyMetadata"]["KeyState"])
    return judged("bucket-key", f"key {key} is {state}", bucket_key_unusable(key, state))


def _key_policy(subject: Subject) -> Preflight:
    """Read the policy of a key that somebody manages: FSx needs a statement of its own there."""
    bucket, _ = bucket_and_prefix(subject)
    key = _key_of_bucket(subject)
    if key is None:
        return judged("bucket-key-policy", f"bucket {bucket} is encrypted with a key of AWS", ())
    found = subject.account.ask("kms", "get_key_policy", KeyId=key, PolicyName=_POLICY)
    lets_in = key_policy_lets_fsx_in(_parsed(found["Policy"], f"the policy of key {key}"))
    findings = key_policy_of_others(key, ours=lets_in)
    return judged("bucket-key-policy", f"key {key} lets FSx in", findings, warnings=Verdict.FAIL)


def _key_of_bucket(subject: Subject) -> str | None:
    """Return the key by which the bucket encrypts; None where that is AWS's own."""
    found = ask_of_bucket(subject, "get_bucket_encryption") or {}
    rules = found.get("ServerSideEncryptionConfiguration", {}).get("Rules", [])
    keys = [rule.get("ApplyServerSideEncryptionByDefault", {}).get("KMSMasterKeyID") for rule in rules]
    return next((str(key) for key in keys if key), None)


def _parsed(text: str, what: str) -> dict[str, Any]:
    """Return a policy that is written as JSON."""
    try:
        policy = json.loads(text)
    except ValueError:
        policy = None
    if not isinstance(policy, dict):
        raise CannotTellError(f"{what} is no JSON that can be read")
    return policy


def _policy_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to read the bucket's policy."""
    bucket = bucket_and_prefix(subject)[0]
    return (
        aws_command("s3api", "get-bucket-policy", region=subject.region, bucket=bucket, query="Policy", output="text"),
    )


def _key_id(subject: Subject) -> Output:
    """Return the command that prints the bucket's key."""
    bucket = bucket_and_prefix(subject)[0]
    return Output(
        aws_command("s3api", "get-bucket-encryption", region=subject.region, bucket=bucket, query=_KEY, output="text")
    )


def _key_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look at the key's state."""
    query = "KeyMetadata.KeyState"
    return (aws_command("kms", "describe-key", region=subject.region, key_id=_key_id(subject), query=query),)


def _key_policy_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to read the key's policy."""
    return (
        aws_command(
            "kms",
            "get-key-policy",
            region=subject.region,
            key_id=_key_id(subject),
            policy_name=_POLICY,
            query="Policy",
            output="text",
        ),
    )


CHECKS = (
    Check("bucket-policy", _policy, _policy_by_hand, has_source),
    Check("bucket-key", _key, _key_by_hand, has_source),
    Check("bucket-key-policy", _key_policy, _key_policy_by_hand, has_source),
)
