"""Pictures: the same plan is the same bytes, and shows choice, target and frontier."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from epochwise.report import figures
from epochwise.report.cost_figure import cost_picture, frontier
from epochwise.report.figures import PlotExtraMissingError, drawn, suffix_of
from epochwise.report.scaling_figure import scaling_picture
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.cost import prices_of
from epochwise.sizing.plan import Plan
from epochwise.sizing.scaling import scaling
from epochwise.sizing.search import candidates
from tests.report.plans import cases

CASES = cases()


def everything(plan: Plan) -> list[Candidate]:
    """Return all candidates of a plan."""
    return list(candidates(plan.workload, prices_of(plan.workload)))


def test_a_picture_shows_families_frontier_target_and_choice_and_never_changes() -> None:
    plan = CASES["guide"]
    picture = cost_picture(plan, everything(plan))
    text = "".join(ET.fromstring(picture).itertext())  # noqa: S314 - our own picture
    for words in (
        "SCRATCH_2",
        "PERSISTENT_2 at 1000 MB/s/TiB with EFA",
        "Pareto frontier",
        "target 30 s",
        "choice: PERSISTENT_2 4800 GiB at 500 MB/s/TiB",
        "USD a month",
        "steady epoch, seconds",
    ):
        assert words in text
    assert picture == cost_picture(plan, everything(plan))
    assert b"<dc:date>" not in picture


@pytest.mark.parametrize(
    ("case", "shown", "absent"),
    [
        ("infeasible", "hollow: too small whatever the epoch", "choice:"),
        ("cheapest campaign", "target 200 s (ignored)", "nothing"),
        ("Intelligent-Tiering", "PERSISTENT_2 Intelligent-Tiering with EFA", "SCRATCH_2"),
    ],
)
def test_a_picture_shows_what_is_particular(case: str, shown: str, absent: str) -> None:
    plan = CASES[case]
    text = cost_picture(plan, everything(plan)).decode()
    assert shown in text
    assert absent not in text


def test_a_png_is_a_png() -> None:
    plan = CASES["Intelligent-Tiering"]
    picture = cost_picture(plan, everything(plan), ".png")
    assert picture.startswith(b"\x89PNG")
    assert b"Software" not in picture


def test_nothing_beats_the_frontier_and_the_choice_lies_on_it() -> None:
    plan = CASES["guide"]
    every = everything(plan)
    best = frontier(every)
    assert plan.choice in best
    for candidate in every:
        assert any(
            point.monthly_usd <= candidate.monthly_usd and point.epoch_s.steady <= candidate.epoch_s.steady
            for point in best
        )
    for cheaper, dearer in pairwise(best):
        assert cheaper.monthly_usd < dearer.monthly_usd
        assert cheaper.epoch_s.steady > dearer.epoch_s.steady


@pytest.mark.parametrize("case", ["guide", "infeasible"])
def test_scaling_is_drawn_for_what_is_planned_and_what_is_too_small(case: str) -> None:
    scaled = scaling(CASES[case].workload, (1, 4, 32))
    text = scaling_picture(scaled).decode()
    assert "compared: SCRATCH_2 1200 GiB" in text
    assert ("planned: " in text) is (case == "guide")


@pytest.mark.parametrize(("name", "suffix"), [("a.svg", ".svg"), ("b/a.PNG", ".png")])
def test_a_name_decides_the_format(name: str, suffix: str) -> None:
    assert suffix_of(name) == suffix


@pytest.mark.parametrize("name", ["a.pdf", "a", "", "svg"])
def test_another_format_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"must end in \.svg or \.png, got"):
        suffix_of(name)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda _: None)
    with pytest.raises(PlotExtraMissingError, match=r"pip install 'epochwise\[plot\]'"):
        drawn(lambda _: None, width=1, height=1)
