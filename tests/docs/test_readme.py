"""What the README shows is what happens: every block runs; commands do in test_newcomer.py."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from epochwise import Workload

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
THE_DAY = "1791547200"
"""2026-10-09 in seconds since 1970: the age of prices is told relative to it."""
KNOWN_LANGUAGES = {"sh", "yaml", "console", "python", "text"}
"""`text` shows what asks an account; a test of its own compares each."""


def blocks(language: str) -> list[str]:
    """Return the README's blocks in a language."""
    found = [body for name, body in BLOCKS if name == language]
    assert found, f"README.md holds no block in {language}"
    return found


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's root with the project's own programs first, on the day of the README's output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SOURCE_DATE_EPOCH": THE_DAY}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)


def test_every_block_is_in_a_language_that_is_run() -> None:
    assert {language for language, _ in BLOCKS} == KNOWN_LANGUAGES


@pytest.mark.parametrize("block", blocks("python"))
def test_a_python_block_runs(block: str) -> None:
    done = run([sys.executable, "-W", "error", "-c", block])
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("block", blocks("yaml"))
def test_a_yaml_block_is_the_workload_it_shows(block: str) -> None:
    assert Workload.model_validate(yaml.safe_load(block)) == Workload.from_file(ROOT / "workloads" / "guide.yaml")


def test_the_make_commands_exist() -> None:
    targets = re.findall(r"^make (\w+)", "\n".join(blocks("sh")), flags=re.MULTILINE)
    assert {"synth", "test", "setup"} <= set(targets)
    for target in targets:
        assert run(["make", "--dry-run", target]).returncode == 0


def test_the_guides_key_figures_are_in_the_prose() -> None:
    assert "1632 USD a month" in README


def test_every_key_of_the_workload_file_is_in_the_table() -> None:
    for section, field in Workload.model_fields.items():
        model = next(
            (
                part
                for part in (field.annotation, *getattr(field.annotation, "__args__", ()))
                if hasattr(part, "model_fields")
            ),
            None,
        )
        keys = model.model_fields if model else [section]
        for key in keys:
            assert re.search(rf"^\| .*[`.]{key}`", README, flags=re.MULTILINE), f"{section}.{key}"
