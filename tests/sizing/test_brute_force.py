"""A brute-force twin, written apart, agrees with the planner on every kind of workload."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from epochwise import Workload, plan
from tests.sizing.brute_force import cheapest, every_row
from tests.sizing.strategies import documents, random_document


def _assert_agrees(document: dict[str, Any]) -> None:
    """Assert that plan and twin choose the same, and reject as many."""
    planned, rows = plan(Workload.model_validate(document)), every_row(document)
    twin = cheapest(rows)
    assert len(planned.rejected) == sum(not row.feasible for row in rows), document
    if twin is None:
        assert planned.choice is None, document
        assert planned.findings[0].id == "NOTHING_FEASIBLE"
        return
    choice = planned.choice
    assert choice is not None, document
    drive = None if choice.drive_cache_type is None else str(choice.drive_cache_type)
    kind = (
        str(choice.deployment_type),
        str(choice.storage_type),
        choice.per_unit_storage_throughput,
        drive,
        choice.efa_enabled,
    )
    size = choice.storage_capacity_gib or choice.throughput_capacity_mbps
    assert (kind, size, choice.metadata_iops) == (twin.kind, twin.size, twin.metadata), document
    assert choice.monthly_usd == pytest.approx(twin.usd, abs=0.01)
    assert choice.epoch_s.steady == pytest.approx(twin.steady)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_a_brute_force_twin_agrees(document: dict[str, Any]) -> None:
    _assert_agrees(document)


@pytest.mark.parametrize("seed", range(8))
def test_a_brute_force_twin_agrees_on_ten_thousand_workloads(seed: int) -> None:
    random = Random(seed)
    for _ in range(1250):
        _assert_agrees(random_document(random))
