"""Boundaries of what is said about a sizing: whole plans, since the numbers that advice rests on are the plan's."""

from functools import partial
from typing import Any

from epochwise import Workload, plan
from epochwise.checks.finding import Finding
from tests.checks.boundaries import Row

FILES = {"dataset": {"size": "100 GB", "files": 1000}}


def _planned(changes: dict[str, Any]) -> tuple[Finding, ...]:
    document: dict[str, Any] = {
        "name": "bounded",
        "region": "us-east-1",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    return plan(Workload.model_validate(document | changes)).findings


def _linked(target: str, files: int = 1000) -> dict[str, Any]:
    dataset = {"size": "100 GB", "files": files, "source": "s3://bucket/x/", "hydration": {"readers_per_node": 1}}
    return {"dataset": dataset, "epoch": {"target": target}}


def _cluster(instance_type: str = "ml.p4d.24xlarge", nodes: int = 4, **more: Any) -> dict[str, Any]:
    return {"cluster": {"instance_type": instance_type, "nodes": nodes} | more}


def _pinned(**pins: Any) -> dict[str, Any]:
    return {"file_system": pins}


CHECKPOINT = {"checkpoint": {"size": "1 GB", "every": 600, "write_within": 60}}
EC2 = _cluster("p5.48xlarge", platform="ec2")
TCP = EC2 | _pinned(efa_enabled=False)
IMAGE = {"image": "image"}

ROWS = tuple(
    Row(finding_id, partial(_planned, changes), says)
    for finding_id, changes, says in [
        ("FILES_NOT_DECLARED", {}, "dataset.files"),
        ("FILES_NOT_DECLARED", FILES, None),
        ("HYDRATION_ASSUMED", _linked("30 s"), "AWS publishes no rate"),
        ("HYDRATION_ASSUMED", FILES, None),
        ("SCRATCH_NOT_CONSIDERED", CHECKPOINT, "SCRATCH_2"),
        ("SCRATCH_NOT_CONSIDERED", CHECKPOINT | _pinned(deployment_types=["SCRATCH_2"]), None),
        ("SCRATCH_NOT_CONSIDERED", {}, None),
        ("EFA_NOT_MOUNTABLE", _pinned(efa_enabled=True), "file_system.efa_enabled is true"),
        ("EFA_NOT_MOUNTABLE", EC2 | _pinned(efa_enabled=True), None),
        ("QUOTA_RAISED", _pinned(storage_quota_gib=100_801), "100801"),
        ("QUOTA_RAISED", _pinned(storage_quota_gib=100_800), None),
        ("PRICE_OF_ANOTHER_REGION", {"region": "eu-west-3"}, "eu-west-3"),
        ("PRICE_OF_ANOTHER_REGION", {}, None),
        ("METADATA_RATE_ASSUMED", _pinned(deployment_types=["PERSISTENT_1"]), "PERSISTENT_1"),
        ("METADATA_RATE_ASSUMED", _pinned(deployment_types=["PERSISTENT_2"]), None),
        ("SCRATCH_IS_NOT_REPLICATED", _pinned(deployment_types=["SCRATCH_2"]), "SCRATCH_2"),
        ("SCRATCH_IS_NOT_REPLICATED", _pinned(deployment_types=["PERSISTENT_1"]), None),
        ("NOTHING_FEASIBLE", {"epoch": {"target": "0.1 s"}}, "1000000 MB/s"),
        ("NOTHING_FEASIBLE", {}, None),
        ("NOTHING_WITHIN_QUOTA", _linked("30 s") | _pinned(storage_quota_gib=1199), "1199 GiB"),
        ("NOTHING_WITHIN_QUOTA", _linked("30 s") | _pinned(storage_quota_gib=1200), None),
        ("S3_IS_ENOUGH", {"epoch": {"target": "1 h"}}, "MB/s"),
        ("S3_IS_ENOUGH", {"epoch": {"target": "1 h"}} | CHECKPOINT, None),
        ("PRELOAD_FIRST", _linked("30 s", files=20_000), "30 s are allowed"),
        ("PRELOAD_FIRST", _linked("10 h"), None),
        ("LARGER_FILES", {"dataset": {"size": "100 GB", "files": 1_000_000}}, "files a second"),
        ("LARGER_FILES", FILES, None),
        ("EFA_ABOVE_10_GBPS", TCP | {"epoch": {"target": "9.99 s"}}, "10010 MB/s"),
        ("EFA_ABOVE_10_GBPS", TCP | {"epoch": {"target": "10 s"}}, None),
        ("READ_AHEAD_ASSUMED", {}, "35% of the reads"),
        ("READ_AHEAD_ASSUMED", _linked("40 s"), None),
        ("BIGGER_TIER", {}, "USD a month"),
        ("BIGGER_TIER", _pinned(deployment_types=["SCRATCH_2"]), None),
        (
            "PREPROCESSING_BINDS",
            {"training": IMAGE | {"preprocessing": 0.001}, "dataset": {"size": "1 GB", "samples": 9_000_000}},
            "preprocessing takes",
        ),
        ("PREPROCESSING_BINDS", {"training": IMAGE}, None),
        ("COMPUTE_BINDS", {"epoch": {"target": "60 s", "compute": "60 s"}}, "computes for"),
        ("COMPUTE_BINDS", {"epoch": {"target": "60 s"}}, None),
        ("PAGE_CACHE_COUNTED", _cluster(page_cache="20 GB") | {"epoch": {"target": "30 s", "count": 9}}, "9 epochs"),
        ("PAGE_CACHE_COUNTED", {}, None),
    ]
)
