"""Rules about how long a job runs, waits for nodes and keeps them."""

from epochwise.catalog.training_job import DOCUMENTED_KEEP_ALIVE_S, MAX_KEEP_ALIVE_S, MAX_RUNTIME_S
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

TRAINING_PLAN_TYPES = (
    "ml.p4d.24xlarge",
    "ml.p4de.24xlarge",
    "ml.p5.4xlarge",
    "ml.p5.48xlarge",
    "ml.p5e.48xlarge",
    "ml.p5en.48xlarge",
    "ml.p6-b200.48xlarge",
    "ml.p6-b300.48xlarge",
    "ml.p6e-gb200.36xlarge",
    "ml.trn1.32xlarge",
    "ml.trn2.48xlarge",
)
"""Types that plans are sold for."""
PENDING_S = 2 * 24 * 3600
"""Assumed: how long a job may wait for capacity before it runs, where the request does not say."""


def max_runtime_below_epochs(job: DeclaredJob) -> Finding | None:
    """Warn when the job is stopped before all its epochs are done. Source: botocore 1.44.8, StoppingCondition."""
    limit = job.training.max_runtime
    if limit is None or limit >= job.declared_runtime_s:
        return None
    return Finding(
        "MAX_RUNTIME_BELOW_EPOCHS",
        Level.WARNING,
        f"training.max_runtime is {limit:g} s, and {job.workload.epoch.count} epochs may take "
        f"{job.declared_runtime_s:g} s, so the job is stopped before they are done",
        f"set training.max_runtime to {job.declared_runtime_s:.0f} or more, or lower epoch.count",
    )


def max_pending_on_cpus(job: DeclaredJob) -> Finding | None:
    """Warn that the limit of waiting has no effect for types without accelerators. Source: botocore 1.44.8."""
    if job.training.max_pending is None or job.workload.cluster.instance.accelerators:
        return None
    return Finding(
        "MAX_PENDING_ON_CPUS",
        Level.WARNING,
        f"training.max_pending is {job.training.max_pending:g} s, which SageMaker heeds for accelerated types only; "
        f"cluster.instance_type is {job.workload.cluster.instance_type}",
        "remove training.max_pending",
    )


def keep_alive_undocumented(job: DeclaredJob) -> Finding | None:
    """Warn about warm pools that outlast what the guide describes, and are paid as if they trained.

    Source: SageMaker Developer Guide, train-warm-pools; the API takes six hours (botocore 1.44.8).
    """
    keep = job.training.keep_alive
    if keep is None or keep <= DOCUMENTED_KEEP_ALIVE_S:
        return None
    return Finding(
        "KEEP_ALIVE_UNDOCUMENTED",
        Level.WARNING,
        f"training.keep_alive is {keep:g} s; the API takes {MAX_KEEP_ALIVE_S}, AWS's guide describes "
        f"{DOCUMENTED_KEEP_ALIVE_S}, and the nodes are billed all the while",
        f"set training.keep_alive to {DOCUMENTED_KEEP_ALIVE_S} or less, or make sure that the quota allows it",
    )


def training_plan_type(job: DeclaredJob) -> Finding | None:
    """Refuse a training plan for a type that no plan is sold for.

    Source: botocore 1.44.8, ReservedCapacityInstanceType.
    """
    name = job.workload.cluster.instance_type
    if job.training.training_plan is None or name in TRAINING_PLAN_TYPES:
        return None
    return Finding(
        "TRAINING_PLAN_TYPE",
        Level.ERROR,
        f"training.training_plan is set and cluster.instance_type is {name}; plans are sold for "
        f"{', '.join(TRAINING_PLAN_TYPES)}",
        "remove training.training_plan, or set cluster.instance_type to the plan's type",
    )


def training_plan_wait(job: DeclaredJob) -> Finding | None:
    """Warn that an execution does not wait until a training plan begins, however far ahead that is.

    SageMaker queues a job until its plan begins, and counts that against no limit; the state machine has a timeout, and
    has jobs of timed-out executions stopped. Source: botocore 1.44.8, StoppingCondition MaxPendingTimeInSeconds.
    """
    if job.training.training_plan is None or job.training.max_pending is not None:
        return None
    return Finding(
        "TRAINING_PLAN_WAIT",
        Level.WARNING,
        f"training.training_plan is {job.training.training_plan} and training.max_pending is absent: a job waits until "
        f"its plan begins, and a TrainingJob stops one that has waited for {PENDING_S // 3600} h and more",
        "start no execution earlier than that before the plan begins, or set training.max_pending to the longest wait, "
        f"{MAX_RUNTIME_S // 86_400} days at most",
    )


def training_plan_region(job: DeclaredJob) -> Finding | None:
    """Refuse a training plan of another Region, whose capacity the job cannot use.

    Source: botocore 1.44.8, TrainingPlanArn, which names a Region; that a plan serves its Region alone is from memory,
    unverified.
    """
    plan, region = job.training.training_plan, job.workload.region
    if plan is None or plan.split(":")[3] == region:
        return None
    return Finding(
        "TRAINING_PLAN_REGION",
        Level.ERROR,
        f"training.training_plan is of {plan.split(':')[3] or 'no Region'}, and region is {region}",
        f"set training.training_plan to a plan of {region}, or region to the plan's",
    )
