"""Whether what a training job is told of its account can be. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

MOST_SUBNETS = 16
MOST_SECURITY_GROUPS = 5
"""CreateTrainingJob's limits of VpcConfig. Source: botocore 1.44.8."""
_TOKEN_MARKER = "${Token["  # noqa: S105 - how CDK writes a value that is known at deployment only


def job_path_relative(name: str, path: str) -> Iterator[Finding]:
    """A folder of the file system is named from its root; what only the deploy knows is taken as it is.

    Source: SageMaker API, FileSystemDataSource DirectoryPath, which begins with the mount name.
    """
    if not path.startswith(("/", _TOKEN_MARKER)):
        yield Finding(
            "JOB_PATH_RELATIVE",
            Level.ERROR,
            f"{name} must begin with /, got {path!r:.80}",
            f"nearest legal: {f'/{path}'!r:.80}",
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
