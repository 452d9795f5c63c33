"""What must be declared before a batch can be told. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level


def batch_not_declared(job: DeclaredJob) -> Iterator[Finding]:
    """There is a batch to tell about."""
    if job.training.batch is None:
        yield Finding(
            "BATCH_NOT_DECLARED",
            Level.ERROR,
            f"training.batch is not declared in {job.workload.name}",
            "declare at least training.batch.per_device",
        )
