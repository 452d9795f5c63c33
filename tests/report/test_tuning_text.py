"""A tuning as it is read: everything that was measured is there, in 80 columns."""

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import pytest

from epochwise.report.plain_text import plain_text
from epochwise.report.terminal import print_report
from epochwise.report.tuning_text import headline, tuning_content
from epochwise.tuning.recommendation import Verdict
from epochwise.tuning.tuned import Tuning, tune
from tests.report.test_terminal import Screen
from tests.tuning.jobs import CASES, PERSISTENT_2, document, on, simulated
from tests.tuning.simulated_job import START, Truth, measured, simulate

TODAY = date(2026, 10, 9)


@cache
def tuned(name: str) -> Tuning:
    """Conclude from one of the ten jobs."""
    return tune(CASES[name].document, measured(simulated(name)), START + timedelta(days=1))


def text(tuning: Tuning) -> str:
    """Draw a tuning as plain text."""
    return plain_text(tuning_content(tuning, TODAY))


@pytest.mark.parametrize("name", CASES)
def test_every_line_fits_and_every_figure_is_there(name: str) -> None:
    found = tuned(name)
    drawn = text(found)
    assert max(map(len, drawn.splitlines())) <= 80
    for option in found.recommendation.options:
        assert f"{option.candidate.monthly_usd:.2f}" in drawn
    for key, value in found.measured.values.items():
        assert re.search(rf"^  {re.escape(key)} .*{re.escape(str(value))}$", drawn, flags=re.MULTILINE)
    for finding in found.findings:
        assert finding.id in drawn
    assert "days old" in drawn


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("the guide on what is planned for it", "keep PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month"),
        (
            "the guide on the smallest scratch",
            "grow SCRATCH_2 1200 GiB to SCRATCH_2 16800 GiB in place, +2184.00 USD a month",
        ),
        (
            "twice what is needed",
            "shrink PERSISTENT_2 9600 GiB at 1000 MB/s/TiB to PERSISTENT_2 1200 GiB at 1000 MB/s/TiB by replacing",
        ),
        ("preprocessing on the CPUs", "storage was not the bottleneck: preprocessing on the nodes' CPUs was; "),
    ],
)
def test_the_answer_is_in_the_first_line(name: str, begins: str) -> None:
    assert headline(tuned(name)).startswith(begins)


def test_how_to_get_there_is_said_step_by_step_with_what_is_locked() -> None:
    drawn = " ".join(text(tuned("the guide on the smallest scratch")).split())
    assert "aws fsx update-file-system --file-system-id fs-0123456789abcdef0 --storage-capacity 16800" in drawn
    assert "growth only and 6 h after the last; clients wait some minutes" in drawn
    assert "only then delete the old one" in drawn


def test_what_waiting_costs_is_said_where_nodes_are_priced() -> None:
    truth = Truth(document(cluster={"price_per_node_hour": 30}), **on(PERSISTENT_2, 2400, 250), epochs=6)
    found = tune(truth.document, measured(simulate(truth)), START)
    assert f"waiting for storage cost {found.idle_usd_per_hour:.2f} USD an hour" in " ".join(text(found).split())


def test_what_is_not_known_is_left_out() -> None:
    job = measured(simulated("the guide on what is planned for it"))
    bare = replace(
        job,
        hosts=tuple(replace(host, gpu=(), cpu=()) for host in job.hosts),
        storage=replace(job.storage, disk_read_mbps=(), targets_seen=0, opens_per_s=(), write_mbps=()),
    )
    drawn = text(tune(document(), bare, START))
    assert "accelerators were not in use" not in drawn
    assert "the disks were spared" not in drawn
    assert "which is declared and was not recognised" in " ".join(drawn.split())


def test_what_nothing_delivers_is_drawn_with_the_reason() -> None:
    truth = Truth(document(epoch={"target": "1 s", "compute": "1 s"}), **on(PERSISTENT_2, 48_000, 250), epochs=240)
    found = tune(truth.document, measured(simulate(truth)), START)
    content = tuning_content(found, TODAY)
    assert found.recommendation.verdict is Verdict.NOTHING_FEASIBLE
    assert not content.good
    assert content.headline == "no legal file system delivers what the job asks for"
    assert "error NOTHING_FEASIBLE" in plain_text(content)


def test_a_kind_that_does_not_grow_is_replaced_in_the_first_line() -> None:
    from epochwise.catalog.fsx_lustre import DeploymentType

    truth = Truth(document(), **on(DeploymentType.SCRATCH_1, 3600), epochs=6)
    assert headline(tune(truth.document, measured(simulate(truth)), START)).startswith(
        "replace SCRATCH_1 3600 GiB, which does not grow so far, by PERSISTENT_2 4800 GiB"
    )


def test_a_terminal_shows_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Screen()
    found = tuned("many small files")
    print_report(tuning_content(found, TODAY), screen)
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert "storage-capacity" not in drawn
    for word in ("TUNE_FULL_USE_ASSUMED", "1632.00", "dataset.files"):
        assert word in drawn
