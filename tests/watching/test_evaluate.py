"""All rules together: what is found has one shape, and nothing that CloudWatch leaves out is an error."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epochwise.checks.watch import LOOKBACK_MINUTES, POINTS_A_MINUTE
from epochwise.watching.evaluate import RULE_NAMES, Configuration, Look, evaluate, verdicts
from epochwise.watching.metrics import Host, Metrics, Series, begin_with_job, minutes_of, percentile, series_of
from epochwise.watching.storage_bottleneck import Rung
from tests.watching.series import job

EVERY_RULE = Configuration(
    workload="guide",
    rules={name: {} for name in RULE_NAMES},
    instance_types={"ml.p4d.24xlarge": (96, 8, 4)},
    ceiling_mbps=2400.0,
    ladder=(Rung(3000, "larger", 1.0),),
)
IDLE = job(
    [1.0] * 40,
    [1.0] * 40,
    cpu=[[99.0] * 40] * 2,
    memory=[list(range(40))] * 2,
    reads=[2400.0] * 40,
    logs=[("NCCL INFO Using network Socket",)] * 2,
)


def found(metrics: Metrics) -> dict[str, Any]:
    return dict(evaluate(EVERY_RULE, Look("job", "2026-11-30T00:00:00Z", metrics))["found"])


def test_a_finding_says_all_that_a_reader_needs() -> None:
    findings = found(IDLE)
    assert set(findings) == set(RULE_NAMES) - {"LoadBalancing"}
    for rule, finding in findings.items():
        assert set(finding) == {
            *("workload", "job", "rule", "level", "message", "evidence", "fix", "source", "time"),
        }
        assert (finding["workload"], finding["rule"], finding["source"]) == ("guide", rule, "cloudwatch")
        assert finding["level"] == "warning"
        assert finding["fix"]
        assert all(math.isfinite(number) for number in finding["evidence"].values())


def test_a_rule_that_does_not_fire_says_why() -> None:
    busy = job([95.0] * 40, [95.0] * 40, cpu=[[20.0] * 40] * 2, memory=[[50.0] * 40] * 2, reads=[100.0] * 40)
    judged = verdicts(EVERY_RULE, busy)
    assert [verdict.rule for verdict in judged] == list(RULE_NAMES)
    assert not [verdict.rule for verdict in judged if verdict.fired]
    assert all(verdict.reason and not verdict.fix for verdict in judged)


@pytest.mark.parametrize(
    "metrics",
    [Metrics(()), job([]), job([None] * 40, [None] * 40, reads=[None] * 40), Metrics((Host("algo-1"),))],
    ids=["no host", "no values", "only gaps", "silent host"],
)
def test_nothing_is_found_where_there_is_nothing(metrics: Metrics) -> None:
    assert found(metrics) == {}
    assert all(verdict.reason for verdict in verdicts(EVERY_RULE, metrics))


def test_gaps_and_a_missing_node_are_survived_and_said() -> None:
    gpu: list[float | None] = [1.0] * 40
    gpu[20:25] = [None] * 5
    metrics = job(gpu, [None] * 40, cpu=[[99.0] * 40, [None] * 40], memory=[[9.0] * 40, [None] * 40])
    finding = found(metrics)["CpuBottleneck"]
    assert finding["evidence"]["minutes_missing"] == 5
    assert finding["evidence"]["hosts"] == 2
    assert finding["evidence"]["hosts_missing"] == 1


@pytest.mark.parametrize("speaking", ["cpu", "gpu"])
@pytest.mark.parametrize(("first", "begins"), [(0, False), (1, False), (2, True)])
def test_a_window_begins_with_the_job_where_every_node_is_silent_at_first(
    speaking: str, first: int, begins: bool
) -> None:
    silent: Series = (None,) * 5
    values: Series = (None,) * first + (50.0,) * (5 - first)
    late = Host("algo-1", cpu=silent, gpu=silent)
    early = Host("algo-2", cpu=values, gpu=silent) if speaking == "cpu" else Host("algo-2", cpu=silent, gpu=values)
    assert begin_with_job([late, early]) is begins


def test_a_rule_that_cloudwatch_cannot_decide_says_so() -> None:
    configuration = Configuration(workload="guide", rules={"IoBottleneck": {}}, instance_types={})
    [verdict] = verdicts(configuration, IDLE)
    assert not verdict.fired
    assert "got IoBottleneck" in verdict.reason


def test_the_configuration_survives_json() -> None:
    text = json.dumps(
        {
            "workload": "guide",
            "rules": {"CpuBottleneck": {"threshold": 60, "scan_interval_us": 1}},
            "instance_types": {"ml.p4d.24xlarge": [96, 8]},
            "ladder": [[3000, "larger", 1.0]],
        }
    )
    configuration = Configuration.from_json(json.loads(text))
    assert configuration.ladder == (Rung(3000, "larger", 1.0),)
    [verdict] = verdicts(configuration, IDLE)
    assert verdict.evidence["threshold_percent"] == 60


VALUE = st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True), st.floats(0, 800))
SERIES = st.lists(VALUE, max_size=40)
LINES = st.lists(st.text(max_size=20) | st.just("NET/Socket : Using"), max_size=2).map(tuple)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(SERIES, SERIES, SERIES, LINES), max_size=4), SERIES, st.booleans())
def test_whatever_cloudwatch_answers_every_rule_decides(
    hosts: list[tuple[Any, ...]], reads: list[float | None], started: bool
) -> None:
    metrics = Metrics(
        tuple(
            Host(f"algo-{number}", series_of(cpu, 8), series_of(gpu, 8), series_of(memory, 8), lines)
            for number, (cpu, gpu, memory, lines) in enumerate(hosts)
        ),
        series_of(reads),
        started,
    )
    answer = evaluate(EVERY_RULE, Look("job", "now", metrics))
    assert set(answer["reasons"]) == set(RULE_NAMES)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


@given(st.lists(st.floats(0, 100), min_size=1, max_size=50), st.floats(0, 100))
def test_a_percentile_lies_between_the_extremes(values: list[float], percent: float) -> None:
    assert min(values) <= percentile(values, percent) <= max(values)
    assert percentile(values, 100) == max(values)


def test_what_is_said_to_lie_beyond_the_lookback_does() -> None:
    assert Configuration("guide", {}, {}).lookback_minutes == LOOKBACK_MINUTES
    most = LOOKBACK_MINUTES * POINTS_A_MINUTE
    assert (minutes_of(most), minutes_of(most + 1)) == (LOOKBACK_MINUTES, LOOKBACK_MINUTES + 1)
