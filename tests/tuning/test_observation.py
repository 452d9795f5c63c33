from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from epochwise.catalog.legality import matching_families
from epochwise.sizing.existing import candidate_of_size
from epochwise.tuning.checkpoint_pattern import checkpoint_pattern
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.tuning.idle_time import idle_time
from epochwise.tuning.measured_job import MeasuredJob, StorageMetrics
from epochwise.tuning.observation import Observation, observe
from epochwise.tuning.points import Point
from epochwise.tuning.refusal import NotTunableError
from epochwise.tuning.tuned import Tuning, tune
from epochwise.watching.metrics import Host
from tests.tuning.jobs import PERSISTENT_2, document, on
from tests.tuning.simulated_job import START, Truth, measured, simulate

TRUTH = Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=24)


@cache
def ran() -> MeasuredJob:
    """Return a job on what is planned for it."""
    return measured(simulate(TRUTH))


def seen(job: MeasuredJob) -> Observation:
    """Return what follows from a job."""
    return observe(job, candidate_of_size(TRUTH.workload, job.file_system.family, job.file_system.size))


def tuned(job: MeasuredJob, **sections: Any) -> Tuning:
    """Conclude from a job."""
    return tune(document(**sections), job, START + timedelta(days=1))


def ids(found: Tuning) -> set[str]:
    """Return the ids of what is remarked."""
    return {finding.id for finding in found.findings}


def without(job: MeasuredJob, **storage: Any) -> MeasuredJob:
    """Return a job with other metrics of its file system."""
    return replace(job, storage=replace(job.storage, **storage))


def test_periods_before_the_first_read_and_partly_filled_ones_do_not_count() -> None:
    job = ran()
    # 95 seconds without reads: two minutes, of which the second is partly filled
    assert job.storage.read_mbps[0] == 0
    assert seen(job).training.points[0].place == 2
    assert seen(job).training.points[-1].place == len(job.storage.read_mbps) - 2


def test_without_metrics_nothing_is_concluded() -> None:
    nothing = (None,) * len(ran().storage.read_mbps)
    with pytest.raises(NotTunableError, match=r"no DataReadBytes of fs-.*\[TUNE_NO_METRICS\]"):
        seen(without(ran(), read_mbps=nothing))


def test_a_job_that_reads_nothing_is_too_short() -> None:
    with pytest.raises(NotTunableError, match=r"job has 0 whole periods of 60 s .*\[TUNE_TOO_SHORT\]"):
        seen(without(ran(), read_mbps=(0.0,) * len(ran().storage.read_mbps)))


def test_reads_whose_every_whole_period_is_lost_are_none() -> None:
    length = len(ran().storage.read_mbps)
    with pytest.raises(NotTunableError, match=r"job has 0 whole periods"):
        seen(without(ran(), read_mbps=(9.0, *(0.0,) * (length - 2), 9.0)))


@pytest.mark.parametrize(("minutes", "enough"), [(8, True), (7, False)])
def test_five_whole_periods_are_needed(minutes: int, enough: bool) -> None:
    # two of start-up, the first and the last partly filled
    job = without(ran(), read_mbps=ran().storage.read_mbps[:minutes])
    if enough:
        assert len(seen(job).training.points) == 5
    else:
        with pytest.raises(NotTunableError, match="4 whole periods"):
            seen(job)


def test_without_metrics_of_accelerators_demand_is_what_was_read() -> None:
    job = replace(ran(), hosts=tuple(replace(host, gpu=()) for host in ran().hosts))
    found = tuned(job, epoch={"compute": "40 s"})
    assert found.seen.idle.share is None
    assert found.seen.demand_mbps == found.seen.read_mbps
    assert "TUNE_ACCELERATORS_UNSEEN" in ids(found)
    # computing declared longer than what was measured cannot be
    assert found.measured.workload.epoch.compute is not None
    assert found.measured.workload.epoch.compute <= found.measured.workload.epoch.target
    assert found.idle_usd_per_hour is None


def test_minutes_that_lack_the_use_of_accelerators_are_missing_and_not_idle() -> None:
    hosts = tuple(replace(host, gpu=(*host.gpu[:6], None, None, *host.gpu[8:])) for host in ran().hosts)
    found = seen(replace(ran(), hosts=hosts))
    assert found.training.missing == 2
    assert found.idle.share == pytest.approx(seen(ran()).idle.share, abs=0.01)


def test_a_silent_node_is_like_the_others() -> None:
    hosts = (*ran().hosts[:3], Host("algo-4"))
    found = tuned(replace(ran(), hosts=hosts))
    assert "TUNE_HOSTS_SILENT" in ids(found)
    assert found.seen.demand_mbps == pytest.approx(seen(ran()).demand_mbps, rel=0.01)
    assert found.measured.workload.cluster.nodes == 4


def test_the_hit_ratio_needs_every_storage_target() -> None:
    found = tuned(without(ran(), targets_seen=3))
    assert found.seen.hit_share is None
    assert found.dataset.measured_hit_share is None
    assert {"TUNE_HITS_UNSEEN", "TUNE_DATASET_UNRECOGNISED"} <= ids(found)
    assert "TUNE_HITS_UNSEEN" not in ids(tuned(ran()))


def test_without_metrics_of_servers_the_ceilings_follow_from_rates() -> None:
    found = seen(without(ran(), network_percent=(), disk_percent=()))
    for point, other in zip(found.training.points, seen(ran()).training.points, strict=True):
        assert point.used["disk"] == pytest.approx(other.used["disk"], rel=0.01)
        assert point.used["network"] == pytest.approx(other.used["network"], rel=0.01)


def test_a_utilisation_that_is_one_of_the_burst_does_not_hide_a_limit() -> None:
    length = len(ran().storage.read_mbps)
    quarter = without(ran(), network_percent=((13.0,) * length,) * 2, disk_percent=((23.0,) * length,) * 2)
    for point, other in zip(seen(quarter).training.points, seen(ran()).training.points, strict=True):
        assert point.used["disk"] == pytest.approx(other.used["disk"], rel=0.02)


def test_one_server_at_its_limit_is_told_apart() -> None:
    length = len(ran().storage.read_mbps)
    job = without(ran(), network_percent=((95.0,) * length, (20.0,) * length), disk_percent=((40.0,) * length,) * 2)
    hosts = tuple(replace(host, gpu=tuple(value and value * 0.7 for value in host.gpu)) for host in job.hosts)
    large = Truth(document(), **on(PERSISTENT_2, 9600, 1000), epochs=1)
    [family] = matching_families(large.wanted)
    found = tuned(replace(job, hosts=hosts, file_system=ExistingFileSystem("fs-1", family, large.size)))
    assert found.recommendation.bottleneck == "one server"
    assert {"TUNE_SERVERS_UNEVEN", "TUNE_WAITS_UNPREDICTED"} <= ids(found)
    # twice as much as is needed, and nothing smaller as long as accelerators wait for it
    assert found.recommendation.verdict == "keep"
    assert min(option.difference_usd for option in found.recommendation.options) < 0


def test_others_on_the_file_system_are_said() -> None:
    assert "TUNE_OTHER_CLIENTS" not in ids(tuned(ran()))
    length = len(ran().storage.read_mbps)
    assert "TUNE_OTHER_CLIENTS" in ids(tuned(without(ran(), connections=(9.0,) * length)))


def test_a_job_that_runs_and_coarse_metrics_are_said() -> None:
    assert "TUNE_JOB_RUNNING" in ids(tuned(replace(ran(), status="InProgress")))
    assert "TUNE_METRICS_COARSE" in ids(tuned(replace(ran(), period_s=300)))


def test_a_cluster_other_than_declared_is_planned_for_and_said() -> None:
    found = tuned(ran(), cluster={"nodes": 8})
    assert found.measured.values["cluster.nodes"] == 4
    assert found.recommendation.planned.workload.cluster.nodes == 4
    assert "TUNE_CLUSTER_DIFFERS" in ids(found)


def test_metadata_is_busy_by_opens_by_all_operations_or_by_its_servers() -> None:
    length = len(ran().storage.read_mbps)
    limit = candidate_of_size(TRUTH.workload, ran().file_system.family, ran().file_system.size).ceilings
    full = (limit.metadata_opens_per_s,) * length
    assert seen(without(ran(), opens_per_s=full)).at_limit["metadata"] == 1
    assert seen(without(ran(), opens_per_s=(), metadata_per_s=full)).at_limit["metadata"] == 1
    assert seen(without(ran(), metadata_per_s=full)).at_limit["metadata"] == 0
    assert seen(without(ran(), metadata_cpu_percent=((95.0,) * length, (10.0,) * length))).at_limit["metadata"] == 1
    bare = without(ran(), opens_per_s=(), metadata_per_s=(), metadata_cpu_percent=())
    assert "metadata" not in seen(bare).at_limit


@pytest.mark.parametrize(
    ("cpu", "network", "bottleneck"), [(10.0, 50.0, "unknown"), (95.0, 50.0, "preprocessing"), (10.0, 95.0, "network")]
)
def test_without_accelerators_the_bottleneck_is_what_was_busy(cpu: float, network: float, bottleneck: str) -> None:
    length = len(ran().storage.read_mbps)
    hosts = tuple(replace(host, gpu=(), cpu=(cpu,) * length) for host in ran().hosts)
    calm = without(ran(), disk_read_mbps=(500.0,) * length, disk_percent=(), network_percent=((network,) * length,))
    job = replace(calm, hosts=hosts)
    found = tuned(job, epoch={"target": "20 s"}).recommendation
    assert found.bottleneck == bottleneck
    # an epoch that takes longer than its target is blamed on what was busy alone
    assert (found.verdict == "not-storage") is (bottleneck == "preprocessing")


def point(place: int, busy: float, cpu: float | None = None, **used: float) -> Point:
    """Return a period."""
    return Point(place, 100.0, None, None, None, None, busy, cpu, used, 0.0)


@pytest.mark.parametrize(
    ("points", "causes"),
    [
        ([point(0, 0.5, network=0.95, disk=0.99)], {"disk": 0.5}),
        ([point(0, 0.5, network=0.97, disk=0.98)], {"network": 0.5}),
        ([point(0, 0.5, network=0.89)], {}),
        ([point(0, 0.5, cpu=0.95, network=0.2)], {"preprocessing": 0.5}),
        ([point(0, 0.5, cpu=0.95, disk=0.95)], {"disk": 0.5}),
        ([point(7, 0.4)], {"checkpoint": 0.6}),
        ([point(0, 0.9), point(1, 0.9), point(2, 0.3, disk=1.0)], {"disk": pytest.approx((1 - 0.3 / 0.9) / 3)}),
        ([point(0, 0.9), point(1, 0.9), point(2, 0.5)], {"other": pytest.approx((1 - 0.5 / 0.9) / 3)}),
    ],
)
def test_idle_time_is_sorted_by_what_was_at_its_limit(points: list[Point], causes: dict[str, float]) -> None:
    assert dict(idle_time(points, {7}).causes) == causes


def test_time_that_storage_took_is_deducted_and_other_idle_time_is_not() -> None:
    idle = idle_time([point(0, 0.25, disk=1.0), point(1, 0.5, cpu=0.95)], set())
    assert idle.deducted == 0.75
    assert idle.for_storage == 0.375
    assert idle.share == 0.625
    assert not idle.fed_seen


@pytest.mark.parametrize(
    ("writes", "found"),
    [
        ((0.0, 0.0, 0.0, 0.0), None),
        ((0.5, 0.5, 0.5, 0.5), None),
        ((900.0, 0.0, 0.0, 0.0), None),
        ((900.0, 900.0, 900.0, 0.0), None),
        ((900.0, 0.0, 0.0, 900.0, 300.0, 0.0, 900.0, 0.0), (60_000.0, 180.0, 3)),
        ((900.0, 0.0, None, 900.0, 0.0, 0.0), (54_000.0, 180.0, 2)),
        ((900.0, None, 900.0, 0.0, 0.0, 900.0, None, 0.0), (108_000.0, 300.0, 2)),
    ],
)
def test_checkpoints_are_bursts_with_pauses_between_them(
    writes: tuple[float | None, ...], found: tuple[float, float, int] | None
) -> None:
    assert checkpoint_pattern(writes, 60, 1000.0) == found


def test_checkpoints_that_are_not_declared_are_said() -> None:
    length = len(ran().storage.read_mbps)
    writes = tuple(500.0 if minute % 5 == 0 else 0.0 for minute in range(length))
    assert "TUNE_CHECKPOINTS_UNDECLARED" in ids(tuned(without(ran(), write_mbps=writes)))


def test_storage_metrics_may_hold_nothing_but_reads() -> None:
    bare = replace(ran(), storage=StorageMetrics(read_mbps=ran().storage.read_mbps))
    found = tuned(bare)
    assert found.seen.opens_per_s is None
    assert found.seen.write_mbps is None
    assert found.recommendation.verdict == "keep"
