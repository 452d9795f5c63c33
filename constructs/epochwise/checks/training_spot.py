"""Rules about spot instances."""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

MAX_EXECUTION_S = 365 * 86_400
"""Seconds that an execution of a state machine may take (Step Functions quotas)."""
AROUND_JOB_S = 6 * 3600
"""Assumed: seconds for starting, downloading and uploading, which a job's own limits do not count."""


def spot_needs_max_wait(job: DeclaredJob) -> Finding | None:
    """Refuse spot without a wait that is at least as long as the job may run.

    Source: SageMaker Developer Guide, model-managed-spot-training; botocore 1.44.8, StoppingCondition.
    """
    wait, runtime = job.training.max_wait, job.max_runtime_s
    if not job.training.spot or (wait is not None and wait >= runtime):
        return None
    got = "absent" if wait is None else f"{wait:g} s"
    return Finding(
        "SPOT_NEEDS_MAX_WAIT",
        Level.ERROR,
        f"training.spot needs training.max_wait of at least the {runtime} s that the job may run; it is {got}",
        f"set training.max_wait to {runtime} or more, or lower training.max_runtime",
    )


def max_wait_beyond_execution(job: DeclaredJob) -> Finding | None:
    """Refuse a wait for spot capacity that no execution of the job's state machine outlasts.

    Source: Step Functions Developer Guide, quotas: an execution of a standard workflow takes a year at most.
    """
    wait, most = job.training.max_wait, MAX_EXECUTION_S - AROUND_JOB_S
    if wait is None or wait <= most:
        return None
    return Finding(
        "MAX_WAIT_BEYOND_EXECUTION",
        Level.ERROR,
        f"training.max_wait must be {most} s or less, got {int(wait)} s: an execution of the state machine takes a "
        "year at most, what it does before and after the job included",
        f"set training.max_wait to {most} or less",
    )


def max_wait_without_spot(job: DeclaredJob) -> Finding | None:
    """Refuse a wait for spot capacity without spot; training.max_pending limits the wait of other jobs.

    Source: SageMaker Developer Guide, model-managed-spot-training; botocore 1.44.8, StoppingCondition.
    """
    if job.training.max_wait is None or job.training.spot:
        return None
    return Finding(
        "MAX_WAIT_WITHOUT_SPOT",
        Level.ERROR,
        f"training.max_wait is {job.training.max_wait:g} s, which is for spot jobs alone, and training.spot is false",
        "set training.spot to true, or training.max_pending instead of training.max_wait",
    )


def spot_without_checkpoint(job: DeclaredJob) -> Finding | None:
    """Warn that an interrupted spot job begins anew when nothing keeps its state.

    Source: SageMaker Developer Guide, model-managed-spot-training.
    """
    if not job.training.spot or job.training.checkpoint_s3 is not None or job.workload.checkpoint is not None:
        return None
    return Finding(
        "SPOT_WITHOUT_CHECKPOINT",
        Level.WARNING,
        "training.spot is true and no checkpoint is declared: an interrupted job begins anew",
        "declare checkpoint, or training.checkpoint_s3",
    )


def keep_alive_with_spot(job: DeclaredJob) -> Finding | None:
    """Refuse a warm pool of spot instances.

    Source: SageMaker Developer Guide, train-warm-pools, considerations.
    """
    keep = job.training.keep_alive
    if not job.training.spot or keep is None:
        return None
    return Finding(
        "KEEP_ALIVE_WITH_SPOT",
        Level.ERROR,
        f"training.keep_alive is {keep:g} s and training.spot is true, and SageMaker keeps no spot instances in warm "
        "pools",
        "remove training.keep_alive, or set training.spot to false",
    )
