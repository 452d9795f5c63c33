"""`make templates`: what cannot be written ends in one sentence, before anything is written."""

from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from stacks.templates import program
from tests.cli.command_line import GUIDE, ROOT, written


def called(*arguments: str | Path) -> Result:
    """Run the program in this process, from the project's root."""
    with chdir(ROOT):
        return CliRunner().invoke(program, [str(argument) for argument in arguments])


def test_a_file_that_declares_nothing_is_told_before_any_template_is_made(tmp_path: Path) -> None:
    done = called(GUIDE, tmp_path / "absent.yaml", "--output", tmp_path / "out")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "absent.yaml" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_plan_without_a_choice_has_status_1_and_no_templates(tmp_path: Path) -> None:
    file = written(tmp_path, epoch={"target": "0.001 s"})
    done = called(file, "--output", tmp_path / "out")
    assert done.exit_code == 1
    assert "NOTHING_FEASIBLE" in done.stderr
    assert not (tmp_path / "out").exists()


def test_two_workloads_of_one_name_would_share_a_folder(tmp_path: Path) -> None:
    done = called(GUIDE, f"./{GUIDE}", "--output", tmp_path / "out")
    assert done.exit_code == 2
    assert done.stderr == f"./{GUIDE} and {GUIDE} both declare name guide; name one of them otherwise\n"


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine")
    done = called(GUIDE, "--output", place)
    assert done.exit_code == 2
    assert done.stderr == f"--output must be a folder, got {place}, which is a file; name another\n"
    assert place.read_text() == "mine"


def test_without_node_the_command_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = called(GUIDE, "--output", tmp_path / "out")
    assert done.exit_code == 2
    assert "needs Node.js" in done.stderr
    assert len(done.stderr.splitlines()) == 1
