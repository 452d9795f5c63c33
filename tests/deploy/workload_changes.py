"""How a workload is changed after its first deploy: one more node, a larger file system, one more rule."""

from typing import Any

from epochwise import Workload, plan

STEP_GIB = 2400
"""By which SSD file systems without EFA grow from 2400 GiB on."""


def changed_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return a workload file's content with all three changes; the larger size is pinned, as `epochwise tune` says."""
    choice = plan(Workload.model_validate(document)).choice
    assert choice is not None
    assert choice.storage_capacity_gib is not None
    watch = document.get("watch", {"rules": [], "using": ["cloudwatch"]})
    rule = "NcclWithoutEfa" if watch["using"] == ["cloudwatch"] else "BatchSize"
    pinned = {
        "deployment_types": [str(choice.deployment_type)],
        "storage_capacity_gib": choice.storage_capacity_gib // STEP_GIB * STEP_GIB + STEP_GIB,
    }
    if choice.per_unit_storage_throughput is not None:
        pinned["per_unit_storage_throughput"] = choice.per_unit_storage_throughput
    return document | {
        "cluster": document["cluster"] | {"nodes": document["cluster"]["nodes"] + 1},
        "file_system": pinned,
        "watch": watch | {"rules": [*watch["rules"], rule]},
    }
