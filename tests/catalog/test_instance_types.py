"""The instance types against the recordings of EC2 and SageMaker that others publish."""

import gzip
import json
from pathlib import Path
from typing import Any

import botocore.session
import moto
import pytest

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types import instance_type, similar_instance_types
from epochwise.catalog.lustre_clients import efa_connections_per_client, efa_mount


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """DescribeInstanceTypes as moto recorded it."""
    file = Path(moto.__file__).parent / "ec2" / "resources" / "instance_types.json.gz"
    found: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return found


def test_every_recorded_type_is_there_with_its_processors_memory_and_efa(recorded: dict[str, Any]) -> None:
    for name, row in recorded.items():
        known = instance_type(name)
        assert known is not None, f"{name} is new in moto: refresh the catalog"
        assert known.vcpu == row["VCpuInfo"]["DefaultVCpus"]
        assert known.memory_gib == pytest.approx(row["MemoryInfo"]["SizeInMiB"] / 1024, abs=0.001)
        assert known.efa_interfaces == row["NetworkInfo"].get("EfaInfo", {}).get("MaximumEfaInterfaces", 0)
        assert known.local_nvme_gb == row.get("InstanceStorageInfo", {}).get("TotalSizeInGB", 0)


def test_the_types_that_are_in_no_recording_are_marked_unverified(recorded: dict[str, Any]) -> None:
    rows = load("instance_types")["rows"]
    assert set(rows) - set(recorded) == set(load("instance_types")["meta"]["unverified"])


def test_sagemaker_trains_on_exactly_the_types_of_its_api() -> None:
    model = botocore.session.get_session().get_service_model("sagemaker")
    listed = set(model.shape_for("TrainingInstanceType").enum)
    column = load("instance_types")["columns"].index("sagemaker_training")
    assert {f"ml.{name}" for name, row in load("instance_types")["rows"].items() if row[column]} == listed


@pytest.mark.parametrize(
    ("name", "ena_mbps", "efa_mbps"),
    [
        ("p4d.24xlarge", 12_500, 50_000),
        ("p5.48xlarge", 12_500, 400_000),
        ("p6-b300.48xlarge", 43_750, 800_000),
        ("g6e.48xlarge", 12_500, 50_000),
        ("m5.large", 93.75, 0),
    ],
)
def test_ena_is_one_network_card_and_efa_all_of_them(name: str, ena_mbps: float, efa_mbps: float) -> None:
    known = instance_type(name)
    assert known is not None
    assert (known.ena_mbps, known.efa_mbps) == (ena_mbps, efa_mbps)


def test_a_mistyped_name_gets_near_ones_in_the_platforms_spelling() -> None:
    assert similar_instance_types("ml.p5.48xlarg", sagemaker=True)[0] == "ml.p5.48xlarge"
    assert similar_instance_types("hpc7a.96xlarg", sagemaker=False)[0] == "hpc7a.96xlarge"
    assert similar_instance_types("zzzzzz", sagemaker=True) == []


@pytest.mark.parametrize(
    ("name", "sagemaker", "possible", "reason"),
    [
        ("p5.48xlarge", False, True, ""),
        ("p5.48xlarge", True, False, "SageMaker"),
        ("trn2.48xlarge", False, False, "excludes trn2"),
        ("p4d.24xlarge", False, False, "unverified"),
        ("m5.large", False, False, "no EFA"),
    ],
)
def test_who_mounts_over_efa(name: str, sagemaker: bool, possible: bool, reason: str) -> None:
    known = instance_type(name)
    assert known is not None
    mount = efa_mount(known, sagemaker=sagemaker)
    assert mount.possible is possible
    assert reason in mount.reason


@pytest.mark.parametrize(
    ("name", "connections"), [("p6-b300.48xlarge", 16), ("p5.48xlarge", 8), ("p4d.24xlarge", 2), ("c5n.18xlarge", 1)]
)
def test_efa_connections_of_one_client(name: str, connections: int) -> None:
    known = instance_type(name)
    assert known is not None
    assert efa_connections_per_client(known) == connections
