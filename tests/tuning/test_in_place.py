from typing import Any

import pytest

from epochwise.catalog.fsx_lustre import DeploymentType, MetadataMode, StorageType
from epochwise.catalog.legality import AnyFamily, Wanted, matching_families
from epochwise.sizing.candidate import Size
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.tuning.in_place import InPlace, best_in_place, update_steps
from epochwise.tuning.update_instructions import update_instructions
from epochwise.workload import Workload

AUTOMATIC, PROVISIONED = MetadataMode.AUTOMATIC, MetadataMode.USER_PROVISIONED


def family(deployment_type: str = "PERSISTENT_2", tier: int | None = 500, **settings: Any) -> AnyFamily:
    """Return a kind of file system."""
    wanted = Wanted(
        deployment_types=(DeploymentType(deployment_type),),
        storage_type=settings.pop("storage_type", StorageType.SSD),
        per_unit_storage_throughput=tier,
        efa_enabled=settings.pop("efa", False),
    )
    [found] = matching_families(wanted)
    return found


def size(capacity_gib: int, iops: int = 6000, mode: MetadataMode | None = AUTOMATIC) -> Size:
    """Return a size."""
    return Size(capacity_gib, metadata_mode=mode, metadata_iops=iops)


def scratch(deployment_type: str, capacity_gib: int) -> tuple[AnyFamily, Size]:
    """Return a scratch file system."""
    return family(deployment_type, None), size(capacity_gib, mode=None)


def workload(target: str, **changes: Any) -> Workload:
    """Return the guide's workload with another target."""
    document: dict[str, Any] = {
        "name": "job",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": target},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 16},
    }
    return Workload.from_mapping(document | changes, source="test")


def grown(there: tuple[AnyFamily, Size], target: str, **changes: Any) -> InPlace | None:
    """Return the best size within reach."""
    return best_in_place(workload(target, **changes), ExistingFileSystem("fs-1", *there))


def names(old: tuple[AnyFamily, Size], new: tuple[AnyFamily, Size]) -> list[str] | None:
    """Return the properties that are updated on the way; None where there is none."""
    steps = update_steps(old, new)
    return None if steps is None else [step.property_name.rpartition(".")[2] for step in steps]


@pytest.mark.parametrize(
    ("old", "new", "updated"),
    [
        ((family(), size(4800)), (family(), size(4800)), []),
        ((family(), size(4800)), (family(), size(7200)), ["StorageCapacity"]),
        ((family(), size(4800)), (family(), size(2400)), None),
        ((family(), size(4800)), (family(tier=250), size(4800)), ["PerUnitStorageThroughput"]),
        ((family(), size(4800)), (family(tier=1000), size(7200)), ["StorageCapacity", "PerUnitStorageThroughput"]),
        (
            (family(), size(4800)),
            (family(), size(12_000, 24_000, PROVISIONED)),
            ["MetadataConfiguration", "StorageCapacity"],
        ),
        ((family(), size(4800, 12_000, PROVISIONED)), (family(), size(4800, 6000, PROVISIONED)), None),
        ((family(), size(4800, mode=None)), (family(), size(4800)), None),
        ((family(efa=True), size(9600)), (family(efa=True), size(19_200)), ["StorageCapacity"]),
        ((family(efa=True), size(9600)), (family(tier=1000, efa=True), size(9600)), None),
        ((family(), size(9600)), (family(efa=True), size(9600)), None),
        (scratch("SCRATCH_2", 1200), scratch("SCRATCH_2", 2400), ["StorageCapacity"]),
        (scratch("SCRATCH_1", 1200), scratch("SCRATCH_1", 2400), None),
        (scratch("SCRATCH_2", 2400), (family(), size(2400)), None),
    ],
)
def test_what_fsx_updates_in_place_is_reached_and_nothing_else(
    old: tuple[AnyFamily, Size], new: tuple[AnyFamily, Size], updated: list[str] | None
) -> None:
    assert names(old, new) == updated


def test_each_step_says_what_is_locked_for_how_long_and_how_it_is_made() -> None:
    there = family(), size(4800)
    found = grown(there, "8 s")
    assert found is not None
    said = list(update_instructions("fs-1", found.candidate, found.steps))
    assert "where a stack of yours made fs-1, pin in the workload file file_system: {deployment_types:" in said[0]
    assert [step.property_name for step in found.steps] == ["StorageCapacity"]
    assert "aws fsx update-file-system --file-system-id fs-1 --storage-capacity" in said[1]
    assert "6 h after the last; clients wait some minutes" in said[1]
    assert list(update_instructions("fs-1", found.candidate, ())) == []


def test_the_cheapest_size_within_reach_is_taken_and_a_lower_throughput_is_within_reach() -> None:
    found = grown((family(tier=1000), size(9600)), "100 s")
    assert found is not None
    assert found.candidate.label == "PERSISTENT_2 9600 GiB at 125 MB/s/TiB"
    assert [step.property_name for step in found.steps] == ["LustreConfiguration.PerUnitStorageThroughput"]


def test_metadata_without_a_configuration_does_not_grow() -> None:
    files = {"dataset": {"size": "100 GB", "files": 2_000_000}}
    configured = grown((family(), size(4800)), "100 s", **files)
    assert configured is not None
    assert configured.candidate.metadata_iops == 12_000
    assert "'MetadataConfiguration={Mode=USER_PROVISIONED,Iops=12000}'" in " ".join(
        update_instructions("fs-1", configured.candidate, configured.steps)
    )
    bare = grown((family(), size(4800, mode=None)), "100 s", **files)
    assert bare is not None
    # only a larger capacity includes more
    assert (bare.candidate.storage_capacity_gib, bare.candidate.metadata_iops) == (12_000, 12_000)


def test_provisioned_metadata_is_never_less_than_it_was() -> None:
    found = grown((family(), size(4800, 24_000, PROVISIONED)), "20 s")
    assert found is not None
    assert found.candidate.metadata_iops == 24_000


def test_elastic_storage_grows_in_throughput_and_keeps_a_cache_that_is_enough() -> None:
    tiering = family(tier=None, storage_type=StorageType.INTELLIGENT_TIERING)
    here = Size(throughput_capacity_mbps=4000, read_cache_gib=500, metadata_mode=PROVISIONED, metadata_iops=6000)
    found = grown((tiering, here), "12 s")
    assert found is not None
    assert (found.candidate.throughput_capacity_mbps, found.candidate.read_cache_gib) == (8000, 500)
    assert [step.property_name.rpartition(".")[2] for step in found.steps] == ["ThroughputCapacity"]
    enough = grown((tiering, here._replace(read_cache_gib=103)), "60 s")
    assert enough is not None
    assert (enough.candidate.read_cache_gib, enough.steps) == (103, ())
    larger = grown((tiering, here._replace(read_cache_gib=100)), "60 s")
    assert larger is not None
    # three more would be enough, and ten percent is the least change that FSx makes
    assert larger.candidate.read_cache_gib == 110


def test_nothing_is_within_reach_of_what_no_size_delivers() -> None:
    assert grown(scratch("SCRATCH_1", 1200), "30 s") is None
    assert grown((family(), size(4800)), "0.1 s") is None
