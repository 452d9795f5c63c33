"""Remarks about what a job's request needs to know of the account it runs in. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level
from epochwise.workload.s3_address import S3_URI_PATTERN

MOST_SUBNETS = 16
MOST_SECURITY_GROUPS = 5
"""CreateTrainingJob's limits of VpcConfig. Source: botocore 1.44.8."""


_STANDS_FOR = ("${Token[", "#{Token[", "<")
"""In a value that only the deploy knows, or that is still to be filled in."""
_LEGAL = {
    "job_name": (r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}", "up to 63 letters, digits and hyphens", "guide-1"),
    "role_arn": (
        r"arn:aws[a-z-]*:iam::\d{12}:role/[a-zA-Z_0-9+=,.@/-]+",
        "the ARN of a role",
        "arn:aws:iam::111111111111:role/Training",
    ),
    "subnet_ids": (r"[-0-9a-zA-Z]{1,32}", "ids of subnets", "subnet-0123456789abcdef0"),
    "security_group_ids": (r"[-0-9a-zA-Z]{1,32}", "ids of security groups", "sg-0123456789abcdef0"),
    "file_system_id": (r"fs-[0-9a-f]{8,17}", "the id of a file system", "fs-0123456789abcdef0"),
    "mount_name": (r"[A-Za-z0-9_-]{1,8}", "the LustreMountName of the file system", "abcdefgh"),
    "output_s3_uri": (S3_URI_PATTERN, "an address in S3", "s3://bucket/output"),
    "region": (r"[a-z]{2,}(-[a-z]+)+-\d+", "the name of a Region", "us-east-1"),
}


def deployment_value_illegal(name: str, value: str) -> Iterator[Finding]:
    """What a request needs to know of the account is written as CreateTrainingJob takes it.

    Source: botocore 1.44.8, CreateTrainingJob; FSx API, LustreFileSystemConfiguration MountName.
    """
    pattern, allowed, example = _LEGAL[name]
    if not any(mark in value for mark in _STANDS_FOR) and not re.fullmatch(pattern, value):
        yield Finding(
            "DEPLOYMENT_VALUE_ILLEGAL",
            Level.ERROR,
            f"{name} must be {allowed}, got {value!r:.80}",
            f"write it like {example}",
        )


def vpc_config_out_of_range(name: str, count: int, most: int) -> Iterator[Finding]:
    """A job is in 1 to 16 subnets and has 1 to 5 security groups.

    Source: SageMaker API, VpcConfig.
    """
    if not 1 <= count <= most:
        yield Finding(
            "VPC_CONFIG_OUT_OF_RANGE",
            Level.ERROR,
            f"{name} must hold 1 to {most}, got {count}",
            f"nearest legal: the first {most}" if count else "name one",
        )


def output_uri_ends_in_slash(uri: str) -> Iterator[Finding]:
    """What SageMaker writes is put behind the output's address and a slash of its own.

    Source: SageMaker API, OutputDataConfig S3OutputPath.
    """
    if uri.endswith("/"):
        yield Finding(
            "OUTPUT_URI_ENDS_IN_SLASH",
            Level.ERROR,
            f"output_s3_uri must not end with /, got {uri!r:.80}",
            f"nearest legal: {uri.rstrip('/')!r:.80}",
        )
