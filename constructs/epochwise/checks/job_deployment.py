"""Remarks about what a job's request needs to know of the account it runs in. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

MOST_SUBNETS = 16
MOST_SECURITY_GROUPS = 5
"""CreateTrainingJob's limits of VpcConfig. Source: botocore 1.44.8."""


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
