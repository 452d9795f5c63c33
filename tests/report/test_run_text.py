"""A run as it is read: in a terminal, in one report and in lines, the same facts."""

import io
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from epochwise.following.links import Link
from epochwise.following.run import Execution
from epochwise.following.use import HostUse, Window
from epochwise.report.live_view import LiveView
from epochwise.report.plain_text import plain_text
from epochwise.report.run_lines import FIGURES_EVERY_S, RunLines
from epochwise.report.run_text import finding_remark, run_content
from epochwise.report.run_words import busyness_text, storage_text
from epochwise.report.started_text import started_text
from tests.following.runs import ARN, NOON, STORAGE, job, minutes, run, use

SHOWN = """\
guide-1: InProgress, Training after 30 min of training

  as of       2026-10-09 12:00:00 UTC
  execution   guide-1: RUNNING, since 2026-10-09 11:19:00 UTC
  job         InProgress, Training since 2026-10-09 11:30:00 UTC: Training in
              progress.
  cluster     4 × ml.p4d.24xlarge
  storage     delivers 2300 MB/s (63% of its ceiling); takes 12 MB/s; demand
              3333 MB/s; ceiling 3671 MB/s

nodes in %, mean of the last minutes; 1 without metrics
  node    CPU  memory  GPU  GPU memory
  algo-1   20      30   90          60
  algo-2   21      31   40          61
  algo-3   22      32    -           -

findings
  warning StorageBottleneck: GPUs wait for a file system at its ceiling; replace
    it by PERSISTENT_2 9600 GiB (by cloudwatch, 2026-10-09 11:50:00 UTC)

rules
  LoadBalancing: differs by 0.1; 0.5 is the limit
  CPUBottleneck: InProgress, by debugger

not known
  metrics: throttled
"""


def test_a_run_is_shown_whole() -> None:
    report = run_content(run(unknown=("metrics: throttled",)))
    assert plain_text(report) == SHOWN
    assert report.good


def test_a_rule_that_found_something_is_not_said_twice() -> None:
    told = run(verdicts={"StorageBottleneck": "in 60 % of the minutes"})
    assert "in 60 %" not in plain_text(run_content(told))


def test_a_time_that_is_none_is_shown_as_it_is() -> None:
    assert finding_remark(replace(STORAGE, time="yesterday")).text.endswith("(by cloudwatch, yesterday)")


def test_a_run_without_anything_is_shown_too() -> None:
    report = run_content(run(job=None, use=None, findings=(), verdicts={}, demand_mbps=None, ceiling_mbps=None))
    assert plain_text(report).startswith("guide-1: the job is not there yet\n")
    assert len(report.blocks) == 1


@pytest.mark.parametrize(
    ("execution", "of_job"),
    [
        (Execution(ARN, "FAILED", NOON, NOON, "TrainingJobFailed", "guide-1: out of memory"), "Failed"),
        (Execution(ARN, "ABORTED", NOON, NOON), "Stopping"),
        (Execution(ARN, "RUNNING", NOON), "Failed"),
    ],
)
def test_a_run_that_did_not_succeed_is_marked_as_not_good(execution: Execution, of_job: str) -> None:
    assert not run_content(run(execution=execution, job=job(status=of_job))).good


def test_an_end_is_shown_with_its_reason() -> None:
    failed = Execution(ARN, "FAILED", NOON - minutes(41), NOON, "TrainingJobFailed", "guide-1: out of memory")
    ended = run(execution=failed, job=job(status="Failed", secondary="Failed", training_end=NOON))
    shown = plain_text(run_content(ended))
    assert shown.startswith("guide-1: failed after 30 min of training\n")
    assert "reason      TrainingJobFailed: guide-1: out of memory\n" in shown
    assert "job         Failed since" in shown


def test_a_job_that_ended_before_its_execution_is_told_so() -> None:
    waiting = run(job=job(status="Completed", secondary="Completed", training_end=NOON))
    assert run_content(waiting).headline == "Completed after 30 min of training; the execution has not ended yet"


def test_words_of_somebody_else_break_no_line_and_steer_no_terminal() -> None:
    said = "Traceback:\n  \x1b[2J\x07red\x9b"
    ended = run(execution=Execution(ARN, "FAILED", NOON - minutes(41), NOON, "E", said), job=job(message=said))
    texts = (
        plain_text(run_content(ended)).replace("\n", ""),
        *RunLines().of(ended),
        *RunLines().of(run(job=ended.job)),
    )
    assert all(text.isprintable() for text in texts)
    assert sum("[2Jred" in text for text in texts) == 3


def test_of_many_nodes_the_least_busy_are_shown() -> None:
    hosts = tuple(HostUse(f"algo-{number}", 10.0, float(number)) for number in range(100, 0, -1))
    shown = plain_text(
        run_content(run(use=use(hosts=hosts, hosts_left_out=4, window=Window.of_ended(NOON, NOON, NOON))))
    )
    assert "mean of the whole training" in shown
    assert "the 16 of 100 whose" in shown
    assert "4 more are not looked at" in " ".join(shown.split())
    assert "algo-16 " in shown
    assert "algo-17 " not in shown


@pytest.mark.parametrize(
    ("ceiling", "read", "said"),
    [
        (None, 2300.0, "delivers 2300 MB/s; takes 12 MB/s; demand 3333 MB/s"),
        (0.0, None, "takes 12 MB/s; demand 3333 MB/s; ceiling 0 MB/s"),
    ],
)
def test_storage_is_told_as_far_as_it_is_known(ceiling: float | None, read: float | None, said: str) -> None:
    assert storage_text(run(ceiling_mbps=ceiling, use=use(read_mbps=read))) == said


def test_nothing_known_of_storage_or_nodes_is_no_sentence() -> None:
    assert storage_text(run(use=None, demand_mbps=None, ceiling_mbps=None)) is None
    assert busyness_text((HostUse("algo-1"),)) is None
    assert busyness_text((HostUse("algo-1", 12.4, None),)) == "CPUs 12%"
    assert busyness_text(use().hosts) == "GPUs 65%, least 40% on algo-2; CPUs 21%, least 20% on algo-1"


def test_lines_say_what_is_new_and_the_figures_now_and_then() -> None:
    lines = RunLines()
    quiet = run(findings=(), verdicts={})
    first = lines.of(quiet)
    figures = (
        "2026-10-09T12:00:00Z guide-1: GPUs 65%, least 40% on algo-2; CPUs 21%, least 20% on algo-1; "
        "delivers 2300 MB/s (63% of its ceiling); takes 12 MB/s; demand 3333 MB/s; ceiling 3671 MB/s"
    )
    assert first == ["2026-10-09T12:00:00Z guide-1: InProgress, Training: Training in progress.", figures]

    def at(seconds: float, **changes: Any) -> list[str]:
        return lines.of(replace(quiet, time=NOON + timedelta(seconds=seconds), **changes))

    assert at(60) == []
    assert len(at(61, findings=run().findings)) == 1
    assert at(62, findings=run().findings) == []
    assert at(63, findings=run().findings, unknown=("metrics: throttled",)) == [
        "2026-10-09T12:01:03Z guide-1: not known: metrics: throttled"
    ]
    assert at(64, findings=run().findings, unknown=("metrics: throttled",)) == []
    assert len(at(FIGURES_EVERY_S, findings=run().findings)) == 1
    ended = Execution(ARN, "FAILED", NOON, NOON, "TrainingJobFailed", "guide-1: why")
    last = at(FIGURES_EVERY_S + 1, findings=run().findings, execution=ended, job=job(status="Failed"))
    assert last[-1] == "2026-10-09T12:10:01Z guide-1: failed after 40 min of training: TrainingJobFailed: guide-1: why"
    assert len(last) == 2


def test_lines_without_metrics_hold_no_figures() -> None:
    silent = use(hosts=(HostUse("algo-1"),), read_mbps=None, write_mbps=None)
    assert len(RunLines().of(run(use=silent, findings=()))) == 1
    assert RunLines().of(run(job=None, use=None, findings=())) == [
        "2026-10-09T12:00:00Z guide-1: the job is not there yet"
    ]


def test_what_was_started_can_be_copied_from_unbroken_lines() -> None:
    link = Link("execution", "https://example.com/" + "x" * 100)
    given = {"nodes": 8, "hyperparameters": {"lr": "0.2"}}
    text = started_text(arn=ARN, job="guide-1", start=NOON, given=given, links=[link])
    assert f"  execution     {ARN}\n" in text
    assert f"    execution     {link.url}\n" in text
    assert "  asked for     nodes 8, hyperparameters lr=0.2\n" in text
    assert text.endswith(f"aws stepfunctions stop-execution --execution-arn {ARN}\n")
    bare = started_text(arn=ARN, job="guide-1", start=NOON, given={}, links=[])
    assert "as deployed" in bare
    assert "console" not in bare


class Screen(io.StringIO):
    """A terminal that remembers."""

    def isatty(self) -> bool:
        return True


def test_a_view_is_drawn_over_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    screen = Screen()
    with LiveView(screen) as view:
        view.show(run_content(run()))
        height = len(plain_text(run_content(run())).splitlines())
        view.show(run_content(run(execution=Execution(ARN, "SUCCEEDED", NOON))))
    drawn = screen.getvalue()
    assert drawn.count("\x1b[1A\x1b[2K") >= height - 2
    assert "succeeded" in drawn.rpartition("\x1b[1A")[2]
    assert drawn.rstrip("\n").endswith("\x1b[?25h")
