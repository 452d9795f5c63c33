"""The training job that a workload declares, as the rules about it see it."""

import math
from dataclasses import dataclass
from typing import Self

from epochwise.catalog.training_job import DEFAULT_QUOTA_RUNTIME_S, DEFAULT_RUNTIME_S, MAX_RUNTIME_S
from epochwise.catalog.watch_rule_names import CLOUDWATCH_RULE_NAMES, DEBUGGER_RULE_NAMES, NCCL_RULE_NAME
from epochwise.workload import Training, WatchedRule, Workload

_RUNTIME_HEADROOM = 2
"""Covers start-up, a first epoch that reads from S3, evaluation and checkpoints."""


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
    def debugger_rules(self) -> tuple[WatchedRule, ...]:
        """The rules that SageMaker Debugger is to evaluate, in the order of the declaration."""
        watch = self.workload.watch
        if "debugger" not in watch.using:
            return ()
        return tuple(rule for rule in watch.declared if rule.name in DEBUGGER_RULE_NAMES)

    @property
    def cloudwatch_rules(self) -> tuple[WatchedRule, ...]:
        """The rules that are to be judged by CloudWatch's metrics, in the order of the declaration."""
        watch = self.workload.watch
        if "cloudwatch" not in watch.using:
            return ()
        return tuple(rule for rule in watch.declared if rule.name in CLOUDWATCH_RULE_NAMES)

    @property
    def profiler_rules(self) -> tuple[WatchedRule, ...]:
        """Those of Debugger's rules that read the profile."""
        return tuple(rule for rule in self.debugger_rules if not rule.about_tensors)

    @property
    def tensor_rules(self) -> tuple[WatchedRule, ...]:
        """Those of Debugger's rules that read tensors."""
        return tuple(rule for rule in self.debugger_rules if rule.about_tensors)

    @property
    def evaluated_by_debugger(self) -> bool:
        """Whether SageMaker Debugger is to evaluate any rule."""
        return bool(self.debugger_rules)

    @property
    def hook_is_set(self) -> bool:
        """Whether the request configures a hook that saves tensors."""
        return bool(self.tensor_rules) and self.workload.watch.hook

    @property
    def nccl_over_efa(self) -> bool:
        """Whether NCCL has EFA to go over: several nodes of a type with EFA whose accelerators NCCL serves."""
        return self.workload.cluster.nodes > 1 and self.workload.cluster.instance.nccl_efa_interfaces > 0

    @property
    def judges_nccl(self) -> bool:
        """Whether the job's log is to be read for what NCCL goes over."""
        return any(rule.name == NCCL_RULE_NAME for rule in self.cloudwatch_rules)

    @property
    def is_distributed(self) -> bool:
        """Whether AWS counts the job as distributed: several nodes, or a launcher. Source: sagemaker 2.257.7."""
        return self.workload.cluster.nodes > 1 or self.training.distribution != "none"

    @property
    def declared_runtime_s(self) -> float:
        """Seconds that all epochs may take together."""
        return self.workload.epoch.count * self.workload.epoch.limit_s

    @property
    def max_runtime_s(self) -> int:
        """Seconds after which SageMaker stops the job.

        As declared; else twice what all epochs may take, but at least SageMaker's default of a day. Headroom never
        lifts it above the default quota (assumed: five days), which would have the request refused; only a run that
        needs more does, up to SageMaker's 28 days.
        """
        if self.training.max_runtime is not None:
            return int(self.training.max_runtime)
        needed_s = self.declared_runtime_s
        ceiling_s = DEFAULT_QUOTA_RUNTIME_S if needed_s <= DEFAULT_QUOTA_RUNTIME_S else MAX_RUNTIME_S
        return min(max(DEFAULT_RUNTIME_S, math.ceil(needed_s * _RUNTIME_HEADROOM)), ceiling_s)

    @property
    def processes_per_node(self) -> int:
        """Processes that train on one node: one per accelerator unless mpi is told otherwise, at least one."""
        given = self.training.processes_per_host if self.training.distribution == "mpi" else None
        return given or max(1, self.workload.cluster.instance.accelerators)

    def global_batch(self, nodes: int | None = None) -> int | None:
        """Return the samples of one step on all nodes, or on so many; None where training.batch is not declared."""
        batch = self.training.batch
        if batch is None:
            return None
        return batch.per_device * self.processes_per_node * (nodes or self.workload.cluster.nodes)
