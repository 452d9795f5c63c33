"""One file system of a given size is what a search makes of it."""

from math import inf
from typing import Any

import pytest

from epochwise.catalog.prices import catalog_prices
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.existing import candidate_of_size
from epochwise.sizing.planner import plan, refusal_of
from epochwise.sizing.search import candidates
from epochwise.workload import Workload


def workload(**changes: Any) -> Workload:
    """Return the guide's workload with sections changed."""
    document: dict[str, Any] = {
        "name": "job",
        "dataset": {"size": "100 GB", "files": 300_000},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
        "checkpoint": {"size": "20 GB", "every": "10 min", "write_within": "60 s"},
        "file_system": {"deployment_types": ["SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2"]},
    }
    return Workload.from_mapping(document | changes, source="test")


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1"])
def test_a_file_system_of_any_size_is_predicted_and_priced_as_in_a_search(region: str) -> None:
    declared = workload(region=region)
    found = list(candidates(declared, catalog_prices()))
    assert len({candidate.family for candidate in found}) > 10
    for candidate in found[::7]:
        same = candidate_of_size(declared, candidate.family, candidate.size)
        # the addresses of a subnet are asked of what is still to be made
        limits = candidate.ceilings._replace(addresses=inf)
        assert same == candidate._replace(prediction=candidate.prediction._replace(ceilings=limits))


def elastic(read_cache_gib: int, size: str = "100 GB") -> tuple[Workload, Candidate]:
    """Return Intelligent-Tiering with a read cache, and a workload."""
    declared = workload(dataset={"size": size}, file_system={"storage_type": "INTELLIGENT_TIERING"})
    choice = plan(declared).choice
    assert choice is not None
    return declared, candidate_of_size(declared, choice.family, choice.size._replace(read_cache_gib=read_cache_gib))


@pytest.mark.parametrize(("read_cache_gib", "holds"), [(128, True), (102, False)])
def test_a_read_cache_that_does_not_hold_what_is_read_does_not_do(read_cache_gib: int, holds: bool) -> None:
    refusal = refusal_of(*elastic(read_cache_gib))
    assert (refusal is None) is holds
    if refusal is not None:
        assert (refusal.ceiling, refusal.got) == ("capacity", 102)


def test_a_measured_working_set_decides_what_the_cache_answers() -> None:
    [guide, hot, cold] = [
        plan(workload(dataset={"size": "100 GB"} | more)).choice
        for more in ({}, {"working_set": "40 GB"}, {"working_set": "10 TB"})
    ]
    assert guide is not None
    assert hot is not None
    assert cold is not None
    assert hot.monthly_usd < guide.monthly_usd < cold.monthly_usd
    assert cold.prediction.hit_share < 0.001
    # what has to be kept is the dataset all the same
    assert hot.ceilings.capacity_gib >= 102
