import json
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.catalog.legality import matching_families
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.recommendation import Verdict, Way
from epochwise.tuning.tuned import Tuning, option_steps, tune
from tests.tuning.jobs import PERSISTENT_2, SCRATCH_2, document, on
from tests.tuning.simulated_job import START, Truth, measured, simulate

NOW = START + timedelta(days=1)


@cache
def ran(name: str) -> MeasuredJob:
    """Return a job that ran."""
    return measured(simulate(TRUTHS[name]))


TRUTHS = {
    "right": Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=24),
    "fast": Truth(document(epoch={"target": "60 s", "compute": "60 s"}), **on(PERSISTENT_2, 4800, 1000), epochs=12),
    "scratch": Truth(document(epoch={"target": "10 s", "compute": "10 s"}), **on(SCRATCH_2, 7200), epochs=12),
    "too fast": Truth(document(epoch={"target": "1 s", "compute": "1 s"}), **on(PERSISTENT_2, 48_000, 250), epochs=240),
    "scratch 1": Truth(document(), **on(DeploymentType.SCRATCH_1, 3600), epochs=6),
    "burst": Truth(document(), **on(PERSISTENT_2, 9600, 125), epochs=24, burst_s=1e6),
}


def tuned(name: str, job: MeasuredJob | None = None, **sections: Any) -> Tuning:
    """Conclude from a job."""
    return tune(document(**sections), job or ran(name), NOW)


def ids(found: Tuning) -> set[str]:
    """Return the ids of what is remarked."""
    return {finding.id for finding in found.findings}


def test_what_is_enough_and_not_the_cheapest_is_shrunk_by_the_way_that_saves_most() -> None:
    found = tuned("fast", epoch={"target": "60 s"}).recommendation
    assert found.verdict is Verdict.SHRINK
    ways = {option.way: option for option in found.options}
    assert set(ways) == {Way.KEEP, Way.IN_PLACE, Way.REPLACE}
    assert ways[Way.REPLACE].candidate == found.planned.choice
    assert ways[Way.REPLACE].difference_usd < ways[Way.IN_PLACE].difference_usd < 0
    assert found.chosen is ways[Way.REPLACE]


def test_a_target_that_computing_misses_is_no_fault_of_storage_and_says_what_would_do() -> None:
    found = tuned("fast", epoch={"target": "30 s"}).recommendation
    assert (found.verdict, found.bottleneck) == (Verdict.NOT_STORAGE, "compute")
    assert found.chosen.way is Way.REPLACE
    assert found.chosen.difference_usd < 0


def test_a_measurement_is_no_more_exact_than_five_percent() -> None:
    hosts = tuple(
        replace(host, gpu=tuple(value and min(value, 97.0) for value in host.gpu)) for host in ran("right").hosts
    )
    assert tuned("right", replace(ran("right"), hosts=hosts)).recommendation.verdict is Verdict.KEEP


def test_a_kind_that_does_not_grow_is_replaced_by_what_is_planned() -> None:
    found = tuned("scratch 1")
    assert found.recommendation.verdict is Verdict.REPLACE
    assert found.recommendation.chosen.candidate == found.recommendation.planned.choice
    assert found.steps[0].startswith("let jobs that write to")


def test_what_no_legal_file_system_delivers_is_said_with_the_reason() -> None:
    found = tuned("too fast")
    # 4 nodes with 100 Gbps take 50 GB/s, and 100 are asked for
    assert found.recommendation.verdict is Verdict.NOTHING_FEASIBLE
    assert found.recommendation.bottleneck == "network"
    assert found.recommendation.planned.choice is None
    assert found.recommendation.chosen.way is Way.KEEP
    assert "NOTHING_FEASIBLE" in {finding.id for finding in found.recommendation.planned.findings}
    assert found.steps == ()


def test_a_file_system_that_lives_on_burst_credit_is_grown() -> None:
    found = tuned("burst")
    assert found.seen.idle.for_storage < 0.05
    assert "TUNE_BURST_USED" in ids(found)
    assert found.recommendation.verdict is Verdict.GROW


def test_a_file_system_that_gave_all_that_was_asked_is_kept_whatever_is_predicted() -> None:
    # one server, of which four clients are predicted to get 2500 MB/s, gave them 3333
    job = ran("right")
    [one_server] = matching_families(on(PERSISTENT_2, 2400, 1000)["wanted"])
    disks = tuple(value and min(value, 1000.0) for value in job.storage.disk_read_mbps)
    storage = replace(job.storage, disk_read_mbps=disks, network_percent=(), disk_percent=())
    there = replace(job.file_system, family=one_server, size=on(PERSISTENT_2, 2400, 1000)["size"])
    found = tuned("right", replace(job, storage=storage, file_system=there), dataset={"working_set": "100 GB"})
    assert found.seen.idle.for_storage < 0.05
    assert "TUNE_DELIVERS_MORE" in ids(found)
    assert found.recommendation.options[0].misses == ""
    assert found.recommendation.verdict is Verdict.KEEP


def test_pinned_sizes_are_left_aside_and_said() -> None:
    pinned = {"deployment_types": ["PERSISTENT_2"], "storage_capacity_gib": 2400}
    found = tuned("right", file_system=pinned)
    assert found.pins == ("storage_capacity_gib",)
    assert "TUNE_PINS_LIFTED" in ids(found)
    assert found.recommendation.verdict is Verdict.KEEP
    # the deployment type is the user's, and stays
    choice = found.recommendation.planned.choice
    assert choice is not None
    assert choice.deployment_type is PERSISTENT_2


def test_what_is_locked_after_an_update_is_said_where_growth_is_recommended() -> None:
    job = ran("scratch")
    assert "TUNE_UPDATE_LOCKED" not in ids(tuned("scratch"))
    recent = replace(job, file_system=replace(job.file_system, updated=NOW - timedelta(hours=1)))
    found = tuned("scratch", recent)
    assert {"TUNE_UPDATE_LOCKED", "TUNE_CHANGED_SINCE"} <= ids(found)
    assert found.recommendation.verdict is Verdict.GROW


def test_steps_depend_on_where_the_dataset_lies() -> None:
    linked = tuned("fast", dataset={"source": "s3://example-training-data/x/"})
    copied = tuned("fast")
    [to_replace, to_copy] = [
        next(option for option in found.recommendation.options if option.way is Way.REPLACE)
        for found in (linked, copied)
    ]
    assert any("EXPORT_TO_REPOSITORY" in step for step in option_steps(linked, to_replace))
    assert any("rsync" in step for step in option_steps(copied, to_copy))
    for found, option in ((linked, to_replace), (copied, to_copy)):
        *_, last = option_steps(found, option)
        assert last.startswith("only then delete the old one")


def test_more_stored_than_the_new_one_holds_is_said() -> None:
    job = ran("fast")
    length = len(job.storage.read_mbps)
    full = replace(job, storage=replace(job.storage, stored_bytes=(2e13,) * length))
    assert "TUNE_STORED_EXCEEDS" in ids(tuned("fast", full))
    assert "TUNE_STORED_EXCEEDS" not in ids(tuned("fast"))


def test_waiting_accelerators_are_priced_where_their_price_is_declared() -> None:
    cluster = {"price_per_node_hour": 30}
    assert tuned("right").idle_usd_per_hour is None
    found = tuned("scratch", cluster=cluster)
    assert found.idle_usd_per_hour == pytest.approx(4 * 30 * found.seen.idle.for_storage)


def test_a_campaign_is_planned_again_as_a_campaign() -> None:
    found = tuned(
        "right",
        cluster={"price_per_node_hour": 30},
        epoch={"count": 24},
        file_system={"objective": "cheapest-campaign"},
    ).recommendation
    assert found.verdict in {Verdict.KEEP, Verdict.SHRINK}
    assert found.planned.choice is not None


def test_it_is_the_same_json_for_the_same_job_and_holds_no_infinity() -> None:
    for name in TRUTHS:
        text = json.dumps(tuned(name).as_dict(), allow_nan=False)
        assert text == json.dumps(tuned(name).as_dict(), allow_nan=False)
        assert json.loads(text)["verdict"] in set(Verdict)
