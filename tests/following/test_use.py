"""What CloudWatch counts becomes percent of a node and MB/s of a file system, over the right part of the run."""

from datetime import timedelta

import pytest

from epochwise.following.use import MAX_HOSTS, Use, Window, queries, use_of
from epochwise.watching.metric_query import MAX_QUERIES
from tests.following.runs import NOON, use

RUNNING = Window.of_running(NOON)
P4D = "ml.p4d.24xlarge"


def of_one(values: dict[str, list[float]], window: Window = RUNNING, instance_type: str = P4D) -> Use:
    """Return what a job of one node does."""
    return use_of(values, instance_type_name=instance_type, nodes=1, window=window)


def test_a_node_is_counted_in_percent_of_all_its_cpus_and_gpus() -> None:
    [host] = of_one({"cpu_1": [4800.0], "gpu_1": [400.0], "gpu_memory_1": [80.0], "memory_1": [37.5]}).hosts
    assert (host.name, host.cpu, host.gpu, host.gpu_memory, host.memory) == ("algo-1", 50.0, 50.0, 10.0, 37.5)


def test_a_type_that_is_not_known_has_no_percent_of_what_is_not_known() -> None:
    [host] = of_one({"cpu_1": [4800.0], "gpu_1": [400.0], "memory_1": [37.5]}, instance_type="ml.unknown").hosts
    assert (host.cpu, host.gpu, host.memory) == (None, None, 37.5)


def test_a_node_without_gpus_is_not_divided_by_none() -> None:
    [host] = of_one({"cpu_1": [1800.0], "gpu_1": []}, instance_type="ml.c5.9xlarge").hosts
    assert (host.cpu, host.gpu) == (50.0, None)


def test_bytes_of_a_period_become_mb_a_second() -> None:
    assert of_one({"read": [60e6 * 2400], "write": []}).read_mbps == 2400.0
    hourly = Window(NOON, NOON + timedelta(hours=1), 3600, recent=False)
    assert of_one({"write": [3600e6 * 12]}, hourly).write_mbps == 12.0


def test_of_a_running_job_the_last_minutes_count_and_of_one_that_ended_all() -> None:
    reads = [60e6 * rate for rate in (0, 0, 100, 100, 100, 100, 100)]
    assert of_one({"read": reads}).read_mbps == 100.0
    whole = Window.of_ended(NOON - timedelta(minutes=7), NOON, NOON)
    assert of_one({"read": reads}, whole).read_mbps == pytest.approx(500 / 7)


def test_what_is_no_number_is_a_gap() -> None:
    found = of_one({"read": [float("nan"), -1.0, 60e6], "cpu_1": [float("nan")]})
    assert found.read_mbps == 1.0
    assert found.hosts[0].is_silent
    assert of_one({}).is_silent
    assert not found.is_silent


def test_a_running_job_is_looked_at_over_whole_minutes() -> None:
    window = Window.of_running(NOON + timedelta(seconds=59))
    assert (window.start, window.end, window.period_s) == (NOON - timedelta(minutes=10), NOON, 60)


@pytest.mark.parametrize(
    ("age_days", "lasted", "period_s"),
    [
        (1, timedelta(minutes=500), 60),
        (1, timedelta(minutes=501), 120),
        (15, timedelta(minutes=20), 60),
        (15.01, timedelta(minutes=20), 300),
        (62, timedelta(hours=50), 600),
        (63.01, timedelta(minutes=20), 3600),
        (1, timedelta(0), 60),
    ],
)
def test_a_job_that_ended_is_asked_for_in_steps_that_cloudwatch_still_has(
    age_days: float, lasted: timedelta, period_s: int
) -> None:
    start = NOON - timedelta(days=age_days)
    window = Window.of_ended(start, start + lasted, NOON)
    assert window.period_s == period_s
    assert window.end > window.start
    assert (window.end - window.start).total_seconds() / window.period_s <= 501


def test_one_call_is_enough_for_any_job() -> None:
    assert len(queries("job", 4, "fs-1", RUNNING)) == 4 * 4 + 2
    assert len(queries("job", 4, None, RUNNING)) == 4 * 4
    large = queries("job", 10_000, "fs-1", RUNNING)
    assert MAX_QUERIES - 4 < len(large) <= MAX_QUERIES
    assert len({query["Id"] for query in large}) == len(large)
    found = use_of({}, instance_type_name=P4D, nodes=10_000, window=RUNNING)
    assert (len(found.hosts), found.hosts_left_out) == (MAX_HOSTS, 10_000 - MAX_HOSTS)


def test_queries_name_the_metric_the_node_and_the_period() -> None:
    hourly = Window(NOON, NOON + timedelta(hours=1), 3600, recent=False)
    asked = {query["Id"]: query["MetricStat"] for query in queries("guide-1", 1, "fs-1", hourly)}
    assert asked["gpu_1"]["Metric"] == {
        "Namespace": "/aws/sagemaker/TrainingJobs",
        "MetricName": "GPUUtilization",
        "Dimensions": [{"Name": "Host", "Value": "guide-1/algo-1"}],
    }
    assert asked["memory_1"]["Metric"]["MetricName"] == "MemoryUtilization"
    assert asked["read"]["Metric"]["Dimensions"] == [{"Name": "FileSystemId", "Value": "fs-1"}]
    assert (asked["read"]["Stat"], asked["gpu_1"]["Stat"]) == ("Sum", "Average")
    assert {query["Period"] for query in asked.values()} == {3600}


def test_figures_are_rounded_in_json() -> None:
    document = use(read_mbps=2299.96).as_dict()
    assert document["read_mbps"] == 2300.0
    assert document["hosts"]["algo-4"] == {"cpu": None, "gpu": None, "gpu_memory": None, "memory": None}
