"""Boundaries of what is said about a bucket's policy."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from epochwise.checks.bucket_policy import bucket_policy_conditional, bucket_policy_denies
from epochwise.checks.finding import Finding
from tests.checks.boundaries import Row


def _policy(**changes: Any) -> dict[str, Any]:
    return {"Statement": {"Effect": "Deny", "Principal": {"AWS": ["*"]}, "Action": "s3:GetObject"} | changes}


def _denies(**changes: Any) -> partial[Iterator[Finding]]:
    return partial(bucket_policy_denies, "mine", _policy(**changes))


def _conditional(**changes: Any) -> partial[Iterator[Finding]]:
    return partial(bucket_policy_conditional, "mine", _policy(**changes))


OUTSIDE = {"NotIpAddress": {"aws:SourceIp": "10.0.0.0/8"}}
ORGANISATION = {"StringNotEquals": {"aws:PrincipalOrgID": "o-1"}}
TLS = {"Bool": {"aws:SecureTransport": "false"}, "NumericLessThan": {"s3:TlsVersion": "1.2"}}
ROLE = {"AWS": "arn:aws:iam::1:role/aws-service-role/x/AWSServiceRoleForFSxS3Access_fs-1"}

ROWS = (
    Row("BUCKET_POLICY_DENIES", _denies(), "denies s3:GetObject"),
    Row("BUCKET_POLICY_DENIES", _denies(Principal=ROLE), "bucket mine"),
    Row("BUCKET_POLICY_DENIES", _denies(NotPrincipal={"AWS": "arn:aws:iam::1:root"}, Principal=None), "denies"),
    Row("BUCKET_POLICY_DENIES", _denies(Action=["S3:GET*"]), "denies s3:GetObject"),
    Row("BUCKET_POLICY_DENIES", _denies(NotAction="s3:Get*", Action=None), "denies s3:ListBucket"),
    Row("BUCKET_POLICY_DENIES", _denies(Condition=OUTSIDE), "aws:SourceIp NotIpAddress 10.0.0.0/8"),
    Row("BUCKET_POLICY_DENIES", _denies(Effect="Allow"), None),
    Row("BUCKET_POLICY_DENIES", _denies(Action="s3:PutObject"), None),
    Row("BUCKET_POLICY_DENIES", _denies(NotAction="s3:*", Action=None), None),
    Row("BUCKET_POLICY_DENIES", _denies(Principal={"Service": "logs.amazonaws.com"}), None),
    Row("BUCKET_POLICY_DENIES", _denies(Condition=TLS), None),
    Row("BUCKET_POLICY_DENIES", _denies(Condition=ORGANISATION), None),
    Row("BUCKET_POLICY_DENIES", partial(bucket_policy_denies, "mine", {"Statement": "none"}), None),
    Row("BUCKET_POLICY_CONDITIONAL", _conditional(Condition=ORGANISATION), "aws:PrincipalOrgID StringNotEquals o-1"),
    Row("BUCKET_POLICY_CONDITIONAL", _conditional(Condition=ORGANISATION | OUTSIDE), "cannot be told"),
    Row("BUCKET_POLICY_CONDITIONAL", _conditional(Condition=OUTSIDE), None),
    Row("BUCKET_POLICY_CONDITIONAL", _conditional(), None),
)
