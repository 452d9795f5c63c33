"""SageMaker Debugger's profiler rules, which read how busy the nodes are.

A further rule is one class: AWS's name and its parameters; defaults and ranges come from the catalog.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from epochwise.catalog.debugger import profiler_report_parameters, profiler_rules
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.watch_rule_parameter import profiler_report_parameter_unknown, watch_rule_parameter_illegal


def _sdk_default(aws_rule: str, parameter: str) -> Any:
    """Return the number that AWS's SDK sends for a parameter."""
    return profiler_rules()[aws_rule][parameter].default


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRule:
    """A rule with its parameters.

    Every parameter is sent, because the service's own defaults are documented with other numbers than the SDK's.
    """

    aws_rule: ClassVar[str]
    """AWS's name of the rule."""

    def __post_init__(self) -> None:
        """Hold every parameter to its range.

        Raises:
            ValueError: naming the rule, the parameter, its value and what is allowed.
        """
        parameters = profiler_rules()[self.aws_rule].items()
        refuse_errors(
            finding
            for name, parameter in parameters
            for finding in watch_rule_parameter_illegal(type(self).__name__, getattr(self, name), parameter)
        )

    @property
    def rule_parameters(self) -> dict[str, str]:
        """The rule's name and parameters as strings, which is all that RuleParameters takes."""
        return {field.name: str(getattr(self, field.name)) for field in fields(self)} | {
            "rule_to_invoke": self.aws_rule
        }

    def profiler_rule_configuration(self, evaluator_image: str) -> dict[str, Any]:
        """Return the rule's entry of ProfilerRuleConfigurations.

        It names neither InstanceType nor VolumeSizeInGB: AWS then evaluates built-in rules on its own machines, without
        charge. Source: sagemaker 2.257.7.
        """
        return {
            "RuleConfigurationName": self.aws_rule,
            "RuleEvaluatorImage": evaluator_image,
            "RuleParameters": self.rule_parameters,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuBottleneck(WatchRule):
    """Fires when GPUs idle because CPUs are busy for too large a share of the run."""

    aws_rule: ClassVar[str] = "CPUBottleneck"
    threshold: float = _sdk_default("CPUBottleneck", "threshold")
    """Percent of the time with a bottleneck above which the rule fires."""
    gpu_threshold: float = _sdk_default("CPUBottleneck", "gpu_threshold")
    """GPU utilisation in percent below which a GPU idles."""
    cpu_threshold: float = _sdk_default("CPUBottleneck", "cpu_threshold")
    """CPU utilisation in percent above which a CPU is busy."""
    patience: int = _sdk_default("CPUBottleneck", "patience")
    """Data points that pass before the first evaluation."""
    scan_interval_us: int = _sdk_default("CPUBottleneck", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IoBottleneck(WatchRule):
    """Fires when GPUs idle because CPUs wait for input and output for too large a share of the run."""

    aws_rule: ClassVar[str] = "IOBottleneck"
    threshold: float = _sdk_default("IOBottleneck", "threshold")
    """Percent of the time with a bottleneck above which the rule fires."""
    gpu_threshold: float = _sdk_default("IOBottleneck", "gpu_threshold")
    """GPU utilisation in percent below which a GPU idles; the guide says 70 where AWS's SDK sends 10."""
    io_threshold: float = _sdk_default("IOBottleneck", "io_threshold")
    """Time in percent that a CPU waits for input and output, above which it is held up."""
    patience: int = _sdk_default("IOBottleneck", "patience")
    """Data points that pass before the first evaluation."""
    scan_interval_us: int = _sdk_default("IOBottleneck", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadBalancing(WatchRule):
    """Fires when the GPUs are not equally busy."""

    aws_rule: ClassVar[str] = "LoadBalancing"
    threshold: float = _sdk_default("LoadBalancing", "threshold")
    """Distance between the histograms of two GPUs' utilisation above which the rule fires: a proportion, no percent."""
    patience: int = _sdk_default("LoadBalancing", "patience")
    """Data points that pass before the first evaluation."""
    scan_interval_us: int = _sdk_default("LoadBalancing", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LowGpuUtilization(WatchRule):
    """Fires when a GPU is little used, or its use fluctuates."""

    aws_rule: ClassVar[str] = "LowGPUUtilization"
    threshold_p95: float = _sdk_default("LowGPUUtilization", "threshold_p95")
    """Utilisation in percent: the GPU is little used when the 95th percentile lies below."""
    threshold_p5: float = _sdk_default("LowGPUUtilization", "threshold_p5")
    """Utilisation in percent: use fluctuates when the 5th percentile lies below."""
    window: int = _sdk_default("LowGPUUtilization", "window")
    """Data points that a percentile is taken over."""
    patience: int = _sdk_default("LowGPUUtilization", "patience")
    """Data points that pass before the first evaluation."""
    scan_interval_us: int = _sdk_default("LowGPUUtilization", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuMemoryIncrease(WatchRule):
    """Fires when the memory in use on a GPU grows by much."""

    aws_rule: ClassVar[str] = "GPUMemoryIncrease"
    increase: int = _sdk_default("GPUMemoryIncrease", "increase")
    """Percentage points by which the moving average may grow."""
    patience: int = _sdk_default("GPUMemoryIncrease", "patience")
    """Data points that pass before the first evaluation."""
    window: int = _sdk_default("GPUMemoryIncrease", "window")
    """Data points that a moving average is taken over."""
    scan_interval_us: int = _sdk_default("GPUMemoryIncrease", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSize(WatchRule):
    """Fires when CPU, GPU and GPU memory are all little used: the batch may grow, or the instance shrink."""

    aws_rule: ClassVar[str] = "BatchSize"
    cpu_threshold_p95: float = _sdk_default("BatchSize", "cpu_threshold_p95")
    """CPU utilisation in percent that the 95th percentile lies below."""
    gpu_threshold_p95: float = _sdk_default("BatchSize", "gpu_threshold_p95")
    """GPU utilisation in percent that the 95th percentile lies below."""
    gpu_memory_threshold_p95: float = _sdk_default("BatchSize", "gpu_memory_threshold_p95")
    """GPU memory in use in percent that the 95th percentile lies below."""
    patience: int = _sdk_default("BatchSize", "patience")
    """Data points that pass before the first evaluation."""
    window: int = _sdk_default("BatchSize", "window")
    """Data points that a percentile is taken over."""
    scan_interval_us: int = _sdk_default("BatchSize", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallSystemUsage(WatchRule):
    """Never fires: it writes down how each node was used."""

    aws_rule: ClassVar[str] = "OverallSystemUsage"
    scan_interval_us: int = _sdk_default("OverallSystemUsage", "scan_interval_us")
    """Microseconds between two looks at the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilerReport(WatchRule):
    """Evaluates all profiler rules by itself and writes one report.

    The rules inside it are told all parameters, those that are not declared by the defaults that AWS's SDK sends to the
    same rules outside it; to the report itself the SDK sends none.
    """

    aws_rule: ClassVar[str] = "ProfilerReport"
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Parameters of the rules inside, as `<AWS's rule>_<parameter>`."""
    send_defaults: bool = True
    """Whether the other parameters are sent by their defaults; without, the request is the one of AWS's SDK."""

    def __post_init__(self) -> None:
        """Hold every parameter to the range of the rule that it is for.

        Raises:
            ValueError: naming the parameter, its value and what is allowed.
        """
        known = profiler_report_parameters()
        for name, value in self.parameters.items():
            refuse_errors(profiler_report_parameter_unknown(name, known))
            refuse_errors(watch_rule_parameter_illegal(type(self).__name__, value, replace(known[name], name=name)))

    @property
    def rule_parameters(self) -> dict[str, str]:
        """The rule's name, and all parameters of the rules inside, as declared or by default."""
        known = profiler_report_parameters() if self.send_defaults else {}
        told = {name: parameter.default for name, parameter in known.items()} | dict(self.parameters)
        return {name: str(value) for name, value in told.items() if value is not None} | {
            "rule_to_invoke": self.aws_rule
        }
