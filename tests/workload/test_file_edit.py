"""Values go into a file that a person wrote, and nothing else in it changes."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from epochwise.declaration.yaml_edit import UneditableFileError, with_values
from epochwise.workload import Workload, WorkloadError
from epochwise.workload.file_edit import edited_workload_file

ROOT = Path(__file__).resolve().parents[2]
VALUES = {"dataset.size": "151.3 GB", "dataset.files": 2_005_962, "epoch.compute": "29.98 s"}
OWN = """\
# our own file
name: job   # ends up in names

dataset:
    size: 100 GB   # guessed
    # how many there are is not known

epoch:
    target: '30 s'
    count: 90
cluster: {instance_type: ml.p4d.24xlarge, nodes: 4}  # all in one line
watch:
    rules:
      - CpuBottleneck
      - LowGpuUtilization:
          threshold_p95: 60
"""


def edited(tmp_path: Path, text: str, values: dict[str, Any] | None = None, name: str = "w.yaml") -> str:
    """Return the text of a file with values in it."""
    file = tmp_path / name
    file.write_bytes(text.encode())
    return edited_workload_file(file, values or VALUES).decode()


def test_comments_order_indents_and_quotes_stay(tmp_path: Path) -> None:
    after = edited(tmp_path, OWN)
    lines = after.splitlines()
    assert [line for line in lines if "#" in line] == [
        "# our own file",
        "name: job   # ends up in names",
        "    size: 151.3 GB # guessed",
        "    # how many there are is not known",
        "cluster: {instance_type: ml.p4d.24xlarge, nodes: 4}  # all in one line",
    ]
    assert "    target: '30 s'" in lines
    assert "      - CpuBottleneck" in lines
    assert [line for line in lines if line[:1].isalpha()] == [line for line in OWN.splitlines() if line[:1].isalpha()]
    assert "    files: 2005962" in lines


def test_what_is_written_twice_is_written_once(tmp_path: Path) -> None:
    once = edited(tmp_path, OWN)
    assert edited(tmp_path, once) == once


def test_the_guides_file_changes_in_those_lines_alone(tmp_path: Path) -> None:
    text = (ROOT / "workloads" / "guide.yaml").read_text()
    after = edited(tmp_path, text, {"epoch.target": "41.2 s"})
    assert after == text.replace("target: 30 s", "target: 41.2 s")


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\n{}",
        "%YAML 1.1\n---\nname: a\n{}",
        "\ufeffname: a\n{}",
        "name: a\n{}...\n",
        "name: a\n{}# the end, without a line break",
    ],
)
def test_beginnings_and_ends_stay(tmp_path: Path, text: str) -> None:
    body = "dataset:\n  size: 1 GB\nepoch:\n  target: 1 s\ncluster:\n  instance_type: ml.p4d.24xlarge\n  nodes: 1\n"
    after = edited(tmp_path, text.format(body), {"dataset.size": "2 GB"})
    assert after.rstrip() == text.format(body.replace("1 GB", "2 GB")).rstrip()


def test_line_ends_of_another_system_stay(tmp_path: Path) -> None:
    after = edited(tmp_path, OWN.replace("\n", "\r\n"))
    assert "\r\n" in after
    assert "\r\r" not in after
    assert after.replace("\r\n", "\n") == edited(tmp_path, OWN)


@pytest.mark.parametrize("indent", [None, 2])
def test_json_stays_json(tmp_path: Path, indent: int | None) -> None:
    document = {
        "name": "job",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    after = edited(tmp_path, json.dumps(document, indent=indent), name="w.json")
    assert json.loads(after)["dataset"] == {"size": "151.3 GB", "files": 2_005_962}
    assert ("\n  " in after) is (indent is not None)


def test_what_would_no_longer_be_a_workload_is_not_given_back(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match=r"w\.yaml: epoch\.target: .*got 'soon'"):
        edited(tmp_path, OWN, {"epoch.target": "soon"})


def test_a_section_that_two_keys_share_is_not_changed(tmp_path: Path) -> None:
    marked = OWN.replace("dataset:\n    size: 100 GB   # guessed", "dataset: &here\n    size: 100 GB")
    with pytest.raises(
        WorkloadError, match=r"other values would change with it; write it by hand: dataset\.size: 2 GB"
    ):
        edited(tmp_path, f"{marked}prices: *here\n", {"dataset.size": "2 GB"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a list", "must hold a mapping"),
        ("dataset: 5\n", "dataset.size: dataset holds '5', which has no keys; write it by hand"),
        ("a: [\n", "is not YAML"),
        ("\x00", "is not YAML"),
    ],
)
def test_what_cannot_be_changed_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        edited(tmp_path, text, {"dataset.size": "2 GB"})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_gone_or_no_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="cannot be read: No such file"):
        edited_workload_file(tmp_path / "absent.yaml", VALUES)
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WorkloadError, match="is not UTF-8 text"):
        edited_workload_file(tmp_path / "binary.yaml", VALUES)


def test_a_document_without_keys_is_not_changed() -> None:
    with pytest.raises(UneditableFileError, match="it holds no mapping"):
        with_values("- 1\n", {"a": 1})
    with pytest.raises(UneditableFileError, match="cannot be changed in place: "):
        with_values("a: [\n", {"a": 1})


def test_without_ruamel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ruamel.yaml.error", None)
    with pytest.raises(UneditableFileError, match=r"install epochwise\[live\]"):
        with_values("a: 1\n", {"a": 2})


@pytest.mark.parametrize("seed", range(40))
def test_any_document_holds_the_values_and_all_it_held_before(seed: int) -> None:
    dice = Random(seed)
    document: dict[str, Any] = {
        f"key{number}": dice.choice([{"a": 1, "b": ["x", {"y": 2.5}]}, [1, 2], "text: with # signs", None, True, 1e-9])
        for number in range(dice.randint(1, 8))
    }
    text = yaml.safe_dump(document, default_flow_style=dice.choice([None, True, False]), indent=dice.choice([2, 4]))
    values = {"key0": 7} if not isinstance(document["key0"], dict) else {"key0.a": "3 GB", "key0.new": 5}
    found = yaml.safe_load(with_values(text, values | {"fresh.key": "1 s"}))
    changed = {"a": "3 GB", "new": 5} if "key0.a" in values else None
    expected = document | {"key0": document["key0"] | changed if changed else 7, "fresh": {"key": "1 s"}}
    assert found == expected


def test_every_value_that_is_measured_reads_back_as_a_workload(tmp_path: Path) -> None:
    after = edited(tmp_path, OWN, VALUES | {"dataset.working_set": "40 GB", "cluster.nodes": 8})
    (tmp_path / "after.yaml").write_text(after)
    workload = Workload.from_file(tmp_path / "after.yaml")
    assert (workload.dataset.size, workload.dataset.working_set) == (151_300_000_000, 40_000_000_000)
    assert (workload.cluster.nodes, workload.epoch.compute) == (8, 29.98)
