"""Jobs that do not read a fresh random order of what is declared: what the cache answered is told apart."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, StorageType
from epochwise.catalog.legality import Wanted, matching_families
from epochwise.sizing.cache import lru_hit_share
from epochwise.sizing.candidate import Size
from epochwise.tuning.dataset_evidence import Source
from epochwise.tuning.recognised_dataset import Reads, dataset_of, reads_of, working_set_of
from epochwise.tuning.recommendation import Verdict
from epochwise.tuning.tuned import Tuning, tune
from tests.tuning.jobs import PERSISTENT_2, document, on
from tests.tuning.simulated_job import START, Truth, measured, simulate


def tuned(truth: Truth, declared: dict[str, Any] | None = None, status: str = "Completed") -> Tuning:
    """Run a job and conclude from it."""
    return tune(declared or truth.document, measured(simulate(truth), status), START + timedelta(days=1))


def ids(found: Tuning) -> set[str]:
    """Return the ids of what is remarked."""
    return {finding.id for finding in found.findings}


SHUFFLED = Truth(document(epoch={"count": 30}), **on(PERSISTENT_2, 4800, 500), epochs=30)


def test_an_order_that_never_changes_gets_nothing_from_the_cache_and_the_plan_does_not_count_on_it() -> None:
    found = tuned(replace(SHUFFLED, order="sequential"))
    assert found.dataset.measured_hit_share == pytest.approx(0.0, abs=0.01)
    assert found.dataset.predicted_hit_share > 0.3
    assert found.dataset.source is Source.DECLARED
    assert found.dataset.working_set_mb is not None
    assert "TUNE_CACHE_DISAGREES" in ids(found)
    assert found.measured.workload.dataset.working_set == pytest.approx(found.dataset.working_set_mb * 1e6, rel=0.001)
    choice = found.recommendation.planned.choice
    assert choice is not None
    assert choice.prediction.hit_share < 0.05
    # disks alone must do it now
    assert found.recommendation.verdict is Verdict.GROW
    assert found.seen.idle.main_cause == "disk"


@pytest.mark.parametrize(
    ("count", "status", "stands"), [(30, "Completed", True), (30, "Stopped", False), (20, "Completed", False)]
)
def test_a_declared_size_stands_where_a_completed_job_read_it_in_every_epoch(
    count: int, status: str, stands: bool
) -> None:
    # 60 GB of the 100 GB are read, as often as 36 % fewer epochs of all would have it
    truth = replace(SHUFFLED, document=document(dataset={"size": "60 GB"}, epoch={"count": count}), epochs=50)
    declared = document(dataset={"size": "100 GB"}, epoch={"count": count})
    found = tuned(truth, declared, status)
    law = found.seen.recognised_mb
    assert law == pytest.approx(60_000, rel=0.03)
    if stands:
        assert (found.dataset.source, found.dataset.size_mb) == (Source.DECLARED, 100_000)
        assert found.dataset.working_set_mb == law
        assert found.measured.workload.dataset.working_set == pytest.approx(60e9, rel=0.03)
        assert "TUNE_CACHE_DISAGREES" in ids(found)
    else:
        assert (found.dataset.source, found.dataset.working_set_mb) == (Source.CACHE, None)
        assert "TUNE_DATASET_DIFFERS" in ids(found)
        assert "dataset.size" in found.measured.values


@pytest.mark.parametrize(("stored_gb", "source"), [(100, Source.DECLARED), (60, Source.CACHE), (500, Source.CACHE)])
def test_what_lies_on_the_file_system_decides_between_two_sizes(stored_gb: int, source: Source) -> None:
    truth = replace(SHUFFLED, document=document(dataset={"size": "60 GB"}))
    job = measured(simulate(truth))
    length = len(job.storage.read_mbps)
    job = replace(job, storage=replace(job.storage, stored_bytes=(stored_gb * 1e9,) * length))
    assert tune(document(), job, START).dataset.source is source


def test_a_dataset_larger_than_all_that_is_stored_is_another_order() -> None:
    job = measured(simulate(SHUFFLED))
    length = len(job.storage.read_mbps)
    job = replace(job, storage=replace(job.storage, stored_bytes=(55e9,) * length))
    found = tune(document(dataset={"size": "50 GB"}), job, START)
    assert (found.dataset.source, found.dataset.size_mb) == (Source.DECLARED, 50_000)
    assert found.dataset.working_set_mb == pytest.approx(100_000, rel=0.03)


def test_a_declared_working_set_is_measured_again() -> None:
    declared = document(dataset={"size": "200 GB", "working_set": "100 GB"})
    kept = tuned(SHUFFLED, declared)
    assert "dataset.working_set" not in kept.measured.values
    assert "dataset.size" not in kept.measured.values
    changed = tuned(SHUFFLED, document(dataset={"size": "200 GB", "working_set": "60 GB"}))
    assert changed.measured.workload.dataset.working_set == pytest.approx(100e9, rel=0.03)


def test_a_declared_page_cache_leaves_the_dataset_as_declared_and_counts_demand_behind_it() -> None:
    declared = document(cluster={"page_cache": "20 GB"}, epoch={"count": 12})
    found = tuned(replace(SHUFFLED, epochs=12), declared)
    assert found.dataset.source is Source.DECLARED
    assert 0.5 < found.dataset.to_servers < 1
    demand = next(figure for figure in found.figures if figure.name == "demand")
    assert demand.measured == pytest.approx(found.seen.demand_mbps / found.dataset.to_servers)
    assert found.measured.workload.epoch.target == pytest.approx(
        100_000 * found.dataset.to_servers / found.seen.demand_mbps, rel=0.02
    )


RAM_MB = 30_000.0


def test_a_cache_that_was_warm_when_the_job_began_is_seen() -> None:
    job = simulate(replace(SHUFFLED, warm=True))
    found = tune(document(dataset={"size": "150 GB"}), measured(job), START)
    assert found.seen.reads is not None
    assert not found.seen.reads.cold
    assert found.dataset.measured_hit_share == pytest.approx(job.steady_hit_share, rel=0.05)
    assert found.dataset.size_mb == pytest.approx(100_000, rel=0.05)
    assert found.dataset.epochs == pytest.approx(30, rel=0.05)


def test_an_ssd_cache_in_front_of_the_disks_hides_the_dataset() -> None:
    job = measured(simulate(SHUFFLED))
    wanted = Wanted(
        deployment_types=(DeploymentType.PERSISTENT_1,),
        storage_type=StorageType.HDD,
        per_unit_storage_throughput=40,
        drive_cache_type=DriveCacheType.READ,
    )
    [family] = matching_families(wanted)
    there = replace(job.file_system, family=family, size=Size(18_000, metadata_iops=12_000))
    assert tune(document(), replace(job, file_system=there), START).seen.recognised_mb is None


@pytest.mark.parametrize("size_mb", [20_000.0, 40_000.0, 70_000.0, 100_000.0])
@pytest.mark.parametrize("epochs", [2, 5, 50])
@pytest.mark.parametrize("cold", [True, False])
def test_the_law_of_the_cache_is_turned_round(size_mb: float, epochs: int, cold: bool) -> None:
    misses = 1 - lru_hit_share(RAM_MB / size_mb)
    steady = size_mb * misses
    disk = size_mb + (epochs - 1) * steady if cold else epochs * steady
    found = dataset_of(Reads(epochs * size_mb, disk, cold), RAM_MB)
    if not cold and size_mb < RAM_MB:
        # a cache that was warm and answers everything says nothing
        assert found is None
    elif lru_hit_share(RAM_MB / size_mb) < 0.05:
        assert found is None
    else:
        assert found == pytest.approx(size_mb, rel=1e-6)


@pytest.mark.parametrize("size_mb", [20_000.0, 50_000.0, 100_000.0])
@pytest.mark.parametrize("periods_per_epoch", [0.2, 1, 10])
@pytest.mark.parametrize("cold", [True, False])
def test_whether_the_cache_was_cold_is_seen_also_where_a_period_holds_several_epochs(
    size_mb: float, periods_per_epoch: float, cold: bool
) -> None:
    share = min(1.0, RAM_MB / size_mb)
    missed = size_mb * (1 - lru_hit_share(share))
    epochs, first = 40, size_mb if cold else missed
    if periods_per_epoch <= 1:
        inside = round(1 / periods_per_epoch)
        read = [size_mb * inside] * (epochs // inside)
        disk = [first + missed * (inside - 1), *[missed * inside] * (epochs // inside - 1)]
    else:
        # an epoch begins with what the last one left: the cache's own share of the dataset
        parts = round(periods_per_epoch)
        begins = size_mb / parts * (1.0 if cold else 1 - share)
        rest = (first - begins) / (parts - 1)
        read = [size_mb / parts] * (parts * epochs)
        disk = [begins, *[rest] * (parts - 1), *[missed / parts] * (parts * (epochs - 1))]
    found = reads_of(read, disk, RAM_MB)
    assert found is not None
    assert found.cold is cold


def test_a_single_pass_and_reads_without_a_cache_tell_nothing() -> None:
    assert dataset_of(Reads(100_000.0, 100_000.0, cold=True), RAM_MB) is None
    assert dataset_of(Reads(100_000.0, 60_000.0, cold=True), 0.0) is None
    assert dataset_of(Reads(20_000.0, 18_000.0, cold=True), RAM_MB) is None
    assert reads_of([0.0, 0.0], [0.0, 0.0], RAM_MB) is None
    assert reads_of([1.0, 1.0], [1.0], RAM_MB) is None
    # of some file systems the cache is not known
    assert reads_of([0.0, 1.0], [0.0, 1.0], 0.0) == Reads(1.0, 1.0, cold=True)


def test_a_working_set_answers_the_share_it_was_measured_by() -> None:
    for share in (0.05, 0.3, 0.9):
        assert lru_hit_share(RAM_MB / working_set_of(share, RAM_MB)) == pytest.approx(share, abs=1e-6)
    assert working_set_of(0.0, RAM_MB) == pytest.approx(RAM_MB * 100)
