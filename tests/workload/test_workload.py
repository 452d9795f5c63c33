"""What a legal workload file says."""

from pathlib import Path

import pytest

from epochwise import Workload
from epochwise.declaration.quantity import duration_s, size_bytes

ROOT = Path(__file__).resolve().parents[2]


def test_the_guide_declares_what_the_guide_does() -> None:
    guide = Workload.from_file(ROOT / "workloads" / "guide.yaml")
    assert guide.dataset.size == 100_000_000_000
    assert guide.dataset.files is None
    assert (guide.epoch.target, guide.epoch.count) == (30.0, 90)
    assert (guide.cluster.instance_type, guide.cluster.nodes) == ("ml.p4d.24xlarge", 4)
    assert guide.training is not None
    assert guide.training.distribution == "smddp"
    assert guide.watch.rules == ("CpuBottleneck", "LoadBalancing", "LowGpuUtilization")
    assert guide.watch.using == ("debugger",)
    assert guide.checkpoint is None
    assert guide.file_system.model_dump(exclude_defaults=True) == {}


def test_a_workload_is_frozen() -> None:
    guide = Workload.from_file(ROOT / "workloads" / "guide.yaml")
    with pytest.raises(ValueError, match="frozen"):
        setattr(guide, "name", "other")  # noqa: B010 - what the test is about


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100 GB", 100 * 10**9),
        ("1.5 TiB", 1.5 * 2**40),
        ("250 MB", 250 * 10**6),
        ("13GB", 13 * 10**9),
        (42, 42),
        ("42", 42),
    ],
)
def test_sizes_read_as_people_write_them(text: object, expected: float) -> None:
    assert size_bytes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("30 s", 30), ("5 min", 300), ("1 h", 3600), (90, 90), ("1h30m", 5400), (0.25, 0.25)]
)
def test_durations_read_as_people_write_them(text: object, expected: float) -> None:
    assert duration_s(text) == expected


def test_ec2_takes_either_spelling_of_an_instance_type() -> None:
    for spelling in ("p5.48xlarge", "ml.p5.48xlarge"):
        workload = Workload.model_validate(
            {
                "name": "ec2",
                "dataset": {"size": "1 TB"},
                "epoch": {"target": "60 s"},
                "cluster": {"instance_type": spelling, "nodes": 2, "platform": "ec2"},
            }
        )
        assert workload.cluster.instance.name == "p5.48xlarge"


def test_every_workload_that_ships_is_legal() -> None:
    files = sorted((ROOT / "workloads").glob("*.yaml"))
    assert files
    for file in files:
        assert Workload.from_file(file).name == file.stem
