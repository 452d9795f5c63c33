"""A folder of templates holds what its manifest lists, and what else its owner put there."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from epochwise.report.atomic_file import UnwritableFileError
from stacks.template_folder import write_folder


def listing(*names: str) -> dict[str, bytes]:
    """Return files with a manifest of them."""
    return {name: name.encode() for name in names} | {
        "manifest.json": json.dumps({"format": 1, "epochwise": "0.1.0", "files": dict.fromkeys(names)}).encode()
    }


def held(folder: Path) -> Mapping[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_what_the_last_manifest_lists_and_this_one_does_not_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_folder(folder, listing("training.template.json", "evaluator-1.zip"))
    (folder / "notes.txt").write_text("mine")
    write_folder(folder, listing("evaluator-2.zip"))
    assert held(folder) == listing("evaluator-2.zip") | {"notes.txt": b"mine"}


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        '{"format": 1, "epochwise": "0.1.0", "files": 1}',
        '{"format": 1, "epochwise": "0.1.0", "files": {"../outside": 1}}',
        '{"files": {"inside": 1}}',
        '{"version": "3", "files": {"inside": {"source": 1}}}',
    ],
)
def test_nothing_is_removed_for_a_manifest_that_is_not_ours(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "outside").write_text("mine")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "manifest.json").write_text(manifest)
    (folder / "inside").write_text("mine")
    write_folder(folder, listing("a.json"))
    assert held(folder) == listing("a.json") | {"inside": b"mine"}
    assert (tmp_path / "outside").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UnwritableFileError, match="cannot be made"):
        write_folder(tmp_path / "file" / "guide", listing("a.json"))
