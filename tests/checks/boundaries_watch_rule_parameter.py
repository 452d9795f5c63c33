"""Boundaries of what is said about the parameters of a profiler rule."""

from functools import partial

from epochwise.catalog.rule_parameter import RuleParameter
from epochwise.checks.watch_rule_parameter import profiler_report_parameter_unknown, watch_rule_parameter_illegal
from tests.checks.boundaries import Row

_illegal = partial(
    watch_rule_parameter_illegal, "CpuBottleneck", parameter=RuleParameter("threshold", "percentile", 50)
)

ROWS = (
    Row("WATCH_RULE_PARAMETER_ILLEGAL", partial(_illegal, -1), "got -1"),
    Row("WATCH_RULE_PARAMETER_ILLEGAL", partial(_illegal, 101), "got 101"),
    Row("WATCH_RULE_PARAMETER_ILLEGAL", partial(_illegal, 100), None),
    Row(
        "PROFILER_REPORT_PARAMETER_UNKNOWN",
        partial(profiler_report_parameter_unknown, "a_b", ["CPUBottleneck_threshold"]),
        "no parameter 'a_b'",
    ),
    Row(
        "PROFILER_REPORT_PARAMETER_UNKNOWN",
        partial(profiler_report_parameter_unknown, "CPUBottleneck_threshold", ["CPUBottleneck_threshold"]),
        None,
    ),
)
