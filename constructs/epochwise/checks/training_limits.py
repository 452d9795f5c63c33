"""Rules about the limits of CreateTrainingJob."""

import json

from epochwise.catalog.training_job import (
    DEFAULT_QUOTA_RUNTIME_S,
    MAX_HYPERPARAMETER_LENGTH,
    MAX_HYPERPARAMETERS,
    MAX_RUNTIME_S,
)
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.checks.training_batch import BATCH_HYPERPARAMETERS

_HYPERPARAMETERS_OF_THE_REQUEST = 8
"""Most that the request adds: program, submit directory, log level, job name, Region and three for the launcher."""
_DAY_S = 86400


def run_too_long(job: DeclaredJob) -> Finding | None:
    """Refuse a run that no training job may last.

    Source: SageMaker API Reference, StoppingCondition: 28 days at most.
    """
    if job.declared_runtime_s <= MAX_RUNTIME_S:
        return None
    epochs_that_fit = int(MAX_RUNTIME_S // job.workload.epoch.limit_s)
    return Finding(
        "RUN_TOO_LONG",
        Level.ERROR,
        f"{_run(job)}; a training job may last {MAX_RUNTIME_S // _DAY_S} days",
        f"set epoch.count to {epochs_that_fit} or less and continue in a further job, or lower epoch.target"
        if epochs_that_fit
        else f"lower epoch.target, which one epoch exceeds, to {MAX_RUNTIME_S // _DAY_S} days or less",
    )


def run_above_default_quota(job: DeclaredJob) -> Finding | None:
    """Warn about a run that an account's default quota may not allow.

    The default of five days is assumed; Service Quotas shows an account's own.
    """
    if not DEFAULT_QUOTA_RUNTIME_S < job.declared_runtime_s <= MAX_RUNTIME_S:
        return None
    return Finding(
        "RUN_ABOVE_DEFAULT_QUOTA",
        Level.WARNING,
        f"{_run(job)}; the default quota for one training job is {DEFAULT_QUOTA_RUNTIME_S // _DAY_S} days (assumed)",
        "look up the account's quota in Service Quotas and ask for a raise, or train in several jobs",
    )


def hyperparameter_count(job: DeclaredJob) -> Finding | None:
    """Refuse more hyperparameters than fit beside those of the request. Source: botocore 1.44.8."""
    added = _HYPERPARAMETERS_OF_THE_REQUEST + (0 if job.training.batch is None else len(BATCH_HYPERPARAMETERS))
    allowed = MAX_HYPERPARAMETERS - added
    count = len(job.training.hyperparameters)
    if count <= allowed:
        return None
    return Finding(
        "HYPERPARAMETER_COUNT",
        Level.ERROR,
        f"training.hyperparameters holds {count}; {allowed} fit, since SageMaker takes {MAX_HYPERPARAMETERS} and the "
        f"request adds up to {added}",
        "move some into a file next to the training script",
    )


def hyperparameter_length(job: DeclaredJob) -> Finding | None:
    """Refuse values that are too long once encoded as JSON. Source: botocore 1.44.8."""
    lengths = {key: len(json.dumps(value)) for key, value in job.training.hyperparameters.items()}
    too_long = {key: length for key, length in lengths.items() if length > MAX_HYPERPARAMETER_LENGTH}
    if not too_long:
        return None
    named = ", ".join(f"{key} ({length})" for key, length in too_long.items())
    return Finding(
        "HYPERPARAMETER_LENGTH",
        Level.ERROR,
        f"training.hyperparameters may take {MAX_HYPERPARAMETER_LENGTH} characters each as JSON; too long: {named}",
        "move long values into a file next to the training script",
    )


def _run(job: DeclaredJob) -> str:
    """Say how long the declared epochs take."""
    epoch = job.workload.epoch
    return f"{epoch.count} epochs of {epoch.limit_s:g} s take {job.declared_runtime_s / _DAY_S:.2f} days"
