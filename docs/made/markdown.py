"""Pieces of Markdown: tables, code and what must be escaped in them."""

import re
from collections.abc import Iterable, Sequence

_FENCE = "```"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it is, on one line.

    >>> escaped("<name> of a|b")
    '\\<name\\> of a\\|b'
    """
    return _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", text))


def code(text: str) -> str:
    r"""Return text as a span of code that may stand in a table.

    >>> print(code("a|b"), code("use `x`"))
    `a|b` `` use `x` ``
    """
    shown = " ".join(text.split())
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def prose(text: str) -> str:
    r"""Return a sentence in which only spans of code are markup.

    >>> print(prose("call `f(*a)` for *<b>*"))
    call `f(*a)` for \*\<b\>\*
    """
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(code(part[1:-1]) if place % 2 else escaped(part) for place, part in enumerate(parts))


def block(text: str, language: str) -> str:
    """Return lines as a block of code."""
    return f"{_FENCE}{language}\n{text.rstrip()}\n{_FENCE}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> str:
    """Return a table; cells are Markdown already, and columns `right` are aligned right."""
    numbers = set(right)
    rule = ["--:" if column in numbers else "---" for column in range(len(heads))]
    lines = [heads, rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
