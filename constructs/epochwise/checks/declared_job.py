"""The training job that a workload declares, as the rules about it see it."""

from dataclasses import dataclass
from typing import Self

from epochwise.workload import Training, Workload


@dataclass(frozen=True, slots=True)
class DeclaredJob:
    """A workload whose nodes belong to a SageMaker training job, and its training section."""

    workload: Workload
    training: Training

    @classmethod
    def of(cls, workload: Workload) -> Self | None:
        """Return the job of a workload, or None when it has none."""
        if workload.training is None or not workload.runs_in_sagemaker:
            return None
        return cls(workload, workload.training)

    @property
    def evaluated_by_debugger(self) -> bool:
        """Whether SageMaker Debugger is to evaluate any rule."""
        return bool(self.workload.watch.rules) and "debugger" in self.workload.watch.using

    @property
    def declared_runtime_s(self) -> float:
        """Seconds that all epochs may take together."""
        return self.workload.epoch.count * self.workload.epoch.limit_s
