"""Boundaries of what a Region sells."""

from functools import partial
from typing import Any

from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.checks.file_system_region import file_system_not_offered
from epochwise.checks.file_system_settings import FileSystemSettings
from tests.checks.boundaries import Row


def _settings(**changes: Any) -> FileSystemSettings:
    asked: dict[str, Any] = {
        "deployment_type": DeploymentType.PERSISTENT_2,
        "storage_type": StorageType.SSD,
        "storage_capacity_gib": 1200,
        "per_unit_storage_throughput": 125,
        "efa_enabled": False,
    }
    return FileSystemSettings(**(asked | changes))


CASES: list[tuple[dict[str, Any], str | None, str | None]] = [
    ({}, "me-central-1", "SCRATCH_2 in me-central-1, got PERSISTENT_2"),
    ({}, "us-east-1", None),
    ({}, None, None),
    ({}, "eu-north-99", None),
    ({"deployment_type": DeploymentType.SCRATCH_2, "per_unit_storage_throughput": None}, "me-central-1", None),
    ({"per_unit_storage_throughput": 1000}, "il-central-1", "in il-central-1"),
    ({}, "il-central-1", None),
    ({"per_unit_storage_throughput": 333}, "us-east-1", None),
]

ROWS = tuple(
    Row("FILE_SYSTEM_NOT_OFFERED", partial(file_system_not_offered, _settings(**changes), region), says)
    for changes, region, says in CASES
)
