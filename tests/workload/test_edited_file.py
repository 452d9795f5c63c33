"""Keys of a workload file are replaced, and everything else stays as somebody wrote it."""

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from epochwise.workload import Workload, WorkloadError
from epochwise.workload.edited_file import edited_workload

CHANGES: dict[str, object] = {
    "dataset.size": 123_456,
    "dataset.files": 7,
    "dataset.source": "s3://bucket/x/",
    "dataset.measured_on": date(2026, 11, 30),
}
TAIL = "epoch:\n  target: 30 s\ncluster:\n  instance_type: ml.p4d.24xlarge\n  nodes: 4\n"
TRAINING = """\
training:
  image: 'x'
  environment: {A: 'yes', B: "no", C: '0123'}
  hyperparameters:
    lr: 1e-3
    text: >-
      folded
      text
    lit: |
      a
       b
"""
NEW = "  files: 7\n  source: s3://bucket/x/\n  measured_on: 2026-11-30\n"


def edited(text: str, tmp_path: Path, name: str = "workload.yaml") -> str:
    """Edit a file of this text, and see that what comes out is what was meant."""
    file = tmp_path / name
    file.write_bytes(text.encode())
    content = edited_workload(file, CHANGES)
    assert file.read_bytes() == text.encode()
    file.write_bytes(content)
    dataset = Workload.from_file(file).dataset
    assert (dataset.size, dataset.files, dataset.measured_on) == (123_456, 7, date(2026, 11, 30))
    assert edited_workload(file, CHANGES) == content
    return content.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dataset:\n  size: 1 GB\n", f"dataset:\n  size: 123456\n{NEW}"),
        ("dataset:\n  size: 1 GB # by hand\n", f"dataset:\n  size: 123456 # by hand\n{NEW}"),
        ("dataset:\n  size: 1 GB\n\n# how long\n", f"dataset:\n  size: 123456\n{NEW}\n# how long\n"),
        (
            "dataset:\n  # known\n  size: 1 GB\n  hydration:\n    mbps: 100 # slow\n\n# how long\n",
            f"dataset:\n  # known\n  size: 123456\n{NEW}  hydration:\n    mbps: 100 # slow\n\n# how long\n",
        ),
        (
            "dataset:\n  source: s3://old/\n  files: 3 # old\n\n  size: 1 GB\n",
            "dataset:\n  source: s3://bucket/x/\n  files: 7 # old\n\n  size: 123456\n  measured_on: 2026-11-30\n",
        ),
        (
            "dataset: {size: 1 GB, samples: 9}\n",
            "dataset: {size: 123456, samples: 9, files: 7, source: s3://bucket/x/, measured_on: 2026-11-30}\n",
        ),
        ("", ""),
        ("dataset:\n", f"dataset:\n  size: 123456\n{NEW}"),
        ("dataset: {}\n", f"dataset:\n  size: 123456\n{NEW}"),
    ],
)
def test_keys_are_put_where_they_belong(before: str, after: str, tmp_path: Path) -> None:
    text = f"# head\nname: a # the name\n{before}{TAIL}"
    changed = edited(text, tmp_path)
    if before:
        assert changed == text.replace(before, after)
    else:
        assert changed == f"{text}dataset:\n  size: 123456\n{NEW}"


@pytest.mark.parametrize(
    "rest",
    [
        "watch:\n  rules:\n    - CpuBottleneck\n    - LoadBalancing: {threshold: 1}\n  using: [cloudwatch]\n",
        "watch:\n  rules:\n  - CpuBottleneck\n",
        TRAINING,
        "file_system: {efa_enabled: off}\n",
        f"training:\n  image: {'x' * 200}\n  hyperparameters: {{a: {'word ' * 60}end}}\n",
        "# the end\n",
    ],
)
def test_what_is_not_replaced_stays_to_the_letter(rest: str, tmp_path: Path) -> None:
    text = f"---\nname: a\ndataset:\n  size: 1 GB\n{TAIL}{rest}"
    assert edited(text, tmp_path) == text.replace("  size: 1 GB\n", f"  size: 123456\n{NEW}")


def test_a_wider_indent_stays(tmp_path: Path) -> None:
    text = f"name: a\ndataset:\n  size: 1 GB\n{TAIL}".replace("\n  ", "\n    ")
    wanted = text.replace("    size: 1 GB\n", "    size: 123456\n" + NEW.replace("  ", "    "))
    assert edited(text, tmp_path) == wanted


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    text = f"name: a\ndataset:\n  size: 1 GB\n{TAIL}".replace("\n", "\r\n")
    changed = edited(text, tmp_path)
    assert changed == text.replace("  size: 1 GB\r\n", f"  size: 123456\n{NEW}".replace("\n", "\r\n"))


def test_windows_line_ends_of_comments_and_blank_lines_stay(tmp_path: Path) -> None:
    text = f"# head\n\nname: a # the name\ndataset:\n  # before\n  size: 1 GB # was\n\n# after\n{TAIL}".replace(
        "\n", "\r\n"
    )
    changed = edited(text, tmp_path)
    assert changed.count("\r") == changed.count("\r\n") == changed.count("\n")
    assert changed.replace(NEW.replace("\n", "\r\n"), "") == text.replace("1 GB", "123456")


def test_a_json_file_stays_json(tmp_path: Path) -> None:
    document: dict[str, Any] = {
        "name": "a",
        "dataset": {"samples": 9, "size": "1 GB"},
        "epoch": {"target": 30},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    changed = json.loads(edited(json.dumps(document), tmp_path, "workload.json"))
    assert [*changed] == [*document]
    assert [*changed["dataset"]] == ["samples", "size", "files", "source", "measured_on"]
    assert changed["dataset"]["measured_on"] == "2026-11-30"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n", "must hold a mapping"),
        ("", "is empty"),
        ("a: [", "is not YAML"),
        ("hello: world\n", "hello: unknown key"),
        (f"name: a\ndataset: 5\n{TAIL}", "dataset.size: dataset holds '5', which has no keys"),
        (f"name: a\ndataset:\n  sise: 5\n{TAIL}", "dataset.sise: unknown key"),
        (f"name: a\ndataset: &d\n  size: 1 GB\nepoch: *d\n{TAIL}", "the key 'epoch' stands here twice"),
    ],
)
def test_what_is_no_workload_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text(text)
    with pytest.raises(WorkloadError) as caught:
        edited_workload(file, CHANGES)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(file))


def test_what_would_change_something_else_is_left_to_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text(f"name: a\ndataset:\n  size: 1 GB\n{TAIL}")
    monkeypatch.setattr("epochwise.workload.edited_file.edited_yaml", lambda text, _: text)
    with pytest.raises(WorkloadError, match=r"without changing something else; write by hand: dataset.size: 123456, "):
        edited_workload(file, CHANGES)


def test_without_the_editor_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text(f"name: a\ndataset:\n  size: 1 GB\n{TAIL}")
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    with pytest.raises(WorkloadError, match=r"ruamel.yaml is not installed; install epochwise\[live\]; write by hand"):
        edited_workload(file, CHANGES)
