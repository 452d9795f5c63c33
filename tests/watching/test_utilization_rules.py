"""CpuBottleneck, LowGpuUtilization, GpuMemoryIncrease and LoadBalancing on either side of their thresholds."""

import pytest

from epochwise.watching import cpu_bottleneck, gpu_memory_increase, load_balancing, low_gpu_utilization
from epochwise.watching.cpu_bottleneck import CpuBottleneck
from epochwise.watching.gpu_memory_increase import GpuMemoryIncrease
from epochwise.watching.load_balancing import LoadBalancing
from epochwise.watching.low_gpu_utilization import LowGpuUtilization
from epochwise.watching.metrics import minutes_of
from tests.watching.series import Values, job

PATIENCE = minutes_of(1000)


@pytest.mark.parametrize(
    ("bound", "fires"), [(50, False), (51, True)], ids=["half the minutes is the limit", "one more is above"]
)
def test_cpu_bottleneck_fires_above_its_share_of_minutes(bound: int, fires: bool) -> None:
    minutes: Values = [5.0] * bound + [95.0] * (100 - bound)
    metrics = job(minutes, cpu=[[95.0] * 100], started=False)
    verdict = cpu_bottleneck.judge(metrics, CpuBottleneck())
    assert verdict.fired is fires
    assert verdict.evidence["bottleneck_percent"] == bound
    assert f"{bound}.0 %" in verdict.reason


@pytest.mark.parametrize(
    ("cpu", "gpu", "bottleneck"),
    [(90.1, 9.9, True), (90.0, 9.9, False), (90.1, 10.0, False), (100.0, 0.0, True)],
)
def test_a_minute_is_a_bottleneck_strictly_beyond_both_thresholds(cpu: float, gpu: float, bottleneck: bool) -> None:
    verdict = cpu_bottleneck.judge(job([gpu] * 20, cpu=[[cpu] * 20], started=False), CpuBottleneck())
    assert verdict.evidence["bottleneck_percent"] == (100 if bottleneck else 0)


def test_cpu_bottleneck_is_decided_by_the_worst_node() -> None:
    metrics = job([95.0] * 20, [5.0] * 20, cpu=[[95.0] * 20, [95.0] * 20], started=False)
    verdict = cpu_bottleneck.judge(metrics, CpuBottleneck())
    assert verdict.fired
    assert "algo-2" in verdict.reason
    assert "preprocess" in verdict.fix


@pytest.mark.parametrize(("p95", "fires"), [(69.9, True), (70.0, False)])
def test_low_gpu_utilization_fires_below_its_95th_percentile(p95: float, fires: bool) -> None:
    verdict = low_gpu_utilization.judge(job([p95] * 30, started=False), LowGpuUtilization())
    assert verdict.fired is fires
    assert verdict.evidence["p95"] == p95


@pytest.mark.parametrize(("lowest", "fires"), [(9.9, True), (10.0, False)])
def test_low_gpu_utilization_fires_when_use_fluctuates(lowest: float, fires: bool) -> None:
    verdict = low_gpu_utilization.judge(job([95.0, 95.0, lowest, lowest, 95.0] * 6, started=False), LowGpuUtilization())
    assert verdict.fired is fires
    assert verdict.reason.startswith("fluctuates: ") is fires


def test_low_gpu_utilization_needs_a_whole_window() -> None:
    window = minutes_of(500)
    short = low_gpu_utilization.judge(job([1.0] * (window - 1), started=False), LowGpuUtilization())
    assert not short.fired
    assert f"no node has {window} minutes" in short.reason
    assert low_gpu_utilization.judge(job([1.0] * window, started=False), LowGpuUtilization()).fired


@pytest.mark.parametrize(("last", "fires"), [(15.0, False), (15.1, True), (5.0, False)])
def test_gpu_memory_increase_fires_above_so_many_points(last: float, fires: bool) -> None:
    verdict = gpu_memory_increase.judge(job([], memory=[[10.0] * 10 + [last] * 10], started=False), GpuMemoryIncrease())
    assert verdict.fired is fires


def test_gpu_memory_increase_compares_averages_of_its_window() -> None:
    metrics = job([], memory=[[10.0, 10.0, 30.0, 10.0, 10.0, 10.0]], started=False)
    peak = gpu_memory_increase.judge(metrics, GpuMemoryIncrease(window=120))
    over_five = gpu_memory_increase.judge(metrics, GpuMemoryIncrease(window=600))
    assert peak.fired
    assert not over_five.fired


@pytest.mark.parametrize(("moved", "fires"), [(5, False), (6, True)])
def test_load_balancing_fires_above_its_distance(moved: int, fires: bool) -> None:
    other = [15.0] * moved + [95.0] * (10 - moved)
    verdict = load_balancing.judge(job([95.0] * 10, other, started=False), LoadBalancing())
    assert verdict.fired is fires
    assert verdict.evidence["distance"] == moved / 10


def test_load_balancing_names_the_two_nodes_that_differ_most() -> None:
    metrics = job([95.0] * 10, [95.0] * 10, [15.0] * 10, [94.0] * 10, started=False)
    verdict = load_balancing.judge(metrics, LoadBalancing())
    assert verdict.fired
    assert "algo-3" in verdict.reason


def test_load_balancing_has_nothing_to_compare_on_one_node() -> None:
    verdict = load_balancing.judge(job([50.0] * 30), LoadBalancing())
    assert not verdict.fired
    assert "two are compared" in verdict.reason


@pytest.mark.parametrize(("minutes", "fires"), [(PATIENCE, False), (PATIENCE + 5, True)])
def test_the_first_minutes_of_a_run_are_not_judged(minutes: int, fires: bool) -> None:
    verdict = low_gpu_utilization.judge(job([None, None, *[1.0] * minutes]), LowGpuUtilization())
    assert verdict.fired is fires
    if not fires:
        assert f"after {PATIENCE} minutes of patience" in verdict.reason


def test_patience_is_not_counted_again_where_the_run_began_before_the_series() -> None:
    assert low_gpu_utilization.judge(job([1.0] * 5, started=False), LowGpuUtilization()).fired
