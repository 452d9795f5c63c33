"""What was measured goes into the declaration so that the planner can plan for it."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from epochwise.sizing.planner import plan
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.tuned import Tuning, tune
from epochwise.workload import WorkloadError
from epochwise.workload.preprocessing import preprocessing_s
from tests.tuning.jobs import PERSISTENT_2, TRAINING, document, on
from tests.tuning.simulated_job import START, Truth, measured, simulate

CHECKPOINT = {"size": "100 GB", "every": "5 min", "write_within": "60 s"}
TRUTHS = {
    "plain": Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=20),
    "checkpoints": Truth(document(checkpoint=CHECKPOINT), **on(PERSISTENT_2, 4800, 500), epochs=60),
    "smddp": Truth(
        document(
            dataset={"samples": 500_000},
            epoch={"target": "40 s", "compute": "30 s"},
            training=TRAINING | {"distribution": "smddp", "preprocessing": "0.028 s"},
        ),
        **on(PERSISTENT_2, 4800, 500),
        epochs=20,
    ),
}


@cache
def ran(name: str) -> MeasuredJob:
    """Return a job that ran."""
    return measured(simulate(TRUTHS[name]))


def tuned(name: str, **sections: Any) -> Tuning:
    """Conclude from a job, with sections of its declaration changed."""
    changed = {section: TRUTHS[name].document.get(section, {}) | values for section, values in sections.items()}
    kept = {name: {key: value for key, value in each.items() if value is not None} for name, each in changed.items()}
    return tune(TRUTHS[name].document | kept, ran(name), START)


@pytest.mark.parametrize(("declared", "kept"), [("30 s", True), ("29.3 s", True), ("31 s", False), ("28 s", False)])
def test_what_is_within_two_percent_stays_as_it_is_declared(declared: str, kept: bool) -> None:
    found = tuned("plain", epoch={"target": declared, "compute": None})
    assert ("epoch.target" not in found.measured.values) is kept
    assert found.measured.workload.epoch.compute is not None
    assert found.measured.workload.epoch.compute <= found.measured.workload.epoch.target


@pytest.mark.parametrize("target", ["29.5 s", "30.123456 s", "60 s"])
@pytest.mark.parametrize("compute", [None, "12 s", "29.4 s", "35 s"])
def test_computing_and_preprocessing_never_take_longer_than_the_target(target: str, compute: str | None) -> None:
    for name, more in (("plain", {}), ("smddp", {"training": {"preprocessing": "0.05 s"}})):
        workload = tuned(name, epoch={"target": target, "compute": compute}, **more).measured.workload
        assert (workload.epoch.compute or 0) <= workload.epoch.target
        assert (preprocessing_s(workload) or 0) <= workload.epoch.target
        # so that the plan is one of storage
        assert plan(workload).choice is not None


def test_what_the_collective_library_takes_of_the_cpus_is_no_preprocessing() -> None:
    found = tuned("smddp", training={"preprocessing": None})
    # 96 vCPUs less one for each of 8 accelerators are busy for 40 s an epoch (assumed share of the library)
    assert found.measured.workload.training is not None
    assert found.recommendation.bottleneck == "preprocessing"
    assert found.measured.workload.training.preprocessing == pytest.approx(4 * 88 * 40 / 500_000, rel=0.02)


def test_a_declared_preprocessing_that_cpus_did_not_take_is_corrected() -> None:
    declared = {"dataset": {"samples": 500_000}, "training": TRAINING | {"preprocessing": "0.05 s"}}
    found = tuned("plain", **declared)
    # the CPUs were busy 4 % of the time
    assert found.measured.workload.training is not None
    assert found.measured.workload.training.preprocessing == pytest.approx(4 * 96 * 30 * 0.04 / 500_000, rel=0.02)
    assert found.recommendation.verdict == "keep"


def test_preprocessing_is_not_measured_where_nothing_says_how_many_samples_there_are() -> None:
    found = tuned("plain", training=TRAINING)
    assert "training.preprocessing" not in found.measured.values


def test_checkpoints_are_what_was_written_and_a_limit_longer_than_their_distance_is_cut() -> None:
    declared = {"size": "400 GB", "every": "20 min", "write_within": "10 min"}
    values = tuned("checkpoints", checkpoint=declared).measured.values
    assert values["checkpoint.size"] == "100 GB"
    every = float(values["checkpoint.every"].removesuffix(" s"))
    assert every == pytest.approx(300, abs=60)
    assert values["checkpoint.write_within"] == values["checkpoint.every"]
    assert not {key for key in tuned("checkpoints").measured.values if key.startswith("checkpoint.")}


def test_checkpoints_that_were_not_written_stay_as_they_are_declared() -> None:
    found = tuned("plain", checkpoint=CHECKPOINT)
    assert not {key for key in found.measured.values if key.startswith("checkpoint.")}
    assert found.measured.workload.checkpoint is not None


def test_the_values_are_what_the_workload_is_made_of() -> None:
    found = tuned("plain", dataset={"size": "170 GB", "files": 10}, cluster={"nodes": 9}, epoch={"target": "99 s"})
    values = found.measured.values
    dataset = {"size": values["dataset.size"], "files": 10}
    epoch = {"target": values["epoch.target"], "compute": values["epoch.compute"]}
    again = tune({**TRUTHS["plain"].document, "dataset": dataset, "epoch": epoch}, ran("plain"), START)
    assert found.measured.was == {
        "cluster.nodes": 9,
        "dataset.size": "170 GB",
        "epoch.target": "99 s",
        "epoch.compute": "30 s",
    }
    assert again.measured.values == {}
    assert again.recommendation.planned.choice == found.recommendation.planned.choice


def test_nodes_that_the_catalog_does_not_know_are_said() -> None:
    with pytest.raises(WorkloadError, match=r"workload: cluster\.instance_type: .*got 'ml\.unheard\.of'"):
        tune(document(), replace(ran("plain"), instance_type="ml.unheard.of"), START)


@pytest.mark.parametrize("compute", ["50 s", "30 s", "12 s"])
def test_what_the_nodes_themselves_do_is_told_by_what_was_measured_whatever_was_declared(compute: str) -> None:
    ceilings = {each.name: each for each in tuned("plain", epoch={"target": "60 s", "compute": compute}).ceilings}
    found = ceilings["compute"]
    assert found.limit is not None
    assert found.measured is not None
    assert found.measured <= found.limit
    assert found.used == pytest.approx(found.measured / found.limit)
    assert found.limit == pytest.approx(100_000 / 30, rel=0.05)
