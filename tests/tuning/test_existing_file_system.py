from datetime import UTC, datetime
from typing import Any

import pytest

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, Family, MetadataMode, StorageType
from epochwise.catalog.intelligent_tiering import TieringFamily
from epochwise.sizing.candidate import Size
from epochwise.tuning.existing_file_system import existing_file_system
from epochwise.tuning.refusal import NotTunableError

NOON = datetime(2026, 10, 9, 12, tzinfo=UTC)


def description(lustre: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return what DescribeFileSystems says, with changes."""
    return {
        "FileSystemId": "fs-1",
        "FileSystemType": "LUSTRE",
        "StorageType": "SSD",
        "StorageCapacity": 4800,
        "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 500} | (lustre or {}),
    } | changes


def update(time: datetime, status: str = "COMPLETED", kind: str = "FILE_SYSTEM_UPDATE") -> dict[str, Any]:
    """Return an administrative action."""
    return {"AdministrativeActionType": kind, "RequestTime": time, "Status": status}


def test_a_persistent_file_system_is_read_with_its_metadata() -> None:
    metadata = {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000}, "EfaEnabled": False}
    found = existing_file_system(description(metadata))
    assert isinstance(found.family, Family)
    assert (found.family.deployment_type, found.family.per_unit_storage_throughput) == ("PERSISTENT_2", 500)
    assert found.size == Size(4800, metadata_mode=MetadataMode.USER_PROVISIONED, metadata_iops=12000)
    assert (found.updated, found.updating) == (None, False)


def test_metadata_iops_that_are_not_stated_are_those_of_the_capacity() -> None:
    assert existing_file_system(description()).size == Size(4800, metadata_mode=None, metadata_iops=6000)


@pytest.mark.parametrize(
    ("lustre", "changes", "deployment_type", "storage_type", "cache"),
    [
        ({"DeploymentType": "SCRATCH_2", "PerUnitStorageThroughput": None}, {}, "SCRATCH_2", "SSD", None),
        (
            {"DeploymentType": None, "PerUnitStorageThroughput": None},
            {"StorageCapacity": 3600},
            "SCRATCH_1",
            "SSD",
            None,
        ),
        (
            {"DeploymentType": "PERSISTENT_1", "PerUnitStorageThroughput": 12, "DriveCacheType": "READ"},
            {"StorageType": "HDD", "StorageCapacity": 6000},
            "PERSISTENT_1",
            "HDD",
            "READ",
        ),
        (
            {"DeploymentType": "PERSISTENT_1", "PerUnitStorageThroughput": 40},
            {"StorageType": "HDD", "StorageCapacity": 1800},
            "PERSISTENT_1",
            "HDD",
            "NONE",
        ),
    ],
)
def test_every_kind_is_recognised(
    lustre: dict[str, Any], changes: dict[str, Any], deployment_type: str, storage_type: str, cache: str | None
) -> None:
    family = existing_file_system(description(lustre, **changes)).family
    assert family.deployment_type is DeploymentType(deployment_type)
    assert family.storage_type is StorageType(storage_type)
    assert family.drive_cache_type is (None if cache is None else DriveCacheType(cache))


def test_elastic_storage_has_a_throughput_and_a_read_cache() -> None:
    lustre = {
        "PerUnitStorageThroughput": None,
        "ThroughputCapacity": 4000,
        "DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": 500},
        "EfaEnabled": True,
    }
    found = existing_file_system(description(lustre, StorageType="INTELLIGENT_TIERING"))
    assert isinstance(found.family, TieringFamily)
    assert found.family.efa_enabled
    assert (found.size.throughput_capacity_mbps, found.size.read_cache_gib) == (4000, 500)
    assert found.size.storage_capacity_gib is None


def test_the_last_update_counts_and_failed_ones_do_not() -> None:
    actions = [
        update(NOON),
        update(NOON.replace(hour=14), "FAILED"),
        update(NOON.replace(hour=13), "UPDATED_OPTIMIZING"),
        update(NOON.replace(hour=15), kind="STORAGE_OPTIMIZATION"),
    ]
    found = existing_file_system(description(AdministrativeActions=actions))
    assert (found.updated, found.updating) == (NOON.replace(hour=13), True)
    done = existing_file_system(description(AdministrativeActions=actions[:2]))
    assert (done.updated, done.updating) == (NOON, False)


@pytest.mark.parametrize(
    ("lustre", "changes", "said"),
    [
        ({}, {"FileSystemType": "ONTAP"}, "fs-1 is ONTAP, not FSx for Lustre; .* \\[TUNE_NOT_LUSTRE\\]"),
        ({"DeploymentType": "SCRATCH_9"}, {}, "SCRATCH_9.* \\[TUNE_FILE_SYSTEM_UNKNOWN\\]"),
        ({"PerUnitStorageThroughput": 333}, {}, "per_unit_storage_throughput must be 125 or .*, got 333"),
        ({}, {"StorageCapacity": 4801}, "nearest legal: 4800 or 7200, got 4801"),
        ({"PerUnitStorageThroughput": None}, {}, "4 kinds of file system have its settings"),
    ],
)
def test_what_the_catalog_does_not_know_is_refused(lustre: dict[str, Any], changes: dict[str, Any], said: str) -> None:
    with pytest.raises(NotTunableError, match=said):
        existing_file_system(description(lustre, **changes))
