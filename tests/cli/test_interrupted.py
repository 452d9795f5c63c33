"""Ctrl-C ends in one sentence wherever it strikes, and after a start it says how to follow or stop what runs."""

import subprocess
import sys
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from epochwise.cli import launch_command
from epochwise.following.arns import ExecutionArn
from epochwise.live.execution_start import StartedExecution
from tests.cli.command_line import GUIDE, ROOT, called

MACHINE = "arn:aws:states:us-east-1:123456789012:stateMachine:guide"
ARN = ExecutionArn.of(MACHINE, "one")
STARTED = StartedExecution(ARN, datetime(2026, 10, 9, tzinfo=UTC), "{}")
HOW_TO_GO_ON = (
    f"follow it with `epochwise watch {ARN}`, stop it with `aws stepfunctions stop-execution --execution-arn {ARN}`"
)
STARTING_UP = """
import sys

class Pressed:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

from epochwise.cli import main
sys.meta_path.insert(0, Pressed())
sys.argv = ["epochwise", "plan", "workloads/guide.yaml"]
main()
"""


def interrupted(*_: object, **__: object) -> Any:
    """Press Ctrl-C."""
    raise KeyboardInterrupt


@pytest.fixture
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the job of a stack without an account."""
    job = SimpleNamespace(machine_arn=MACHINE, dashboards=(), deployed=SimpleNamespace(workload=None))
    monkeypatch.setattr(launch_command, "_found", lambda *_, **_given: (None, job))
    monkeypatch.setattr(launch_command, "_asked", lambda *_: SimpleNamespace(text="{}", input={}))
    monkeypatch.setattr(launch_command, "_job_name", lambda *_: "guide-one")
    monkeypatch.setattr(launch_command, "_started", lambda *_: STARTED)


@pytest.mark.usefixtures("_found")
@pytest.mark.parametrize(
    ("strikes", "said"),
    [
        ("_started", "whether it was started is not known: repeat the same command, which never starts a second one"),
        ("_print_started", HOW_TO_GO_ON),
        ("_followed", HOW_TO_GO_ON),
    ],
)
def test_after_a_start_ctrl_c_says_how_to_go_on(strikes: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch_command, strikes, interrupted)
    done = called("launch", GUIDE, "--stack", "guide", "--wait")
    assert done.returncode == 130
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_ctrl_c_in_a_command_that_says_nothing_of_it_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epochwise.sizing.planner.plan", interrupted)
    done = called("plan", GUIDE)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "epochwise: interrupted")


@pytest.mark.parametrize("module", ["epochwise.cli.every_command", "epochwise.cli.planning_commands", "pydantic"])
def test_ctrl_c_while_it_starts_up_ends_in_one_sentence(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTING_UP.format(module=module)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "epochwise: interrupted")
