"""The same content on a terminal: colour and rules, the same words, 80 columns."""

import io
import re

import pytest

from epochwise.report.content import Content, Facts, Remark, Remarks, Tone, content
from epochwise.report.plain_text import plain_text
from epochwise.report.plan_text import plan_content
from epochwise.report.scaling_text import scaling_content
from epochwise.report.terminal import print_report
from epochwise.sizing.scaling import scaling
from tests.report.plans import TODAY, cases

CASES = cases()


class Screen(io.StringIO):
    """A terminal that remembers."""

    def isatty(self) -> bool:
        return True


def on_terminal(report: Content, monkeypatch: pytest.MonkeyPatch, columns: int = 80) -> str:
    """Draw a report on a terminal of so many columns."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Screen()
    print_report(report, screen)
    return screen.getvalue()


def words(text: str) -> list[str]:
    """Return the words of a drawing, sorted: tables wrap in other places than sentences."""
    return sorted(re.sub(r"\x1b\[[0-9;]*m|[─━]", "", text).split())


@pytest.mark.parametrize("columns", [70, 80, 200])
@pytest.mark.parametrize("case", CASES)
def test_a_terminal_shows_the_words_of_the_text_in_its_columns(
    case: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = plan_content(CASES[case], TODAY)
    drawn = on_terminal(report, monkeypatch, columns)
    assert words(drawn) == words(plain_text(report))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", drawn).splitlines()
    assert max(map(len, lines)) <= min(columns, 80)
    assert "\x1b[" in drawn


def test_a_scaling_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    report = scaling_content(scaling(CASES["Intelligent-Tiering"].workload, (1, 8, 1024)))
    assert words(on_terminal(report, monkeypatch)) == words(plain_text(report))


def test_brackets_are_words_and_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    report = content("[bold]x", "[red]done", Facts(()), Remarks("all", (Remark("[a]", "[b] :smile:", Tone.ERROR),)))
    drawn = on_terminal(report, monkeypatch)
    for word in ("[bold]x", "[red]done", "[a]", "[b] :smile:", "error"):
        assert word in drawn
    assert len(report.blocks) == 1
