"""The global batch, and the learning rate that goes with it: linear scaling with a gradual warmup.

A batch that grows by k takes a rate that grows by k. Above the reference batch training starts at the reference's rate,
adds the same to it every step, and reaches the scaled rate after five epochs. At the reference batch and below there is
no warmup. How the steps of a warmup are rounded is this library's choice. Source: Goyal et al. 2017, "Accurate, Large
Minibatch SGD: Training ImageNet in 1 Hour", sections 2.1 and 2.2.
"""

import math
from dataclasses import dataclass
from typing import Any, Self

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.warmup_step import step_negative, warmup_steps_unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningRate:
    """What a batch asks of the learning rate."""

    per_device: int
    """Samples that one accelerator takes in a step."""
    nodes: int
    global_batch: int
    """Samples that all accelerators take together in a step."""
    base_batch: int
    base_rate: float
    warmup_epochs: int
    """0 where there is no warmup."""
    samples: int | None
    """Samples of an epoch, where declared."""

    @classmethod
    def of(cls, job: DeclaredJob, nodes: int | None = None) -> Self | None:
        """Return it for a job on its nodes or on so many; None where training.batch is not declared."""
        batch, on = job.training.batch, nodes or job.workload.cluster.nodes
        global_batch = job.global_batch(on)
        if batch is None or global_batch is None:
            return None
        return cls(
            per_device=batch.per_device,
            nodes=on,
            global_batch=global_batch,
            base_batch=batch.base_batch,
            base_rate=batch.base_rate,
            warmup_epochs=batch.warmup_epochs if global_batch > batch.base_batch else 0,
            samples=job.workload.dataset.sample_count,
        )

    @property
    def rate(self) -> float:
        """The rate after the warmup: the reference's, times batch over reference batch."""
        return self.base_rate * self.global_batch / self.base_batch

    @property
    def start_rate(self) -> float:
        """The rate of the first step."""
        return self.base_rate if self.warmup_epochs else self.rate

    @property
    def steps_per_epoch(self) -> int | None:
        """Steps of an epoch, the last one with fewer samples included; None where samples are not declared."""
        return None if self.samples is None else math.ceil(self.samples / self.global_batch)

    @property
    def warmup_steps(self) -> int | None:
        """Steps until the rate is the scaled one; None where samples are not declared and there is a warmup."""
        if not self.warmup_epochs:
            return 0
        steps = self.steps_per_epoch
        return None if steps is None else self.warmup_epochs * steps

    def rate_at(self, step: int) -> float:
        """Return the rate of a step, counted from 0, before any decay.

        Raises:
            ValueError: the step is negative, or the steps of an epoch are not known.
        """
        warmup = self.warmup_steps
        refuse_errors([*step_negative(step), *warmup_steps_unknown(warmup, self.warmup_epochs)])
        assert warmup is not None  # noqa: S101 - refused above
        if step >= warmup:
            return self.rate
        return self.base_rate + (self.rate - self.base_rate) * step / warmup

    @property
    def hyperparameters(self) -> dict[str, Any]:
        """What the training script is told, by the names of `epochwise.checks.training_batch.BATCH_HYPERPARAMETERS`."""
        told: dict[str, Any] = {
            "per_device_batch_size": self.per_device,
            "global_batch_size": self.global_batch,
            "learning_rate": self.rate,
            "warmup_start_learning_rate": self.start_rate,
            "warmup_epochs": self.warmup_epochs,
        }
        if self.steps_per_epoch is not None:
            told |= {"warmup_steps": self.warmup_steps, "steps_per_epoch": self.steps_per_epoch}
        return told

    def as_dict(self) -> dict[str, Any]:
        """Return it with the rates at the start, the middle and the end of the warmup."""
        middle = self.start_rate + (self.rate - self.start_rate) / 2
        return {
            "nodes": self.nodes,
            **self.hyperparameters,
            "warmup_middle_learning_rate": middle,
        }
