"""Strong scaling: the same work on more nodes, on a file system that is enough and on one that is not."""

from typing import Any

import pytest

from epochwise.catalog.prices import Price, catalog_prices
from epochwise.report.plain_text import plain_text
from epochwise.report.scaling_text import scaling_content
from epochwise.sizing.planner import plan
from epochwise.sizing.scaling import UNDER_SIZED, scaling
from epochwise.workload import Workload

NODES = (1, 2, 4, 8, 16, 32)


def workload(**changes: Any) -> Workload:
    """Return the guide's example with sections replaced."""
    document: dict[str, Any] = {
        "name": "guide",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    return Workload.model_validate(document | changes)


def test_an_under_sized_file_system_breaks_linear_scaling() -> None:
    """Worked by hand: 100 GB at 240 MB/s take 417 s whatever the nodes, the ideal is 120 s over their number."""
    scaled = scaling(workload(), NODES)
    assert [round(point.against.epoch_s) for point in scaled.points] == [417] * 6
    assert {point.against.binding for point in scaled.points} == {"network"}
    assert [round(point.against.efficiency, 3) for point in scaled.points] == [0.288, 0.144, 0.072, 0.036, 0.018, 0.009]


def test_the_planned_file_system_scales_to_the_declared_nodes_and_no_further() -> None:
    scaled = scaling(workload(), NODES)
    runs = [point.chosen for point in scaled.points if point.chosen is not None]
    assert [run.efficiency for run in runs[:3]] == [1.0] * 3
    assert [run.binding for run in runs] == ["compute"] * 3 + ["disk"] * 3
    assert [round(run.epoch_s, 1) for run in runs] == [120, 60, 30, 27.2, 27.2, 27.2]


def test_each_number_of_nodes_gets_a_plan_that_keeps_it_busy() -> None:
    scaled = scaling(workload(), NODES)
    for point in scaled.points:
        assert point.planned is not None
        assert point.planned.epoch_s.steady <= point.ideal_s
    prices = [point.planned.monthly_usd for point in scaled.points if point.planned is not None]
    assert prices == sorted(prices)
    assert scaled.points[2].planned == plan(workload()).choice


def test_where_computing_is_declared_it_is_the_ideal() -> None:
    declared = scaling(workload(epoch={"target": "30 s", "compute": "20 s"}), NODES)
    assert declared.compute_declared
    assert [point.ideal_s for point in declared.points] == [80, 40, 20, 10, 5, 2.5]
    at_declared = declared.points[2].chosen
    assert at_declared is not None
    assert at_declared.efficiency == pytest.approx(20 / 27.24, abs=0.001)
    assert "(epoch.compute)" in plain_text(scaling_content(declared))
    undeclared = scaling(workload(), NODES)
    assert not undeclared.compute_declared
    assert "epoch.target, since epoch.compute is not declared" in plain_text(scaling_content(undeclared)).replace(
        "\n              ", " "
    )


@pytest.mark.parametrize(
    ("changes", "nodes"),
    [
        ({}, NODES),
        ({"epoch": {"target": "30 s", "compute": "7 s"}}, (3, 5, 7, 100)),
        ({"dataset": {"size": "3 TB", "files": 5_000_000}, "epoch": {"target": "20 min"}}, (1, 100, 1000)),
        ({"cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4, "page_cache": "20 GB"}}, (1, 2, 4)),
    ],
)
def test_efficiency_is_a_share_and_epochs_never_beat_the_ideal(changes: dict[str, Any], nodes: tuple[int, ...]) -> None:
    for point in scaling(workload(**changes), nodes).points:
        for run in (point.chosen, point.against):
            assert run is not None
            assert 0 < run.efficiency <= 1
            assert run.epoch_s >= point.ideal_s * (1 - 1e-12)


def test_what_is_infeasible_for_some_nodes_is_told_for_those() -> None:
    scaled = scaling(workload(), (4, 10_000))
    assert [point.planned is None for point in scaled.points] == [False, True]
    assert "none feasible" in plain_text(scaling_content(scaled))
    assert scaled.as_dict()["points"][1]["planned"] is None


def test_without_a_choice_only_the_comparison_is_shown() -> None:
    scaled = scaling(workload(dataset={"size": "100 TB"}), (1, 2))
    text = plain_text(scaling_content(scaled))
    assert scaled.planned.choice is None
    assert scaled.as_dict()["chosen"] is None
    assert scaled.as_dict()["points"][0]["chosen"] is None
    assert "no legal file system is feasible for 4 nodes" in text
    assert "planned for 4 nodes" not in text


@pytest.mark.parametrize(("size", "too_small"), [("1.0 TB", False), ("1.2 TB", True)])
def test_a_comparison_that_cannot_hold_the_data_says_so(size: str, too_small: bool) -> None:
    scaled = scaling(workload(dataset={"size": size}, epoch={"target": "10 min"}), (4,))
    assert scaled.against_is_too_small is too_small
    assert scaled.as_dict()["against"]["holds_the_data"] is not too_small
    assert ("warning SCRATCH_2 1200 GiB: holds 1128 GiB" in plain_text(scaling_content(scaled))) is too_small


@pytest.mark.parametrize(
    ("against", "label"),
    [
        (UNDER_SIZED, "SCRATCH_2 1200 GiB"),
        ("SCRATCH_1:3600", "SCRATCH_1 3600 GiB"),
        ("PERSISTENT_2:4800:500", "PERSISTENT_2 4800 GiB at 500 MB/s/TiB"),
        ("PERSISTENT_1:6000:12", "PERSISTENT_1 HDD 6000 GiB at 12 MB/s/TiB"),
        ("PERSISTENT_2:38400:125", "PERSISTENT_2 38400 GiB at 125 MB/s/TiB"),
    ],
)
def test_any_legal_file_system_can_be_compared_with(against: str, label: str) -> None:
    assert scaling(workload(), (4,), against).against.label == label


@pytest.mark.parametrize(
    ("against", "message"),
    [
        ("SCRATCH_2:1199", "storage_capacity_gib must be 1200, a multiple of 2400 .* nearest legal: 1200, got 1199"),
        ("SCRATCH_2:1201", "nearest legal: 1200 or 2400, got 1201"),
        ("SCRATCH_2:1200:125", "per_unit_storage_throughput must be absent .*, got 125"),
        ("PERSISTENT_2:4800:300", "per_unit_storage_throughput must be 125 or 250 or 500 or 1000 .*, got 300"),
        ("PERSISTENT_2:4800", "must name the throughput, PERSISTENT_2:4800:125 or .*, got 'PERSISTENT_2:4800'"),
        ("SCRATCH_3:1200", "deployment type must be SCRATCH_1 or .*, got 'SCRATCH_3'"),
        ("SCRATCH_2", "must be DEPLOYMENT_TYPE:CAPACITY_GIB or .*, got 'SCRATCH_2'"),
        ("SCRATCH_2:", "must be DEPLOYMENT_TYPE"),
        ("SCRATCH_2:-1200", "must be DEPLOYMENT_TYPE"),
        ("SCRATCH_2:1200:1:1", "must be DEPLOYMENT_TYPE"),
        ("", "must be DEPLOYMENT_TYPE"),
    ],
)
def test_what_is_no_legal_file_system_is_refused(against: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scaling(workload(), (4,), against)


def test_given_prices_count_for_both_file_systems() -> None:
    dear = Price("us-east-1", "SCRATCH_2-SSD", 1.0, "GB-month", "2026-10-01", "a contract", verified=False)
    scaled = scaling(workload(), (4,), prices=catalog_prices().overridden_by([dear]))
    assert scaled.against.monthly_usd == 1200
    declared = scaling(workload(prices={"SCRATCH_2-SSD": 2.0}), (4,))
    assert declared.against.monthly_usd == 2400


def test_its_text_fits_80_columns() -> None:
    text = plain_text(scaling_content(scaling(workload(), NODES, "PERSISTENT_1:6000:12")))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("guide: 32 nodes keep 13.8% of linear scaling on what is planned for 4,")
