"""A remark about a declaration."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """What is declared cannot work; constructs refuse it."""
    WARNING = "warning"
    """It works, and something about it will surprise; constructs annotate it."""
    INFO = "info"
    """What an estimate rests on."""


@dataclass(frozen=True)
class Finding:
    """One remark: stable id, level, what is so with its value, and what to do about it."""

    id: str
    level: Level
    message: str
    fix: str

    def as_dict(self) -> dict[str, str]:
        """Return the finding as plain strings, in the order id, level, message, fix."""
        return {key: str(value) for key, value in asdict(self).items()}

    def __str__(self) -> str:
        """Render as one line."""
        return f"{self.level}: {self.message}; {self.fix} [{self.id}]"
