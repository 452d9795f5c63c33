"""Whether SageMaker gives the account the nodes of the job: its quotas, and a training plan."""

from dataclasses import replace
from typing import Any

from epochwise.catalog.instance_types import instance_type
from epochwise.catalog.service_quotas import NamedQuota, runtime_quota, training_quotas, training_type_quota
from epochwise.checks.preflight import Preflight, judged
from epochwise.checks.quota import QuotaUse, training_quota_exceeded
from epochwise.checks.reserved_plan import ReservedPlan, reserved_plan_unusable
from epochwise.live.account_quotas import AccountQuota, account_quotas, quotas_by_hand
from epochwise.live.by_hand import aws_command
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject

_MOST_TYPES = 5
"""Types that are named as what would work."""


def _in_sagemaker(subject: Subject) -> bool:
    """Tell whether the nodes belong to a training job."""
    return subject.workload.runs_in_sagemaker


def _wanted(subject: Subject) -> list[tuple[NamedQuota, float]]:
    """Return each quota that the job counts against, and how much it takes, that of its type first."""
    cluster, job = subject.workload.cluster, subject.job
    quotas = training_quotas(
        cluster.instance_type,
        spot=job is not None and job.training.spot,
        warm=job is not None and job.training.keep_alive is not None,
    )
    wanted: list[tuple[NamedQuota, float]] = [(quota, cluster.nodes) for quota in quotas]
    return wanted if job is None else [*wanted, (runtime_quota(), job.max_runtime_s)]


def _quota(subject: Subject) -> Preflight:
    """Compare the nodes of the job with what the account may use; jobs that run now are not counted."""
    wanted = _wanted(subject)
    there = account_quotas(subject.account, [quota for quota, _ in wanted])
    uses = [
        QuotaUse(replace(quota, code=there[quota.name].named.code), there[quota.name].limit, needed)
        for quota, needed in wanted
        if quota.name in there
    ]
    of_type = wanted[0][0]
    reserved = subject.job is not None and subject.job.training.training_plan is not None
    unknown = "" if of_type.name in there else f"Service Quotas lists no quota called {of_type.name}"
    if reserved:
        uses = [use for use in uses if use.quota.name != of_type.name]
        unknown = f"whether the nodes of a training plan count against {of_type.name} is unverified"
    findings = [finding for use in uses for finding in training_quota_exceeded(use)]
    said = "; ".join(map(str, uses)) + "; jobs that run now take their part of it"
    exceeded = any(use.quota.name == of_type.name and not use.fits for use in uses)
    return judged(
        "training-quota", said, findings, unknown=unknown, instead=_others(subject, there) if exceeded else ""
    )


def _others(subject: Subject, there: dict[str, AccountQuota]) -> str:
    """Name types whose quota holds as many nodes, as accelerators go."""
    cluster, job = subject.workload.cluster, subject.job
    spot = job is not None and job.training.spot
    pattern = training_type_quota("", spot=spot).name
    with_room = [
        name.removesuffix(pattern)
        for name, quota in sorted(there.items())
        if name.endswith(pattern) and quota.limit >= cluster.nodes
    ]
    like = [name for name in with_room if _has_accelerators(name) == _has_accelerators(cluster.instance_type)]
    return f"the account may use {cluster.nodes} nodes of {', '.join(like[:_MOST_TYPES])}" if like else ""


def _has_accelerators(name: str) -> bool:
    """Tell whether nodes of a type have any; a type that is not known has none."""
    row = instance_type(name)
    return row is not None and row.accelerators > 0


def _quota_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look up the quotas."""
    return quotas_by_hand([quota for quota, _ in _wanted(subject)], subject.region)


def _has_plan(subject: Subject) -> bool:
    """Tell whether a training plan is declared."""
    return subject.job is not None and subject.job.training.training_plan is not None


def _plan_name(subject: Subject) -> str:
    """Return the name of the training plan, the end of its ARN."""
    assert subject.job is not None  # noqa: S101 - the check applies only with a plan
    return str(subject.job.training.training_plan).rpartition("/")[2]


def _training_plan(subject: Subject) -> Preflight:
    """Compare what a training plan reserves with what the job wants."""
    found = subject.account.ask("sagemaker", "describe_training_plan", TrainingPlanName=_plan_name(subject))
    plan = reserved_plan(found)
    cluster = subject.workload.cluster
    findings = reserved_plan_unusable(plan, nodes=cluster.nodes, instance_type=cluster.instance_type, zone=subject.zone)
    said = f"training plan {plan.name} is {plan.status} with {plan.nodes} nodes of {', '.join(plan.instance_types)}"
    return judged("training-plan", said, findings)


def reserved_plan(found: dict[str, Any]) -> ReservedPlan:
    """Read DescribeTrainingPlan's response."""
    summaries = found.get("ReservedCapacitySummaries", [])
    zones = [each.get(key) for each in summaries for key in ("AvailabilityZone", "AvailabilityZoneId")]
    return ReservedPlan(
        name=str(found["TrainingPlanName"]),
        status=str(found["Status"]),
        instance_types=tuple(dict.fromkeys(str(each["InstanceType"]) for each in summaries)),
        zones=tuple(dict.fromkeys(str(zone) for zone in zones if zone)),
        nodes=int(found.get("TotalInstanceCount") or 0),
        targets=tuple(found.get("TargetResources", ())),
    )


def _plan_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to describe the training plan."""
    return (
        aws_command(
            "sagemaker",
            "describe-training-plan",
            region=subject.region,
            training_plan_name=_plan_name(subject),
        ),
    )


CHECKS = (
    Check("training-quota", _quota, _quota_by_hand, _in_sagemaker),
    Check("training-plan", _training_plan, _plan_by_hand, _has_plan),
)
