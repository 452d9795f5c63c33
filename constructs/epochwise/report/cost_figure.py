"""What speed costs: every legal file system by its steady epoch and its price, the frontier, the target, the choice."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from epochwise.declaration.quantity_text import seconds_text
from epochwise.report.figures import BAD, FAINT, GOOD, INK, drawn, plain_numbers
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Plan
from epochwise.workload import Objective

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = (
    "#2563eb",
    "#d97706",
    "#7c3aed",
    "#0891b2",
    "#db2777",
    "#475569",
    "#65a30d",
    "#b45309",
    "#0d9488",
    "#9333ea",
)
_MARKS = ("o", "s", "D")
_EFA_MARKS = ("^", ">", "v")
_HOLDS_UP = {"capacity", "addresses", "write"}
"""Ceilings that no longer epoch makes up for."""


def cost_picture(plan: Plan, everything: Iterable[Candidate], suffix: str = ".svg") -> bytes:
    """Draw price against steady epoch of all candidates that were looked at."""
    candidates = list(everything)

    def cost_figure(figure: "Figure") -> None:
        axes = figure.add_subplot()
        _points(axes, plan, candidates)
        _frontier(axes, plan, candidates)
        _target(axes, plan)
        _choice(axes, plan)
        axes.set(xscale="log", yscale="log", xlabel="steady epoch, seconds", ylabel="USD a month")
        axes.grid(visible=True)
        axes.set_axisbelow(True)
        plain_numbers(axes, "x")
        plain_numbers(axes, "y")
        axes.set_title(f"{plan.workload.name}: what a shorter epoch costs")
        figure.legend(loc="outside right upper", fontsize=8, labelspacing=0.7)

    return drawn(cost_figure, width=9.5, height=5.2, suffix=suffix)


def _points(axes: "Axes", plan: Plan, candidates: Iterable[Candidate]) -> None:
    """Draw each family, with EFA as a triangle of the same colour; hollow is what no longer epoch helps."""
    hollow = _unfit(plan)
    families: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        families.setdefault(candidate.family_label, []).append(candidate)
    kinds = list(dict.fromkeys(label.removesuffix(" with EFA") for label in families))
    for label, members in families.items():
        turn, place = divmod(kinds.index(label.removesuffix(" with EFA")), len(_COLOURS))
        mark = (_EFA_MARKS if label.endswith(" with EFA") else _MARKS)[turn % len(_MARKS)]
        colour = _COLOURS[place]
        fit = [member for member in members if (member.family, member.size) not in hollow]
        unfit = [member for member in members if (member.family, member.size) in hollow]
        axes.scatter(*_places(fit), s=16, color=colour, marker=mark, linewidths=0.8, label=label, alpha=0.85)
        axes.scatter(*_places(unfit), s=16, facecolors="none", edgecolors=colour, marker=mark, linewidths=0.8)
    if hollow:
        axes.scatter([], [], s=16, facecolors="none", edgecolors=FAINT, label="hollow: too small whatever the epoch")


def _unfit(plan: Plan) -> set[tuple[object, object]]:
    """Return what was rejected for something else than the epoch."""
    return {
        (refusal.candidate.family, refusal.candidate.size) for refusal in plan.rejected if refusal.ceiling in _HOLDS_UP
    }


def _places(candidates: Iterable[Candidate]) -> tuple[list[float], list[float]]:
    """Return where candidates lie."""
    shown = list(candidates)
    return [candidate.epoch_s.steady for candidate in shown], [candidate.monthly_usd for candidate in shown]


def frontier(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates that nothing beats in both price and epoch, cheapest first."""
    best: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: (candidate.monthly_usd, candidate.epoch_s.steady)):
        if not best or candidate.epoch_s.steady < best[-1].epoch_s.steady:
            best.append(candidate)
    return best


def _frontier(axes: "Axes", plan: Plan, candidates: Iterable[Candidate]) -> None:
    """Draw what is not beaten in both."""
    hollow = _unfit(plan)
    best = frontier(candidate for candidate in candidates if (candidate.family, candidate.size) not in hollow)
    axes.plot(*_places(best), color=INK, linewidth=1.1, drawstyle="steps-pre", label="Pareto frontier", zorder=1)


def _target(axes: "Axes", plan: Plan) -> None:
    """Draw the epoch that is allowed, where it decides."""
    limit_s = plan.workload.epoch.limit_s
    ignored = plan.workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN
    axes.axvline(
        limit_s,
        color=FAINT if ignored else BAD,
        linestyle="--",
        linewidth=1.2,
        label=f"target {seconds_text(limit_s)}" + (" (ignored)" if ignored else ""),
    )


def _choice(axes: "Axes", plan: Plan) -> None:
    """Mark the choice."""
    choice = plan.choice
    if choice is None:
        return
    axes.scatter(
        [choice.epoch_s.steady],
        [choice.monthly_usd],
        s=190,
        color=GOOD,
        marker="*",
        edgecolors="white",
        linewidths=0.8,
        zorder=5,
        label=f"choice: {choice.label}",
    )
