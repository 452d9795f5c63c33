"""The boundary of every check: rows of `boundaries_*.py` beside this file, at least one on each side per id.

A new check needs rows: add them to the file named after its module, or start one with a tuple `ROWS`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from epochwise.checks.finding import Finding

Made = Finding | None | Iterable[Finding]
NO_TEXT = "no text is given for this case"


class Row(NamedTuple):
    """A case on one side of a check's boundary."""

    id: str
    make: Callable[[], Made]
    """Call the rule, or what calls it."""
    says: str | None
    """Text that its message holds: the offending value, or the name of what is absent; None where it is silent."""

    def findings(self) -> list[Finding]:
        """Return the findings of the row's id."""
        made = self.make()
        found = [] if made is None else [made] if isinstance(made, Finding) else list(made)
        return [finding for finding in found if finding.id == self.id]


def rows_of_table(
    table: Iterable[tuple[str, dict[str, Any], bool]],
    make: Callable[[dict[str, Any]], Made],
    says: Mapping[str, str | tuple[str, ...]],
) -> tuple[Row, ...]:
    """Return the rows of a test's table of ids, changes and whether the rule speaks.

    `says` has the text of an id's messages: one for all its cases that fire, or one for each in their order.
    """
    texts = {key: repeat(text) if isinstance(text, str) else iter(text) for key, text in says.items()}
    return tuple(
        Row(finding_id, partial(make, changes), next(texts.get(finding_id, iter(())), NO_TEXT) if expected else None)
        for finding_id, changes, expected in table
    )


def every_row() -> list[Row]:
    """Return the rows of every file of boundaries."""
    return [
        row
        for file in sorted(Path(__file__).parent.glob("boundaries_*.py"))
        for row in import_module(f"tests.checks.{file.stem}").ROWS
    ]
