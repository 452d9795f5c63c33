"""A plan as files: a picture, and a page that holds everything."""

from datetime import date
from pathlib import Path

from epochwise.catalog.prices import PriceTable
from epochwise.report.atomic_file import write_whole
from epochwise.report.cost_figure import cost_picture
from epochwise.report.figures import suffix_of
from epochwise.report.html_page import html_page
from epochwise.sizing.cost import prices_of
from epochwise.sizing.plan import Plan
from epochwise.sizing.scaling import scaling
from epochwise.sizing.search import candidates

NODES = (1, 2, 4, 8, 16, 32)
"""Numbers of nodes that the page shows beside the declared one."""


def write_plan_files(
    plan: Plan, prices: PriceTable | None, today: date, *, plot: str | None = None, html: str | None = None
) -> None:
    """Draw a plan into files, each whole or not at all; nothing is written before everything is drawn.

    Args:
        plan: what to draw.
        prices: those that it was made with, None for the catalog's.
        today: decides how old prices are.
        plot: path of a picture, .svg or .png.
        html: path of a page.

    Raises:
        ValueError: a picture of that name cannot be drawn, a file cannot be written, or matplotlib is not installed.
    """
    workload = plan.workload
    everything = list(candidates(workload, prices_of(workload, prices)))
    files: list[tuple[str, bytes]] = []
    if plot is not None:
        files.append((plot, cost_picture(plan, everything, suffix_of(plot))))
    if html is not None:
        scaled = scaling(workload, sorted({*NODES, workload.cluster.nodes}), prices=prices)
        files.append((html, html_page(plan, everything, scaled, today).encode("utf-8")))
    for path, content in files:
        write_whole(Path(path), content)
