"""One change that an update makes, and what it comes to."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from epochwise.checks.finding import Finding, Level

EXIT_STOP = 1
"""Data would be lost, or the update can only fail."""


class Verdict(StrEnum):
    """What a change comes to."""

    LOSES_DATA = "loses_data"
    FAILS = "fails"
    REPLACES = "replaces"
    """Something without data of its own is replaced."""
    IN_PLACE = "in_place"
    LEAVES = "leaves"
    """The file system stays, outside the stack."""
    UNKNOWN = "unknown"


_VERDICTS = {
    "UPDATE_LOSES_DATA": Verdict.LOSES_DATA,
    "UPDATE_CAN_ONLY_FAIL": Verdict.FAILS,
    "UPDATE_SHRINKS": Verdict.FAILS,
    "UPDATE_GROWTH_STEP_ILLEGAL": Verdict.FAILS,
    "UPDATE_REPLACES": Verdict.REPLACES,
    "UPDATE_IN_PLACE": Verdict.IN_PLACE,
    "UPDATE_UNPROTECTS": Verdict.IN_PLACE,
    "UPDATE_LEAVES_FILE_SYSTEM": Verdict.LEAVES,
    "UPDATE_UNKNOWN": Verdict.UNKNOWN,
}


@dataclass(frozen=True)
class Change:
    """One change of one property of one resource; its name is empty for a resource that comes or goes."""

    logical_id: str
    resource_type: str
    property_name: str
    old: Any
    new: Any
    finding: Finding
    source: str
    """Who says so, and how much it is worth; empty where no source is about the property."""

    @property
    def verdict(self) -> Verdict:
        """What it comes to."""
        return _VERDICTS[self.finding.id]

    @property
    def message(self) -> str:
        """Say it in one line."""
        return self.finding.message

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "logical_id": self.logical_id,
            "resource_type": self.resource_type,
            "property": self.property_name,
            "old": self.old,
            "new": self.new,
            "verdict": str(self.verdict),
            "source": self.source,
        } | {"finding": self.finding.as_dict()}


def exit_status(changes: Iterable[Change]) -> int:
    """Return 1 when data would or may be lost or the update can only fail, else 0."""
    return EXIT_STOP if any(change.finding.level is Level.ERROR for change in changes) else 0
