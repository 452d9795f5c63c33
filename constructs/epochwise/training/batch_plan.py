"""What a declared batch comes to on the declared nodes and on others."""

from dataclasses import dataclass

from epochwise.checks.batch_plan import batch_not_declared
from epochwise.checks.finding import Finding, Level
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.training import required_job, training_findings
from epochwise.training.learning_rate import LearningRate
from epochwise.workload import Workload

_NODES = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """The declared batch on some numbers of nodes, and what is to be said about it."""

    workload: Workload
    declared: LearningRate
    """On the declared nodes."""
    points: tuple[LearningRate, ...]
    """On each number of nodes, the declared one included."""
    findings: tuple[Finding, ...]
    """Those about the batch."""

    @property
    def refused(self) -> bool:
        """Whether a finding is an error."""
        return any(finding.level is Level.ERROR for finding in self.findings)


def batch_plan(workload: Workload) -> BatchPlan:
    """Return what training.batch comes to.

    Raises:
        ValueError: the workload has no SageMaker training job, or declares no batch.
    """
    job = required_job(workload)
    refuse_errors(batch_not_declared(job))
    declared = LearningRate.of(job)
    assert declared is not None  # noqa: S101 - a job with a batch has a rate
    counts = sorted({*_NODES, workload.cluster.nodes})
    points = tuple(point for nodes in counts if (point := LearningRate.of(job, nodes)) is not None)
    about = tuple(finding for finding in training_findings(workload) if finding.id.startswith("BATCH_"))
    return BatchPlan(workload, declared, points, about)
