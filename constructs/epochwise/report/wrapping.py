"""Fit sentences and tables into the columns of a screen."""

import re
from textwrap import wrap

from epochwise.declaration.one_line import without_controls
from epochwise.report.content import WIDTH, Table

INDENT = 2
GAP = 2
"""Spaces between columns."""
NARROWEST = 12
"""Columns that a table's wide one keeps where the others fill the screen: the table is wider than the screen then."""

_TIED = "\N{NO-BREAK SPACE}"
_AMOUNT = re.compile(r"(?<=\d) (?=(s|h|MB/s|GiB|GB|TB|USD|nodes|days)\b)")
"""The space between a number and its unit, where no line may end."""


def tied(text: str) -> str:
    """Return a sentence whose numbers keep their units."""
    return _AMOUNT.sub(_TIED, text)


def wrapped(text: str, width: int = WIDTH, *, first: str = "", then: str = "") -> list[str]:
    """Break a sentence into lines, never inside an amount or at a hyphen; `first` and `then` open the lines.

    >>> wrapped("disk gives 1292 MB/s", 16)
    ['disk gives', '1292 MB/s']
    """
    words = tied(without_controls(text))
    lines = wrap(words, width, initial_indent=first, subsequent_indent=then, break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in lines]


def column_widths(table: Table, width: int = WIDTH) -> list[int]:
    """Return the width of each column without gaps: what is in it, less for the wide one where the screen ends."""
    columns = list(zip(table.heads, *(row.cells for row in table.rows), strict=True))
    widths = [max(map(len, column)) for column in columns]
    others = sum(widths) - widths[table.wide] + GAP * (len(widths) - 1)
    # without a head of its own the wide column is headed by the title
    title = 0 if table.heads[table.wide] else len(table.title)
    room = max(width - INDENT - others, NARROWEST)
    widths[table.wide] = max(min(widths[table.wide], room), title)
    return widths
