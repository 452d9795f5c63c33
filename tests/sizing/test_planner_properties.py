"""What holds for every plan."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epochwise import Candidate, Plan, Workload, plan
from epochwise.catalog.fsx_lustre import Family
from epochwise.catalog.legality import every_family, illegal_settings
from tests.sizing.strategies import workloads

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
    over_ena = _changed(over_ena, "cluster", free_addresses=None)
    if illegal_settings(over_ena.file_system.wanted, over_ena.region_offer):
        return
    assert _price(_changed(over_ena, "cluster", nodes=over_ena.cluster.nodes + more)) <= _price(over_ena)


def _assert_legal(planned: Plan) -> None:
    """Assert that choice and alternatives are shapes that FSx accepts."""
    shown = [alternative.candidate for alternative in planned.alternatives]
    for candidate in [*([planned.choice] if planned.choice else []), *shown]:
        assert candidate.family in every_family()
        if isinstance(candidate.family, Family):
            assert candidate.family.is_capacity(candidate.storage_capacity_gib or 0)
        else:
            assert candidate.family.is_throughput(candidate.throughput_capacity_mbps or 0)


def _smaller(choice: Candidate) -> int | None:
    """Return the next smaller capacity or throughput of the choice's family."""
    match choice.family:
        case Family():
            sizes = list(choice.family.capacities_gib((choice.storage_capacity_gib or 0) - 1))
        case tiering:
            sizes = list(tiering.throughputs_mbps((choice.throughput_capacity_mbps or 0) - 1))
    return sizes[-1] if sizes else None


@slow
@given(workloads())
def test_one_step_smaller_breaks_a_named_ceiling_or_costs_no_less(workload: Workload) -> None:
    planned = plan(workload)
    _assert_legal(planned)
    choice = planned.choice
    if choice is None:
        return
    refused = {
        (r.candidate.family, r.candidate.storage_capacity_gib or r.candidate.throughput_capacity_mbps): r
        for r in planned.rejected
    }
    size = choice.storage_capacity_gib or choice.throughput_capacity_mbps
    steps = [] if _smaller(choice) is None else [(choice.family, _smaller(choice))]
    steps += [
        (family, size)
        for family in {rejected.candidate.family for rejected in planned.rejected}
        if isinstance(family, Family)
        and (family.deployment_type, family.storage_type, family.efa_enabled, family.drive_cache_type)
        == (choice.deployment_type, choice.storage_type, choice.efa_enabled, choice.drive_cache_type)
        and (family.per_unit_storage_throughput or 0) < (choice.per_unit_storage_throughput or 0)
        and family.is_capacity(size or 0)
    ]
    for step in steps:
        if step in refused:
            assert refused[step].ceiling in {"capacity", "addresses", "disk", "network", "client", "metadata", "write"}
            assert refused[step].reason
            assert refused[step].miss > 1
        else:
            # feasible, then kept out by its price alone: metadata IOPS that the larger one includes
            assert (step[1] or 0) < (size or 0)
            assert choice.family.has_metadata_configuration
