"""Rules about the variables of the container."""

from epochwise.catalog.training_job import MAX_ENVIRONMENT
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload.training_section import OWNER_VARIABLE

_VARIABLES_OF_THE_REQUEST = 5
"""Most that are added: two for EFA, one for NCCL's log, one for STS, and the one that names the execution."""
_DISCOURAGED = "RDMAV_"


def environment_count(job: DeclaredJob) -> Finding | None:
    """Refuse more variables than fit beside those of the request. Source: botocore 1.44.8."""
    allowed, count = MAX_ENVIRONMENT - _VARIABLES_OF_THE_REQUEST, len(job.training.environment)
    if count <= allowed:
        return None
    return Finding(
        "ENVIRONMENT_COUNT",
        Level.ERROR,
        f"training.environment holds {count}; {allowed} fit, since SageMaker takes {MAX_ENVIRONMENT} and the request "
        f"adds up to {_VARIABLES_OF_THE_REQUEST}",
        "move some into a file next to the training script",
    )


def environment_rdmav(job: DeclaredJob) -> Finding | None:
    """Warn about variables that current guidance for EFA says not to use.

    Source: awslabs/awsome-distributed-ai, EFA cheat sheet.
    """
    named = [name for name in job.training.environment if name.startswith(_DISCOURAGED)]
    if not named:
        return None
    return Finding(
        "ENVIRONMENT_RDMAV",
        Level.WARNING,
        f"training.environment holds {', '.join(named)}, which guidance for EFA says not to use any more",
        f"remove {', '.join(named)}; FI_EFA_FORK_SAFE=1 takes their place on kernels before 5.15",
    )


def execution_variable_reserved(job: DeclaredJob) -> Finding | None:
    """Refuse the variable that names a job's execution, under that name anywhere in what a script is given.

    The state machine sets it, and a job is known by it as the execution's own, which an abort stops.
    """
    training = job.training
    given = {
        "training.environment": set(training.environment),
        "training.hyperparameters": set(training.hyperparameters),
    }
    holding = [key for key, names in given.items() if OWNER_VARIABLE in names]
    if not holding:
        return None
    return Finding(
        "EXECUTION_VARIABLE_RESERVED",
        Level.ERROR,
        f"{' and '.join(holding)} must not hold {OWNER_VARIABLE}, which says to which execution a job belongs",
        "give it another name",
    )
