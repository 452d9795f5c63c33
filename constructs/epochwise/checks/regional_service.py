"""Rules about a Region: whether it has the services, and whether a deploy goes there."""

from collections.abc import Iterator, Sequence

from epochwise.checks.finding import Finding, Level


def service_not_in_region(region: str, absent: Sequence[str]) -> Iterator[Finding]:
    """The Region has every service that the deploy uses.

    Source: Systems Manager User Guide, parameter-store-public-parameters-global-infrastructure.
    """
    if absent:
        yield Finding(
            "SERVICE_NOT_IN_REGION",
            Level.ERROR,
            f"{region} does not have {' and '.join(absent)}",
            "set region to one that has, and deploy there",
        )


def environment_in_another_region(region: str, environment: str | None) -> Iterator[Finding]:
    """Stacks without a Region of their own go where the environment says, which is the one that is planned for.

    Source: CDK Developer Guide, environments.
    """
    if environment is not None and environment != region:
        yield Finding(
            "ENVIRONMENT_IN_ANOTHER_REGION",
            Level.WARNING,
            f"the environment's Region is {environment}, and the workload is planned for {region}",
            f"deploy with AWS_REGION={region}, or set region to {environment}",
        )
