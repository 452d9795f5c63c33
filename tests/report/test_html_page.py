"""The page: everything in one file, nothing fetched, every word escaped, and a browser reads it."""

import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from epochwise.report.content import Remark, Remarks, Row, Table, Tone
from epochwise.report.html_blocks import block_html
from epochwise.report.html_page import html_page
from epochwise.sizing.cost import prices_of
from epochwise.sizing.scaling import scaling
from epochwise.sizing.search import candidates
from tests.report.plans import TODAY, cases

CASES = cases()
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@cache
def page_of(case: str) -> str:
    """Draw the page of a plan."""
    plan = CASES[case]
    everything = candidates(plan.workload, prices_of(plan.workload))
    return html_page(plan, everything, scaling(plan.workload, (1, 2, 4, 8)), TODAY)


class Reader(HTMLParser):
    """Keeps ids and their text, and whatever a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.current = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"src", "href", "xlink:href", "srcset", "action"} and not str(value).startswith("#"):
                self.fetched.append(f"{tag} {value}")
            if name == "id":
                self.ids.append(str(value))
        if tag in {"link", "script", "iframe", "img", "object"}:
            self.fetched.append(tag)
        self.current = dict(attrs).get("id") or ""

    def handle_data(self, data: str) -> None:
        if self.current:
            self.texts[self.current] = self.texts.get(self.current, "") + data
            self.current = ""


def read(page: str) -> Reader:
    """Read a page."""
    reader = Reader()
    reader.feed(page)
    return reader


def test_a_page_names_choice_price_and_what_binds() -> None:
    reader = read(page_of("guide"))
    assert reader.texts["choice"] == "PERSISTENT_2 4800 GiB at 500 MB/s/TiB"
    assert reader.texts["monthly-usd"] == "1632.00"
    assert reader.texts["binding"] == "disk"
    assert reader.texts["epoch"] == "27.2 s"


@pytest.mark.parametrize("case", ["guide", "infeasible", "cheapest campaign"])
def test_a_page_fetches_nothing_and_has_each_id_once(case: str) -> None:
    page = page_of(case)
    reader = read(page)
    assert reader.fetched == []
    assert "url(h" not in page
    assert "@import" not in page
    named = [name for name in reader.ids if not re.fullmatch(r"[a-z][0-9a-f]{10}", name)]
    assert len(named) == len(set(named))
    assert page.count("<svg") == 2


def test_a_page_of_an_infeasible_workload_says_so() -> None:
    page = page_of("infeasible")
    assert read(page).texts["choice"] == "no legal file system is feasible"
    assert 'class="bad"' in page
    assert "NOTHING_FEASIBLE" in page


def test_every_word_of_a_block_is_escaped() -> None:
    evil = "<script>&\"'"
    blocks = (
        Table(evil, (evil, evil), (Row((evil, evil), note=evil, marked=True),)),
        Remarks(evil, (Remark(evil, evil, Tone.ERROR), Remark("", evil))),
    )
    for block in blocks:
        drawn = block_html(block)
        assert "<script>" not in drawn
        assert "&lt;script&gt;&amp;" in drawn


def test_a_browser_reads_the_choice_off_the_page(tmp_path: Path) -> None:
    if BROWSER is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    (tmp_path / "profile").mkdir()
    page = tmp_path / "plan.html"
    page.write_text(page_of("guide"), encoding="utf-8")
    done = subprocess.run(
        [BROWSER, *QUIET, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    reader = read(done.stdout)
    assert reader.texts.get("choice") == "PERSISTENT_2 4800 GiB at 500 MB/s/TiB", done.stderr[-2000:]
    assert reader.texts["monthly-usd"] == "1632.00"
