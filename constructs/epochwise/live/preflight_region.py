"""Whether the Region has the services that the deploy uses, and whether the deploy goes there."""

from epochwise.catalog.regions import REGIONS_AS_OF
from epochwise.checks.preflight import Preflight, judged
from epochwise.checks.regional_service import environment_in_another_region, service_not_in_region
from epochwise.live.aws import Aws
from epochwise.live.by_hand import aws_command
from epochwise.live.failure import AwsError, NotFoundError
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject


def _services(subject: Subject) -> tuple[str, ...]:
    """Return the services that the deploy uses and that not every Region has."""
    return ("fsx-lustre", "sagemaker") if subject.workload.runs_in_sagemaker else ("fsx-lustre",)


def _parameter(region: str, service: str) -> str:
    """Return the public parameter that is there where the Region has the service."""
    return f"/aws/service/global-infrastructure/regions/{region}/services/{service}"


def _has(subject: Subject, service: str) -> bool:
    """Tell whether the Region has a service."""
    try:
        subject.account.ask("ssm", "get_parameter", Name=_parameter(subject.region, service))
    except NotFoundError:
        return False
    return True


def _environment() -> str | None:
    """Return the Region that the environment or its profile names; None where none is."""
    try:
        return Aws().region
    except AwsError:
        return None


def _region(subject: Subject) -> Preflight:
    """Look up the services, and say what the catalog knows of the chosen file system there."""
    region, choice = subject.region, subject.plan.choice
    absent = [service for service in _services(subject) if not _has(subject, service)]
    findings = [
        *service_not_in_region(region, absent),
        *environment_in_another_region(region, _environment()),
    ]
    offers = "" if choice is None else f"; {choice.family_label} is offered there as of {REGIONS_AS_OF}"
    return judged("region", f"{region} has {' and '.join(_services(subject))}{offers}", findings)


def _by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look up each service."""
    return tuple(
        aws_command("ssm", "get-parameter", region=subject.region, name=_parameter(subject.region, service))
        for service in _services(subject)
    )


CHECKS = (Check("region", _region, _by_hand),)
