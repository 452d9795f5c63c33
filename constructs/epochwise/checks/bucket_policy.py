"""Rules about the policy of a bucket that is to be linked: whether it keeps FSx out, as far as it can be read."""

from collections.abc import Iterator, Mapping
from typing import Any

from epochwise.checks.finding import Finding, Level
from epochwise.checks.linked_bucket import ROLE_OF_FSX
from epochwise.checks.policy_statement import listed, matches_action

READS = ("s3:ListBucket", "s3:GetObject")
"""What FSx does in the bucket of a dataset (FSx User Guide, s3-validation-error: s3:Get* and s3:List*)."""
_ORIGINS = frozenset({"aws:sourcevpce", "aws:sourcevpc", "aws:sourceip", "aws:vpcsourceip"})
"""Conditions on the network that a request comes from."""
_ENCRYPTION = frozenset({"aws:securetransport", "s3:tlsversion"})
"""Conditions on the connection, which AWS's own services meet."""


def bucket_policy_denies(bucket: str, policy: Mapping[str, Any]) -> Iterator[Finding]:
    """The bucket's policy does not deny reading to everyone, or to everyone outside a network.

    FSx reads with a role of its own, and not through an endpoint or an address of the account (assumed).

    Source: FSx User Guide, using-service-linked-roles; IAM User Guide, reference_policies_evaluation-logic.
    """
    for statement in _denials(policy):
        keys = _condition_keys(statement)
        if not keys or keys <= _ORIGINS:
            only = f" where {_shown(statement['Condition'])} (that FSx is kept out by it is assumed)" if keys else ""
            yield Finding(
                "BUCKET_POLICY_DENIES",
                Level.ERROR,
                f"the policy of bucket {bucket:.80} denies {_named_actions(statement)}{_sid(statement)}{only}",
                "except FSx's role for S3 from it, such as by aws:PrincipalArn with "
                "*/AWSServiceRoleForFSxS3Access_fs-*",
            )


def bucket_policy_conditional(bucket: str, policy: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether a denial under a condition is meant for FSx depends on its role, which is made with the link.

    Source: FSx User Guide, using-service-linked-roles.
    """
    for statement in _denials(policy):
        keys = _condition_keys(statement)
        if keys and not keys <= _ORIGINS:
            yield Finding(
                "BUCKET_POLICY_CONDITIONAL",
                Level.WARNING,
                f"the policy of bucket {bucket:.80} denies {_named_actions(statement)}{_sid(statement)} where "
                f"{_shown(statement['Condition'])}; whether that is FSx cannot be told",
                "make sure that it does not keep out the role AWSServiceRoleForFSxS3Access_fs-* that FSx makes",
            )


def _denials(policy: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the statements that deny reading to principals among which FSx's role may be."""
    for statement in listed(policy.get("Statement")):
        if not isinstance(statement, dict) or statement.get("Effect") != "Deny":
            continue
        connection_only = _condition_keys(statement) and _condition_keys(statement) <= _ENCRYPTION
        if _reads(statement) and _may_be_fsx(statement) and not connection_only:
            yield statement


def _reads(statement: Mapping[str, Any]) -> list[str]:
    """Return what of FSx's reading a statement is about.

    >>> _reads({"Action": "s3:Get*"}), _reads({"NotAction": ["s3:GetObject", "s3:PutObject"]})
    (['s3:GetObject'], ['s3:ListBucket'])
    """
    if "NotAction" in statement:
        spared = listed(statement["NotAction"])
        return [action for action in READS if not matches_action(action, spared)]
    return [action for action in READS if matches_action(action, listed(statement.get("Action")))]


def _may_be_fsx(statement: Mapping[str, Any]) -> bool:
    """Tell whether FSx's role may be among the principals: everyone, or all but some."""
    principal = statement.get("Principal")
    named = principal.get("AWS") if isinstance(principal, dict) else principal
    return "NotPrincipal" in statement or any(each == "*" or ROLE_OF_FSX in str(each) for each in listed(named))


def _condition_keys(statement: Mapping[str, Any]) -> set[str]:
    """Return the keys that a statement's conditions look at, in small letters."""
    condition = statement.get("Condition")
    operators = condition.values() if isinstance(condition, dict) else []
    return {str(key).lower() for keys in operators if isinstance(keys, dict) for key in keys}


def _named_actions(statement: Mapping[str, Any]) -> str:
    """Name what is denied of FSx's reading."""
    return " and ".join(_reads(statement))


def _sid(statement: Mapping[str, Any]) -> str:
    """Name a statement."""
    return f" in {statement['Sid']:.60}" if isinstance(statement.get("Sid"), str) else ""


def _shown(condition: Mapping[str, Any]) -> str:
    """Render conditions on one line, shortened.

    >>> _shown({"StringNotEquals": {"aws:SourceVpce": ["vpce-1", "vpce-2"]}})
    'aws:SourceVpce StringNotEquals vpce-1 or vpce-2'
    """
    parts = [
        f"{key} {operator} {' or '.join(map(str, listed(values)))}"
        for operator, keys in condition.items()
        for key, values in keys.items()
    ]
    return " ".join(", ".join(parts).split())[:200]
