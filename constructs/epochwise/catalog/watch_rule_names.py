"""The rules that a workload can name: what AWS calls each, and what can evaluate it."""

from difflib import get_close_matches
from functools import cache

from epochwise.catalog.data_file import load
from epochwise.catalog.debugger import profiler_report_parameters, profiler_rules, tensor_rules
from epochwise.catalog.rule_parameter import RuleParameter

PROFILER_RULE_NAMES: dict[str, str] = {
    "CpuBottleneck": "CPUBottleneck",
    "LoadBalancing": "LoadBalancing",
    "LowGpuUtilization": "LowGPUUtilization",
    "IoBottleneck": "IOBottleneck",
    "GpuMemoryIncrease": "GPUMemoryIncrease",
    "BatchSize": "BatchSize",
    "OverallSystemUsage": "OverallSystemUsage",
    "ProfilerReport": "ProfilerReport",
}
"""Name of a profiler rule in a workload to AWS's."""
TENSOR_RULE_NAMES: tuple[str, ...] = tuple(tensor_rules())
"""Rules about tensors carry AWS's names."""
NCCL_RULE_NAME = "NcclWithoutEfa"
"""The rule that reads the log of the job instead of its metrics."""
CLOUDWATCH_RULE_NAMES: tuple[str, ...] = (
    "CpuBottleneck",
    "LoadBalancing",
    "LowGpuUtilization",
    "GpuMemoryIncrease",
    "StorageBottleneck",
    NCCL_RULE_NAME,
)
"""Rules that can be judged by the metrics and logs which SageMaker and FSx put into CloudWatch."""
DEBUGGER_RULE_NAMES: tuple[str, ...] = (*PROFILER_RULE_NAMES, *TENSOR_RULE_NAMES)
WATCH_RULE_NAMES: tuple[str, ...] = tuple(dict.fromkeys((*DEBUGGER_RULE_NAMES, *CLOUDWATCH_RULE_NAMES)))
GPU_RULE_NAMES: frozenset[str] = frozenset(
    {"CpuBottleneck", "LoadBalancing", "LowGpuUtilization", "IoBottleneck", "GpuMemoryIncrease", "BatchSize"}
)
"""Rules that judge the utilisation or memory of GPUs."""


@cache
def parameters_of(name: str) -> dict[str, RuleParameter]:
    """Return what a rule of a workload takes, by the parameter's name."""
    if name == "ProfilerReport":
        return profiler_report_parameters()
    if name in PROFILER_RULE_NAMES:
        return profiler_rules()[PROFILER_RULE_NAMES[name]]
    if name in TENSOR_RULE_NAMES:
        return dict(tensor_rules()[name].parameters)
    return {key: RuleParameter(name=key, **row) for key, row in load("cloudwatch_rules")["rules"][name].items()}


def known_parameter(rule: str, name: str) -> str | None:
    """Return a parameter's name as AWS spells it, or None: ProfilerReport takes the rule in it in any case.

    >>> known_parameter("ProfilerReport", "CpuBottleneck_threshold"), known_parameter("CpuBottleneck", "Threshold")
    ('CPUBottleneck_threshold', None)
    """
    if rule != "ProfilerReport":
        return name if name in parameters_of(rule) else None
    return next((key for key in parameters_of(rule) if key.lower() == name.lower()), None)


def near_rule_name(name: str) -> str | None:
    """Return the rule that a mistyped name means, AWS's own spelling included.

    >>> near_rule_name("CPUBottleneck"), near_rule_name("LossNotDecreasin")
    ('CpuBottleneck', 'LossNotDecreasing')
    """
    by_lower_case = {known.lower(): known for known in WATCH_RULE_NAMES}
    near = get_close_matches(name.lower(), by_lower_case, n=1)
    return by_lower_case[near[0]] if near else None
