"""Ten jobs of a known truth: their metrics say the truth, and what is recommended is what the truth deserves."""

from datetime import timedelta
from functools import cache

import pytest

from epochwise.sizing.planner import plan
from epochwise.tuning.in_place import best_in_place
from epochwise.tuning.recommendation import Verdict, Way
from epochwise.tuning.tuned import Tuning, tune
from tests.tuning.jobs import CASES, simulated
from tests.tuning.simulated_job import START, measured

NAMES = list(CASES)


@cache
def tuned(name: str) -> Tuning:
    """Conclude from a job's metrics, with what its owner had declared."""
    return tune(CASES[name].document, measured(simulated(name)), START + timedelta(days=1))


def test_there_are_ten_jobs_of_every_verdict_that_a_feasible_job_deserves() -> None:
    assert len(CASES) == 10
    assert {case.verdict for case in CASES.values()} == {
        Verdict.KEEP,
        Verdict.GROW,
        Verdict.SHRINK,
        Verdict.NOT_STORAGE,
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_demand_is_recovered(name: str) -> None:
    truth = CASES[name].truth.workload
    assert tuned(name).seen.demand_mbps == pytest.approx(truth.dataset.size / 1e6 / truth.epoch.target, rel=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_the_hit_ratio_is_recovered(name: str) -> None:
    # 5 %, and a read in a thousand where hardly any is answered
    assert tuned(name).dataset.measured_hit_share == pytest.approx(
        simulated(name).steady_hit_share, rel=0.05, abs=0.001
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_measured_workload_is_the_truth(name: str) -> None:
    truth, found = CASES[name].truth.workload, tuned(name).measured.workload
    assert found.dataset.size == pytest.approx(truth.dataset.size, rel=0.05)
    assert found.epoch.target == pytest.approx(truth.epoch.target, rel=0.05)
    assert found.epoch.compute == pytest.approx(truth.epoch.compute, rel=0.05)
    assert found.dataset.working_set is None
    if truth.dataset.files is not None:
        assert found.dataset.files == pytest.approx(truth.dataset.files, rel=0.05)
    if truth.checkpoint is not None:
        assert found.checkpoint is not None
        assert found.checkpoint.size == pytest.approx(truth.checkpoint.size, rel=0.05)
        assert found.checkpoint.every == pytest.approx(truth.checkpoint.every, rel=0.05)
    if truth.training is not None:
        assert found.training is not None
        assert found.training.preprocessing == pytest.approx(truth.training.preprocessing, rel=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planned_is_what_the_planner_gives_for_the_truth(name: str) -> None:
    wanted, found = plan(CASES[name].truth.workload).choice, tuned(name).recommendation.planned.choice
    assert wanted is not None
    assert found is not None
    assert (found.family, found.size, found.monthly_usd) == (wanted.family, wanted.size, wanted.monthly_usd)


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_and_the_bottleneck_are_those_of_the_truth(name: str) -> None:
    found = tuned(name).recommendation
    assert (found.verdict, found.bottleneck) == (CASES[name].verdict, CASES[name].bottleneck)


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name].verdict is Verdict.GROW])
def test_growth_is_to_the_size_that_the_truth_needs(name: str) -> None:
    found = tuned(name)
    chosen, wanted = found.recommendation.chosen, best_in_place(CASES[name].truth.workload, found.job.file_system)
    assert wanted is not None
    assert chosen.way is Way.IN_PLACE
    assert (chosen.candidate.family, chosen.candidate.size) == (wanted.candidate.family, wanted.candidate.size)
    assert chosen.candidate.epoch_s.steady <= found.measured.workload.epoch.limit_s
    assert found.steps


def test_the_first_minutes_of_a_burst_do_not_hide_what_is_needed() -> None:
    found = tuned("a burst that ends")
    assert "TUNE_BURST_USED" in {finding.id for finding in found.findings}
    assert found.seen.idle.causes["disk"] > 0.2


def test_what_is_missing_is_said() -> None:
    ids = {finding.id for finding in tuned("lost minutes and a silent node").findings}
    assert {"TUNE_METRICS_MISSING", "TUNE_HOSTS_SILENT"} <= ids
    assert tuned("lost minutes and a silent node").seen.training.missing > 0


def test_a_job_on_what_is_planned_for_it_leaves_the_file_as_it_is() -> None:
    assert tuned("the guide on what is planned for it").measured.values == {}
