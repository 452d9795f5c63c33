"""What a report says, before anything draws it: facts, tables and remarks.

A terminal, a pipe and a page show the same content; each drawing knows only these blocks.
"""

from enum import StrEnum
from typing import NamedTuple

WIDTH = 80
"""Columns that every drawing in text keeps to."""


class Tone(StrEnum):
    """How much a remark weighs, which a drawing may turn into colour."""

    QUIET = "quiet"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    SKIP = "SKIP"
    FAIL = "FAIL"
    """How a check ends."""


class Fact(NamedTuple):
    """One labelled sentence."""

    label: str
    text: str


class Facts(NamedTuple):
    """Labelled sentences, one below the other."""

    rows: tuple[Fact, ...]


class Row(NamedTuple):
    """One line of a table."""

    cells: tuple[str, ...]
    note: str = ""
    """What stands below the line, across all columns."""
    marked: bool = False
    """Whether it is the line that decides."""


class Table(NamedTuple):
    """Rows in columns; all but the wide column are aligned right."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    wide: int = 0
    """The column that is aligned left and takes the width that the others leave."""


class Remark(NamedTuple):
    """A sentence that stands alone, with a head that tells it from others."""

    head: str
    text: str
    tone: Tone = Tone.QUIET
    script: tuple[str, ...] = ()
    """Lines for a shell below it, which no drawing breaks."""

    @property
    def opening(self) -> str:
        """What stands before the text: level and head where there are any."""
        level = "" if self.tone is Tone.QUIET else f"{self.tone} "
        return f"{level}{self.head}: " if self.head else ""

    @property
    def sentence(self) -> str:
        """Everything in one line."""
        return self.opening + self.text


class Remarks(NamedTuple):
    """Remarks under a title."""

    title: str
    items: tuple[Remark, ...]


Block = Facts | Table | Remarks


class Content(NamedTuple):
    """A whole report."""

    name: str
    """Of the workload."""
    headline: str
    """The answer in one line."""
    blocks: tuple[Block, ...]
    """Those without rows are left out."""
    good: bool = True
    """Whether the answer is what was asked for."""


def content(name: str, headline: str, *blocks: Block, good: bool = True) -> Content:
    """Put blocks together, less those that are empty."""
    return Content(name, headline, tuple(block for block in blocks if not _is_empty(block)), good)


def _is_empty(block: Block) -> bool:
    """Tell whether a block has nothing to show."""
    match block:
        case Facts(rows=rows) | Table(rows=rows):
            return not rows
        case Remarks(items=items):
            return not items
