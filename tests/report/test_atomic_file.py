"""A file is written whole or not at all."""

from pathlib import Path

import pytest

from epochwise.report.atomic_file import UnwritableFileError, write_whole


def test_a_file_is_replaced_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "plan.svg"
    for content in (b"first", b"second"):
        write_whole(place, content)
        assert place.read_bytes() == content
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize(
    ("name", "reason"), [("absent/plan.svg", "No such file"), ("folder", "is there and is not a file")]
)
def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UnwritableFileError, match=f"cannot be written: {reason}") as error:
        write_whole(tmp_path / name, b"content")
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "plan.svg"
    write_whole(place, b"old")

    def full(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UnwritableFileError, match="No space left on device"):
        write_whole(place, b"new")
    monkeypatch.undo()
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]
