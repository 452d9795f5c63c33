"""The worked example of the model: the guide's 100 GB in 30 s on 4 nodes."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from epochwise import Candidate, Workload, plan
from epochwise.catalog.prices import catalog_prices
from epochwise.sizing.search import candidates

GUIDE = Workload.from_file(Path(__file__).resolve().parents[2] / "workloads" / "guide.yaml")


def guide(**changes: Any) -> Workload:
    """Return the guide's workload with sections changed."""
    document = GUIDE.model_dump(exclude_defaults=True)
    for section, values in changes.items():
        document[section] = document.get(section, {}) | values
    return Workload.model_validate(document)


def shape(deployment_type: str, tier: int | None, capacity_gib: int) -> Candidate:
    """Return one candidate without EFA."""
    [found] = [
        candidate
        for candidate in candidates(GUIDE, catalog_prices())
        if (candidate.deployment_type, candidate.per_unit_storage_throughput) == (deployment_type, tier)
        and candidate.storage_capacity_gib == capacity_gib
        and not candidate.efa_enabled
    ]
    return found


@pytest.mark.parametrize(
    ("deployment_type", "tier", "capacity_gib", "hit_share", "network", "client", "steady_s", "usd"),
    [
        ("SCRATCH_2", None, 1200, 0.00, 240, 2500, 417, 168),
        ("SCRATCH_2", None, 12_000, 0.59, 2400, 12_500, 41.7, 1680),
        ("SCRATCH_2", None, 16_800, 1.00, 3360, 17_500, 29.8, 2352),
        ("PERSISTENT_2", 1000, 2400, 0.34, 6240, 2500, 40.0, 1440),
        ("PERSISTENT_2", 500, 4800, 0.35, 6240, 5000, 27.2, 1632),
    ],
)
def test_every_row_of_the_worked_example_comes_out(
    deployment_type: str,
    tier: int | None,
    capacity_gib: int,
    hit_share: float,
    network: float,
    client: float,
    steady_s: float,
    usd: float,
) -> None:
    candidate = shape(deployment_type, tier, capacity_gib)
    assert candidate.prediction.hit_share == pytest.approx(hit_share, abs=0.006)
    assert candidate.ceilings.network == pytest.approx(network)
    assert candidate.ceilings.client == pytest.approx(client)
    assert candidate.epoch_s.steady == pytest.approx(steady_s, rel=0.003)
    assert candidate.monthly_usd == usd


def test_scratch_of_12000_gib_reads_an_epoch_in_17_seconds_at_burst() -> None:
    assert shape("SCRATCH_2", None, 12_000).epoch_s.burst == pytest.approx(17, abs=0.5)


def test_the_guide_gets_4800_gib_at_500() -> None:
    choice = plan(GUIDE).choice
    assert choice is not None
    assert choice.shape() == {
        "deployment_type": "PERSISTENT_2",
        "storage_type": "SSD",
        "storage_capacity_gib": 4800,
        "per_unit_storage_throughput": 500,
        "efa_enabled": False,
        "metadata_iops": 6000,
        "metadata_mode": "AUTOMATIC",
    }
    assert choice.monthly_usd == 1632.0
    assert choice.binding == "disk"
    assert choice.epoch_s.steady == pytest.approx(27.24, abs=0.1)
    assert choice.epoch_s.without_cache == pytest.approx(41.67, abs=0.01)


def test_scratch_alone_takes_16800_gib_and_with_tolerance_12000() -> None:
    pinned = plan(guide(file_system={"deployment_types": ["SCRATCH_2"]}))
    assert pinned.choice is not None
    assert (pinned.choice.storage_capacity_gib, pinned.choice.monthly_usd) == (16_800, 2352.0)
    tolerant = plan(guide(file_system={"deployment_types": ["SCRATCH_2"]}, epoch={"tolerance": 0.4}))
    assert tolerant.choice is not None
    assert tolerant.choice.storage_capacity_gib == 12_000


def test_the_smallest_scratch_is_rejected_at_417_seconds_for_240_mbps() -> None:
    [smallest] = [
        rejected
        for rejected in plan(GUIDE).rejected
        if rejected.candidate.deployment_type == "SCRATCH_2" and rejected.candidate.storage_capacity_gib == 1200
    ]
    assert smallest.ceiling == "network"
    assert "240 MB/s" in smallest.reason
    assert "417 s" in smallest.reason


def test_metadata_is_provisioned_only_when_opens_ask_for_more() -> None:
    few = plan(guide(dataset={"files": 100_000})).choice
    many = plan(guide(dataset={"files": 1_000_000})).choice
    assert few is not None
    assert many is not None
    assert (few.metadata_mode, few.metadata_iops) == ("AUTOMATIC", 6000)
    assert (many.metadata_mode, many.metadata_iops) == ("USER_PROVISIONED", 24_000)
    assert many.monthly_usd == pytest.approx((many.storage_capacity_gib or 0) * 0.34 + (24_000 - 6000) * 0.055)


def test_checkpoints_drop_scratch_unless_it_is_pinned() -> None:
    checkpoint = {"size": "13 GB", "every": "30 min", "write_within": "60 s", "keep": 3}
    free = plan(guide(checkpoint=checkpoint))
    assert all(not rejected.candidate.deployment_type.is_scratch for rejected in free.rejected)
    assert "SCRATCH_NOT_CONSIDERED" in {finding.id for finding in free.findings}
    pinned = plan(guide(checkpoint=checkpoint, file_system={"deployment_types": ["SCRATCH_2"]}))
    assert pinned.choice is not None
    assert pinned.choice.deployment_type == "SCRATCH_2"


@pytest.mark.parametrize(
    ("changes", "ceiling", "fix"),
    [
        ({"epoch": {"target": "0.1 s"}, "cluster": {"nodes": 1}}, "client", "more nodes"),
        ({"epoch": {"target": "0.1 s"}, "cluster": {"nodes": 200}}, "network", "storage_quota_gib"),
        ({"dataset": {"files": 10**9}, "epoch": {"target": "60 s"}}, "opens", "fewer, larger files"),
        ({"dataset": {"size": "200 TB"}, "epoch": {"target": "10 h"}}, "holds 94752 GiB", "storage_quota_gib"),
        (
            {
                "checkpoint": {"size": "900 TB", "every": 7200, "write_within": 1},
                "file_system": {"storage_quota_gib": 10**7},
            },
            "writes",
            "write_within",
        ),
        (
            {"file_system": {"storage_capacity_gib": 1200, "deployment_types": ["SCRATCH_2"]}},
            "240 MB/s",
            "widen the pins",
        ),
    ],
)
def test_an_infeasible_target_names_the_ceiling_and_what_lifts_it(
    changes: dict[str, Any], ceiling: str, fix: str
) -> None:
    planned = plan(guide(**changes))
    assert planned.choice is None
    finding = planned.findings[0]
    assert finding.id == "NOTHING_FEASIBLE"
    assert "fastest legal epoch is" in finding.message
    assert ceiling in finding.message
    assert fix in finding.fix


def test_a_quota_below_the_smallest_file_system_is_named() -> None:
    [finding] = [
        found for found in plan(guide(file_system={"storage_quota_gib": 600})).findings if found.level == "error"
    ]
    assert finding.id == "NOTHING_WITHIN_QUOTA"
    assert "600 GiB" in finding.message
    assert "1200" in finding.fix


def test_only_a_plan_that_knows_the_day_speaks_of_the_age_of_a_measurement() -> None:
    measured = guide(dataset={"measured_on": "2026-08-01"})
    silent = [finding.id for finding in plan(measured).findings]
    assert silent == [finding.id for finding in plan(GUIDE).findings]
    dated = plan(measured, today=date(2026, 10, 9))
    assert sorted([*silent, "MEASUREMENT_OLD"]) == sorted(finding.id for finding in dated.findings)
    assert "MEASUREMENT_OLD" in {finding["id"] for finding in dated.as_dict()["findings"]}
