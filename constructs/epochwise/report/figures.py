"""Draw figures with matplotlib, which only the extra `plot` installs; the same figure is the same bytes."""

import re
from collections.abc import Callable
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
INK, FAINT, GOOD, BAD = "#1d2433", "#8a93a6", "#0b7a4b", "#c2410c"
"""Text, lines in the background, what is chosen, what is too small."""
MANY = 3000
"""From this ratio of the ends of a logarithmic axis on, only powers of ten are written."""
_STYLE = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "grid.color": "#e6e9f0",
    "legend.frameon": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "none",
}


class PlotExtraMissingError(ValueError):
    """Matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__("plots need matplotlib, which is not installed: pip install 'epochwise[plot]'")


def need_matplotlib() -> None:
    """Make sure that figures can be drawn.

    Raises:
        PlotExtraMissingError: they cannot.
    """
    if find_spec("matplotlib") is None:
        raise PlotExtraMissingError


def suffix_of(path: str) -> str:
    """Return the suffix that decides a picture's format.

    Raises:
        ValueError: it is neither of those that can be drawn.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture's name must end in {' or '.join(SUFFIXES)}, got {path!r}")
    return suffix


def drawn(draw: Callable[["Figure"], None], *, width: float, height: float, suffix: str = ".svg") -> bytes:
    """Return a figure of so many inches as a picture.

    Raises:
        PlotExtraMissingError: matplotlib is not installed.
    """
    need_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    picture = BytesIO()
    style: Any = _STYLE | {"svg.hashsalt": draw.__qualname__}
    # what a picture says of itself: nothing that changes from day to day or with matplotlib's version
    silent = dict.fromkeys(("Date", "Creator", "Format", "Type") if suffix == ".svg" else ("Software",))
    with rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=silent)
    return picture.getvalue()


def inline_svg(picture: bytes, title: str) -> str:
    """Return an SVG picture as an element of a page: no prolog, no group names that two pictures would share."""
    svg = picture.decode("utf-8")
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg[svg.index("<svg") :])
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)


def plain_numbers(axes: "Axes", which: str) -> None:
    """Write the numbers of a logarithmic axis in full instead of as powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis, (low, high) = (axes.xaxis, axes.get_xlim()) if which == "x" else (axes.yaxis, axes.get_ylim())
    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if high / low < MANY else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}".replace(",", " ")))
    axis.set_minor_formatter(NullFormatter())
