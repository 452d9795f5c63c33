"""`epochwise batch`: the global batch, the scaled rate and its warmup."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import GUIDE, called, epochwise, written

IMAGENET = ["--set", "training.batch.per_device=32", "--set", "dataset.samples=1281167"]


def test_batch_shows_the_rate_of_the_declared_nodes_and_of_others() -> None:
    done = epochwise("batch", GUIDE, *IMAGENET)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    text = " ".join(done.stdout.split())
    for words in (
        "guide: a global batch of 1024 takes a learning rate of 0.4, reached from 0.1 over 5 epochs (6260 steps)",
        "1 256 0.1 5005 0 2",
        "4 1024 0.4 1252 6260 0.1 0.25 0.4",
        "32 8192 3.2 157 785 0.1 1.65 3.2",
        "learning_rate",
    ):
        assert words in text


def test_batch_json_is_one_object() -> None:
    done = called("batch", GUIDE, *IMAGENET, "--json")
    (line,) = done.stdout.splitlines()
    told = json.loads(line)
    assert told["declared"] == {
        "nodes": 4,
        "per_device_batch_size": 32,
        "global_batch_size": 1024,
        "learning_rate": 0.4,
        "warmup_start_learning_rate": 0.1,
        "warmup_epochs": 5,
        "warmup_steps": 6260,
        "steps_per_epoch": 1252,
        "warmup_middle_learning_rate": 0.25,
    }
    assert [point["nodes"] for point in told["points"]] == [1, 2, 4, 8, 16, 32]
    assert told["findings"] == []


def test_a_number_of_nodes_of_ones_own_stands_among_the_others() -> None:
    done = called("batch", GUIDE, *IMAGENET, "--set", "cluster.nodes=3", "--json")
    assert [point["nodes"] for point in json.loads(done.stdout)["points"]] == [1, 2, 3, 4, 8, 16, 32]


def test_a_batch_at_which_training_diverges_ends_with_1_and_says_so() -> None:
    done = called("batch", GUIDE, "--set", "training.batch.per_device=2049")
    assert done.returncode == 1
    assert "BATCH_DIVERGES" in done.stdout
    assert "BATCH_SAMPLES_UNKNOWN" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([GUIDE], "training.batch is not declared"),
        ([GUIDE, "--set", "training=null"], "training is not declared"),
        (["absent.yaml"], "cannot be read"),
        ([GUIDE, "--set", "training.batch.per_device=0"], "training.batch.per_device"),
        ([GUIDE, "--set", "training.batch.per_device=1000000000000"], "training.batch.per_device"),
        ([GUIDE, *IMAGENET, "--set", "training.batch.base_batch=1000001"], "training.batch.base_batch"),
    ],
)
def test_without_a_batch_it_ends_with_2(arguments: list[str], words: str) -> None:
    done = called("batch", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_workload_without_training_has_no_batch(tmp_path: Path) -> None:
    assert called("batch", written(tmp_path)).returncode == 2
