"""What Debugger is asked of a job: profiler rules, rules about tensors, and the hook that saves those."""

from typing import Any

from epochwise.catalog.debugger import evaluator_image
from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.profiler_rules import (
    BatchSize,
    CpuBottleneck,
    GpuMemoryIncrease,
    IoBottleneck,
    LoadBalancing,
    LowGpuUtilization,
    OverallSystemUsage,
    ProfilerReport,
    WatchRule,
)
from epochwise.training.tensor_rules import TensorRule
from epochwise.workload import WatchedRule, Workload

__all__ = [
    "BatchSize",
    "CpuBottleneck",
    "GpuMemoryIncrease",
    "IoBottleneck",
    "LoadBalancing",
    "LowGpuUtilization",
    "OverallSystemUsage",
    "ProfilerReport",
    "TensorRule",
    "WatchRule",
    "debugger_part",
    "watch_rules",
]

_RULES: dict[str, type[WatchRule]] = {
    rule.__name__: rule
    for rule in (
        CpuBottleneck,
        LoadBalancing,
        LowGpuUtilization,
        IoBottleneck,
        GpuMemoryIncrease,
        BatchSize,
        OverallSystemUsage,
    )
}


def watch_rules(workload: Workload) -> tuple[WatchRule, ...]:
    """Return the profiler rules that Debugger is to evaluate, in their order; none when it is not to."""
    if "debugger" not in workload.watch.using:
        return ()
    return tuple(
        _profiler_rule(rule, send_defaults=workload.watch.send_defaults)
        for rule in workload.watch.declared
        if rule.name in _RULES or rule.name == ProfilerReport.__name__
    )


def _profiler_rule(declared: WatchedRule, *, send_defaults: bool) -> WatchRule:
    """Return a profiler rule with what is declared for it."""
    if declared.name == ProfilerReport.__name__:
        return ProfilerReport(parameters=declared.parameters, send_defaults=send_defaults)
    return _RULES[declared.name](**declared.parameters)


def debugger_part(job: DeclaredJob, *, job_name: str, output_s3_uri: str) -> dict[str, Any]:
    """Return the request's fields about profiler, rules and hook: the profiler off unless a rule needs it.

    The hook is set for rules about tensors alone, with the collections that they need and those of
    `watch.collections`; without such a rule there is none, since it changes what the training script does.
    """
    watch = job.workload.watch
    image = evaluator_image(job.workload.region)
    part: dict[str, Any] = {"ProfilerConfig": {"DisableProfiler": True}}
    profiling = watch_rules(job.workload)
    if profiling or "ProfilerRuleConfigurations" in job.training.request:
        part["ProfilerConfig"] = {
            "S3OutputPath": watch.profile_s3 or output_s3_uri,
            "ProfilingIntervalInMilliseconds": watch.profiling_interval_ms,
            "DisableProfiler": False,
        }
    if not job.evaluated_by_debugger:
        return part
    assert image is not None  # noqa: S101 - DEBUGGER_REGION refused Regions without one
    if profiling:
        part["ProfilerRuleConfigurations"] = [rule.profiler_rule_configuration(image) for rule in profiling]
    about_tensors = [TensorRule(rule, watch.send_defaults) for rule in job.tensor_rules]
    if about_tensors:
        part["DebugRuleConfigurations"] = [rule.debug_rule_configuration(image, job_name) for rule in about_tensors]
    if job.hook_is_set:
        part["DebugHookConfig"] = _hook(about_tensors, job, output_s3_uri)
    return part


def _hook(rules: list[TensorRule], job: DeclaredJob, output_s3_uri: str) -> dict[str, Any]:
    """Return where the hook saves tensors, and which; each collection once, as declared where it is."""
    watch = job.workload.watch
    collections: dict[str, dict[str, str]] = {}
    for rule in rules:
        collections |= {
            name: dict(parameters) for name, parameters in rule.collections.items() if name not in collections
        }
    collections |= {
        name: {key: str(value) for key, value in parameters.items()} for name, parameters in watch.collections.items()
    }
    hook: dict[str, Any] = {"S3OutputPath": watch.tensors_s3 or output_s3_uri}
    if collections:
        hook["CollectionConfigurations"] = [
            {"CollectionName": name} | ({"CollectionParameters": parameters} if parameters else {})
            for name, parameters in collections.items()
        ]
    return hook
