"""A file is written whole or not at all."""

from pathlib import Path

import pytest

from epochwise.report.atomic_file import UnwritableFileError, refuse_unwritable, write_whole


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


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "workload.yaml"
    place.write_bytes(b"old")
    place.chmod(mode)
    write_whole(place, b"new")
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (b"new", mode)


@pytest.mark.parametrize(("read_only", "said"), [("workload.yaml", "the file"), ("", "its folder")])
def test_a_read_only_file_or_folder_is_left_alone(tmp_path: Path, read_only: str, said: str) -> None:
    place = tmp_path / "workload.yaml"
    place.write_bytes(b"old")
    (tmp_path / read_only).chmod(0o555)
    try:
        for act in (refuse_unwritable, lambda path: write_whole(path, b"new")):
            with pytest.raises(UnwritableFileError, match=f"{said} is read-only; allow it with chmod"):
                act(place)
    finally:
        (tmp_path / read_only).chmod(0o755)
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]
