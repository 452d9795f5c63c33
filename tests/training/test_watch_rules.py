import math
from dataclasses import fields
from typing import Any

import pytest

from epochwise.catalog.debugger import evaluator_image, evaluator_regions, profiler_report_parameters, profiler_rules
from epochwise.catalog.regions import regions
from epochwise.catalog.watch_rule_names import PROFILER_RULE_NAMES
from epochwise.training.watch_rules import (
    BatchSize,
    CpuBottleneck,
    GpuMemoryIncrease,
    IoBottleneck,
    LoadBalancing,
    LowGpuUtilization,
    OverallSystemUsage,
    ProfilerReport,
    WatchRule,
    watch_rules,
)
from epochwise.workload import Workload

RULES: tuple[type[WatchRule], ...] = (
    CpuBottleneck,
    LoadBalancing,
    LowGpuUtilization,
    IoBottleneck,
    GpuMemoryIncrease,
    BatchSize,
    OverallSystemUsage,
)
PERCENTILES = [
    (CpuBottleneck, "threshold"),
    (CpuBottleneck, "gpu_threshold"),
    (CpuBottleneck, "cpu_threshold"),
    (LoadBalancing, "threshold"),
    (LowGpuUtilization, "threshold_p95"),
    (LowGpuUtilization, "threshold_p5"),
    (IoBottleneck, "threshold"),
    (IoBottleneck, "gpu_threshold"),
    (IoBottleneck, "io_threshold"),
    (BatchSize, "cpu_threshold_p95"),
    (BatchSize, "gpu_threshold_p95"),
    (BatchSize, "gpu_memory_threshold_p95"),
]
WHOLE_NUMBERS = [
    (CpuBottleneck, "patience"),
    (CpuBottleneck, "scan_interval_us"),
    (LoadBalancing, "patience"),
    (LoadBalancing, "scan_interval_us"),
    (LowGpuUtilization, "window"),
    (LowGpuUtilization, "patience"),
    (LowGpuUtilization, "scan_interval_us"),
    (IoBottleneck, "patience"),
    (IoBottleneck, "scan_interval_us"),
    (GpuMemoryIncrease, "increase"),
    (GpuMemoryIncrease, "patience"),
    (GpuMemoryIncrease, "window"),
    (GpuMemoryIncrease, "scan_interval_us"),
    (BatchSize, "patience"),
    (BatchSize, "window"),
    (BatchSize, "scan_interval_us"),
    (OverallSystemUsage, "scan_interval_us"),
]


def watched(**watch: Any) -> Workload:
    return Workload.model_validate(
        {
            "name": "watched",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
            "watch": watch,
        }
    )


@pytest.mark.parametrize("rule", RULES)
def test_every_parameter_of_awss_rule_is_a_field_and_is_sent(rule: type[WatchRule]) -> None:
    parameters = profiler_rules()[rule.aws_rule]
    assert {field.name for field in fields(rule)} == set(parameters)
    sent = rule().rule_parameters
    assert sent == {name: str(parameter.default) for name, parameter in parameters.items()} | {
        "rule_to_invoke": rule.aws_rule
    }


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (CpuBottleneck, {"threshold": "50", "gpu_threshold": "10", "cpu_threshold": "90", "patience": "1000"}),
        (LoadBalancing, {"threshold": "0.5", "patience": "1000"}),
        (LowGpuUtilization, {"threshold_p95": "70", "threshold_p5": "10", "window": "500", "patience": "1000"}),
    ],
)
def test_defaults_are_the_sdks(rule: type[WatchRule], expected: dict[str, str]) -> None:
    named = {"rule_to_invoke": rule.aws_rule, "scan_interval_us": "60000000"}
    assert rule().rule_parameters == expected | named


def test_the_boundary_tables_hold_every_parameter() -> None:
    assert {*PERCENTILES, *WHOLE_NUMBERS} == {(rule, field.name) for rule in RULES for field in fields(rule)}


@pytest.mark.parametrize(("rule", "name"), PERCENTILES)
@pytest.mark.parametrize("value", [0, 0.0, 50.5, 100])
def test_a_percentile_may_be_0_to_100(rule: type[WatchRule], name: str, value: float) -> None:
    assert rule(**{name: value}).rule_parameters[name] == str(value)


@pytest.mark.parametrize(("rule", "name"), PERCENTILES)
@pytest.mark.parametrize("value", [-0.001, -1, 100.001, 101, math.nan, math.inf, True, "50", None])
def test_another_percentile_is_refused_with_value_and_range(rule: type[WatchRule], name: str, value: Any) -> None:
    told = rf"^{name} of {rule.__name__} must be a number from 0 to 100, got {value!r}; .*SDK sends \[WATCH_RULE_PARA"
    with pytest.raises(ValueError, match=told):
        rule(**{name: value})


@pytest.mark.parametrize(("rule", "name"), WHOLE_NUMBERS)
def test_a_count_may_be_1(rule: type[WatchRule], name: str) -> None:
    assert rule(**{name: 1}).rule_parameters[name] == "1"


@pytest.mark.parametrize(("rule", "name"), WHOLE_NUMBERS)
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "1"])
def test_another_count_is_refused_with_value_and_range(rule: type[WatchRule], name: str, value: Any) -> None:
    told = rf"^{name} of {rule.__name__} must be a whole number above 0, got {value!r}; .*SDK sends \[WATCH_RULE_PARA"
    with pytest.raises(ValueError, match=told):
        rule(**{name: value})


def test_rules_come_in_the_order_of_the_declaration() -> None:
    names = tuple(reversed(PROFILER_RULE_NAMES))
    assert [type(rule).__name__ for rule in watch_rules(watched(rules=names))] == list(names)


def test_debugger_evaluates_nothing_when_it_is_not_to() -> None:
    assert watch_rules(watched(rules=["CpuBottleneck"], using=["cloudwatch"])) == ()


def test_the_catalog_holds_every_current_rule() -> None:
    assert set(profiler_rules()) == {
        "BatchSize",
        "CPUBottleneck",
        "GPUMemoryIncrease",
        "IOBottleneck",
        "LoadBalancing",
        "LowGPUUtilization",
        "OverallSystemUsage",
        "ProfilerReport",
    }


@pytest.mark.parametrize(
    ("rule", "name"), [(rule, name) for rule, parameters in profiler_rules().items() for name in parameters]
)
def test_every_default_of_the_catalog_lies_in_its_range(rule: str, name: str) -> None:
    parameter = profiler_rules()[rule][name]
    assert parameter.accepts(parameter.default)
    assert parameter.documented_default != parameter.default


def test_china_has_its_own_domain() -> None:
    assert evaluator_image("cn-north-1") == (
        "618459771430.dkr.ecr.cn-north-1.amazonaws.com.cn/sagemaker-debugger-rules:latest"
    )


def test_a_region_without_evaluator_has_no_image() -> None:
    assert evaluator_image("eu-south-2") is None


def test_every_region_with_an_evaluator_is_known() -> None:
    assert set(evaluator_regions()) <= set(regions())


def test_a_declared_parameter_is_sent_and_the_others_keep_their_defaults() -> None:
    [rule] = watch_rules(watched(rules=[{"IoBottleneck": {"gpu_threshold": 70}}]))
    assert rule.rule_parameters == IoBottleneck(gpu_threshold=70).rule_parameters
    assert rule.rule_parameters["io_threshold"] == "50"


def test_the_report_takes_the_parameters_of_the_other_rules() -> None:
    rules = [{"ProfilerReport": {"CpuBottleneck_threshold": 90}}]
    [rule] = watch_rules(watched(rules=rules, send_defaults=False))
    declared = {"CPUBottleneck_threshold": "90", "rule_to_invoke": "ProfilerReport"}
    assert rule.rule_parameters == declared
    [rule] = watch_rules(watched(rules=rules))
    defaults = {name: str(parameter.default) for name, parameter in profiler_report_parameters().items()}
    assert rule.rule_parameters == defaults | declared
    with pytest.raises(ValueError, match=r"^ProfilerReport has no parameter 'a_b'"):
        ProfilerReport(parameters={"a_b": 1})
    with pytest.raises(ValueError, match="CPUBottleneck_threshold of ProfilerReport must be a number from 0 to 100"):
        ProfilerReport(parameters={"CPUBottleneck_threshold": 101})
