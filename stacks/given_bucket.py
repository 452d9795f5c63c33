"""A bucket that a pipeline names, with the declared one as the default."""

from aws_cdk import CfnParameter, Stack
from aws_cdk import aws_s3 as s3

BUCKET_PATTERN = "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"
"""Names of S3's buckets (S3 User Guide, bucketnamingrules)."""


def given_bucket(stack: Stack, parameter: str, declared_uri: str, holds: str) -> s3.IBucket:
    """Return the bucket that a Parameter of a stack names.

    Args:
        stack: the stack.
        parameter: its name.
        declared_uri: the address that the workload declares; its bucket is the default.
        holds: what lies there, for the description.
    """
    bucket, _, key = declared_uri.removeprefix("s3://").partition("/")
    named = CfnParameter(
        stack,
        parameter,
        default=bucket,
        allowed_pattern=BUCKET_PATTERN,
        constraint_description="must be the name of a bucket, without s3://",
        description=f"Bucket of the same Region that holds {holds} under {key or 'any key'}",
    )
    return s3.Bucket.from_bucket_name(stack, f"Given{parameter}", named.value_as_string)
