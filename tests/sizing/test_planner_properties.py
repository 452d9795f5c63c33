"""What holds for every plan."""

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from epochwise import Plan, Workload, plan
from epochwise.catalog.fsx_lustre import families
from epochwise.catalog.legality import illegal_settings
from tests.sizing.brute_force import cheapest, every_row
from tests.sizing.strategies import documents, workloads

slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _price(workload: Workload) -> float:
    """Return the price of the choice, infinite without one."""
    choice = plan(workload).choice
    return float("inf") if choice is None else choice.monthly_usd


def _changed(workload: Workload, section: str, **values: Any) -> Workload:
    """Return the workload with values of a section replaced."""
    return workload.model_copy(update={section: getattr(workload, section).model_copy(update=values)})


@slow
@given(workloads())
def test_the_same_workload_gets_the_same_plan(workload: Workload) -> None:
    first, second = plan(workload), plan(Workload.model_validate(workload.model_dump()))
    assert first == second
    assert first.as_dict() == second.as_dict()


@slow
@given(workloads(), st.floats(1, 100))
def test_more_bytes_never_get_cheaper(workload: Workload, factor: float) -> None:
    assert _price(_changed(workload, "dataset", size=int(workload.dataset.size * factor))) >= _price(workload)


@slow
@given(workloads(), st.integers(0, 10**8))
def test_more_files_never_get_cheaper(workload: Workload, more: int) -> None:
    fewer = _changed(workload, "dataset", files=workload.dataset.files or 1)
    assert _price(_changed(fewer, "dataset", files=(fewer.dataset.files or 0) + more)) >= _price(fewer)


@slow
@given(workloads(), st.floats(0.01, 1))
def test_fewer_seconds_never_get_cheaper(workload: Workload, factor: float) -> None:
    assert _price(_changed(workload, "epoch", target=workload.epoch.target * factor)) >= _price(workload)


@slow
@given(workloads(), st.integers(0, 100))
def test_more_nodes_never_get_dearer_over_ena(workload: Workload, more: int) -> None:
    # over EFA a file system takes 1024 connections, so that more nodes can lose EFA
    over_ena = _changed(workload, "file_system", efa_enabled=False)
    if illegal_settings(over_ena.file_system.wanted, over_ena.region_offer):
        return
    assert _price(_changed(over_ena, "cluster", nodes=over_ena.cluster.nodes + more)) <= _price(over_ena)


def _assert_legal(planned: Plan) -> None:
    """Assert that choice and alternatives are shapes that FSx accepts."""
    for candidate in [*([planned.choice] if planned.choice else []), *planned.alternatives]:
        assert candidate.family in families()
        assert candidate.family.is_capacity(candidate.storage_capacity_gib)
        assert candidate.storage_capacity_gib <= planned.workload.file_system.storage_quota_gib


@slow
@given(workloads())
def test_one_step_smaller_breaks_a_named_ceiling_or_costs_no_less(workload: Workload) -> None:
    planned = plan(workload)
    _assert_legal(planned)
    choice = planned.choice
    if choice is None:
        return
    refused = {(r.candidate.family, r.candidate.storage_capacity_gib): r for r in planned.rejected}
    smaller = [
        gib for gib in choice.family.capacities_gib(choice.storage_capacity_gib) if gib < choice.storage_capacity_gib
    ]
    lower = [
        family
        for family in {rejected.candidate.family for rejected in planned.rejected}
        if family.deployment_type is choice.deployment_type
        and family.efa_enabled is choice.efa_enabled
        and family.storage_type is choice.storage_type
        and (family.per_unit_storage_throughput or 0) < (choice.per_unit_storage_throughput or 0)
        and family.is_capacity(choice.storage_capacity_gib)
    ]
    steps = [(choice.family, gib) for gib in smaller[-1:]] + [(family, choice.storage_capacity_gib) for family in lower]
    for step in steps:
        if step in refused:
            assert refused[step].ceiling in {"capacity", "disk", "network", "client", "metadata", "write"}
            assert refused[step].reason
        else:
            # feasible, then kept out by its price alone: metadata IOPS that the larger one includes
            assert step[1] < choice.storage_capacity_gib
            assert choice.metadata_iops > 0


@settings(slow, max_examples=1000)
@given(documents())
@example(
    {
        "name": "guide",
        "region": "us-east-1",
        "dataset": {"size": 10**11, "files": None, "source": None, "compression_ratio": 1.0},
        "epoch": {"target": 30.0, "tolerance": 0.0},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
        "checkpoint": None,
        "file_system": {},
    }
)
def test_a_brute_force_twin_agrees(document: dict[str, Any]) -> None:
    if document["file_system"].get("deployment_types") and document["region"] in {"me-south-1", "ca-west-1"}:
        document = document | {"file_system": {}}
    planned = plan(Workload.model_validate(document))
    twin = cheapest(document)
    if twin is None:
        assert planned.choice is None
        assert planned.findings[0].id == "NOTHING_FEASIBLE"
        return
    choice = planned.choice
    assert choice is not None
    assert choice.monthly_usd == pytest.approx(twin.usd, abs=0.01)
    assert choice.epoch_s.steady == pytest.approx(twin.steady)
    assert (str(choice.deployment_type), choice.per_unit_storage_throughput, choice.efa_enabled) == twin.kind
    assert (choice.storage_capacity_gib, choice.metadata_iops) == (twin.capacity, twin.metadata)
    assert len(planned.rejected) == sum(not row.feasible for row in every_row(document))
