"""Judge a job by every rule that is switched on, and say what is found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from . import (
    cpu_bottleneck,
    gpu_memory_increase,
    load_balancing,
    low_gpu_utilization,
    nccl_without_efa,
    storage_bottleneck,
)
from .metrics import Metrics
from .verdict import Verdict, undecided

_RULES: dict[str, tuple[type, Callable[..., Verdict]]] = {
    cpu_bottleneck.RULE: (cpu_bottleneck.CpuBottleneck, cpu_bottleneck.judge),
    load_balancing.RULE: (load_balancing.LoadBalancing, load_balancing.judge),
    low_gpu_utilization.RULE: (low_gpu_utilization.LowGpuUtilization, low_gpu_utilization.judge),
    gpu_memory_increase.RULE: (gpu_memory_increase.GpuMemoryIncrease, gpu_memory_increase.judge),
    storage_bottleneck.RULE: (storage_bottleneck.StorageBottleneck, storage_bottleneck.judge),
    nccl_without_efa.RULE: (nccl_without_efa.NcclWithoutEfa, nccl_without_efa.judge),
}
RULE_NAMES: tuple[str, ...] = tuple(_RULES)
"""Every rule that CloudWatch's metrics and logs can decide."""


@dataclass(frozen=True)
class Configuration:
    """What the rules need to know beside the metrics; made at synth, JSON in the function's environment."""

    workload: str
    rules: Mapping[str, Mapping[str, Any]]
    """Rule to its parameters, as Debugger names them; those that a rule does not take are ignored."""
    instance_types: Mapping[str, tuple[int, int, int]]
    """vCPUs, GPUs and EFA interfaces that NCCL can use, of each type that the job may run on."""
    file_system_id: str = ""
    ceiling_mbps: float = 0.0
    ladder: tuple[storage_bottleneck.Rung, ...] = ()
    lookback_minutes: int = 180
    """How far back the metrics are read."""

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Configuration":
        """Take what `json.loads` made of the function's configuration."""
        given = {each.name: document[each.name] for each in fields(cls) if each.name in document}
        given["ladder"] = tuple(storage_bottleneck.Rung(*rung) for rung in document.get("ladder", ()))
        return cls(**given)


@dataclass(frozen=True)
class Look:
    """One evaluation of one job."""

    job: str
    time: str
    """When, as ISO 8601."""
    metrics: Metrics = field(default_factory=lambda: Metrics(()))


def verdicts(configuration: Configuration, metrics: Metrics) -> list[Verdict]:
    """Return what each rule says, in the order in which the rules are declared."""
    return [_judge(configuration, name, metrics) for name in configuration.rules]


def evaluate(configuration: Configuration, look: Look) -> dict[str, Any]:
    """Return what is found by rule, and what every rule says; JSON-ready."""
    judged = verdicts(configuration, look.metrics)
    return {
        "found": {
            verdict.rule: {
                "workload": configuration.workload,
                "job": look.job,
                "rule": verdict.rule,
                "level": "warning",
                "message": verdict.reason,
                "evidence": dict(verdict.evidence),
                "fix": verdict.fix,
                "source": "cloudwatch",
                "time": look.time,
            }
            for verdict in judged
            if verdict.fired
        },
        "reasons": {verdict.rule: verdict.reason for verdict in judged},
    }


def _judge(configuration: Configuration, name: str, metrics: Metrics) -> Verdict:
    """Return one rule's verdict."""
    if name not in _RULES:
        return undecided(name, f"CloudWatch's metrics decide {', '.join(_RULES)}, got {name}", {})
    kind, judge = _RULES[name]
    taken = {each.name for each in fields(kind)}
    rule = kind(**{key: value for key, value in configuration.rules[name].items() if key in taken})
    if name == storage_bottleneck.RULE:
        return judge(metrics, rule, configuration.ceiling_mbps, configuration.ladder)
    return judge(metrics, rule)
