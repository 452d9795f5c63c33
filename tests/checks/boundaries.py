"""The boundary of every check: rows of `boundaries_*.py` beside this file, at least one on each side per id.

A new check needs rows: add them to the file named after its module, or start one with a tuple `ROWS`.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from epochwise.checks.finding import Finding

Made = Finding | None | Iterable[Finding]


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


def every_row() -> list[Row]:
    """Return the rows of every file of boundaries."""
    return [
        row
        for file in sorted(Path(__file__).parent.glob("boundaries_*.py"))
        for row in import_module(f"tests.checks.{file.stem}").ROWS
    ]
