"""Remarks about what a job's request needs to know of the account it runs in. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

MOST_SUBNETS = 16
MOST_SECURITY_GROUPS = 5
"""CreateTrainingJob's limits of VpcConfig."""


def job_network_out_of_range(name: str, count: int, most: int) -> Iterator[Finding]:
    """A job has one to sixteen subnets and one to five groups. Source: botocore 1.44.8, VpcConfig."""
    if not 1 <= count <= most:
        yield Finding(
            "JOB_NETWORK_OUT_OF_RANGE",
            Level.ERROR,
            f"{name} must hold 1 to {most}, got {count}",
            f"nearest legal: {min(max(count, 1), most)}",
        )


def job_output_with_slash(output_s3_uri: str) -> Iterator[Finding]:
    """What is written goes below this prefix, each part with a slash of its own.

    Source: SageMaker API, OutputDataConfig S3OutputPath.
    """
    if output_s3_uri.endswith("/"):
        yield Finding(
            "JOB_OUTPUT_WITH_SLASH",
            Level.ERROR,
            f"output_s3_uri must not end with /, got {output_s3_uri!r:.80}",
            "leave the slash out",
        )
