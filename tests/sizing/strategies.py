"""Random workloads: drawn with hypothesis where failures should shrink, or with a seed where many are wanted."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from epochwise import Workload
from tests.sizing.brute_force import NODES

REGIONS = ["us-east-1", "eu-west-1", "me-south-1", "il-central-1", "ca-west-1", "ap-northeast-1"]
PINS: list[dict[str, Any]] = [
    {},
    {},
    {},
    {"storage_quota_gib": 250_000},
    {"efa_enabled": False},
    {"deployment_types": ["SCRATCH_2"]},
    {"deployment_types": ["PERSISTENT_2"]},
    {"deployment_types": ["PERSISTENT_1", "SCRATCH_1"]},
    {"storage_type": "HDD"},
]
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311"


def random_document(random: Random) -> dict[str, Any]:
    """Draw a workload document over many orders of magnitude of size, files, target and nodes."""

    def maybe(value: Any, otherwise: Any = None) -> Any:
        return value if random.random() < 0.5 else otherwise

    name = random.choice(list(NODES))
    sagemaker = name.startswith("ml.")
    files = maybe(int(10 ** random.uniform(0, 8)))
    target = 10 ** random.uniform(0.5, 4.5)
    document: dict[str, Any] = {
        "name": "random",
        "region": random.choice(REGIONS),
        "dataset": {
            "size": int(10 ** random.uniform(6, 14.3)),
            "files": files,
            "source": maybe("s3://bucket/prefix/"),
            "compression_ratio": maybe(1.0, random.uniform(1, 4)),
        },
        "epoch": {
            "target": target,
            "tolerance": maybe(0.0, random.random()),
            "compute": maybe(None, target * 10 ** random.uniform(-2, 0.2)),
        },
        "cluster": {
            "instance_type": name,
            "nodes": random.randint(1, 200),
            "platform": "sagemaker" if sagemaker else "ec2",
        },
        "checkpoint": None,
        "file_system": random.choice(PINS),
    }
    if random.random() < 0.2:
        document["cluster"]["free_addresses"] = random.randint(2, 3000)
    if random.random() < 0.4:
        every = random.uniform(10, 7200)
        document["checkpoint"] = {
            "size": int(10 ** random.uniform(8, 13)),
            "every": every,
            "write_within": every * random.uniform(0.01, 1),
            "keep": random.randint(1, 10),
        }
    if files is not None and sagemaker and random.random() < 0.3:
        document["training"] = {
            "image": IMAGE,
            "distribution": random.choice(["smddp", "torchrun"]),
            "preprocessing": 10 ** random.uniform(-6, -1),
        }
    region, pins = document["region"], document["file_system"]
    lacks = {"me-south-1": {"PERSISTENT_2"}, "ca-west-1": {"SCRATCH_2", "PERSISTENT_1"}}.get(region, set())
    if lacks & set(pins.get("deployment_types", [])) or (pins.get("storage_type") and region == "ca-west-1"):
        document["file_system"] = {}
    return document


def documents() -> st.SearchStrategy[dict[str, Any]]:
    """Documents that hypothesis can shrink."""
    return st.randoms(use_true_random=False).map(random_document)


def workloads() -> st.SearchStrategy[Workload]:
    """Valid workloads."""
    return documents().map(Workload.model_validate)
