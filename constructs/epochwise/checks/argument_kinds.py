"""Whether an argument of a construct is a list, or one of a few choices."""

from collections.abc import Iterator
from enum import Enum

from epochwise.checks.finding import Finding, Level


def list_of_wrong_kind(name: str, value: object, kind: str) -> Iterator[Finding]:
    """Several things are given as a list, even where there is one; None leaves them out."""
    if value is not None and not isinstance(value, list | tuple):
        yield Finding(
            "LIST_OF_WRONG_KIND",
            Level.ERROR,
            f"{name} must be {kind}, got {type(value).__name__}",
            f"put it into a list: {name}=[...]",
        )


def choice_of_wrong_kind(name: str, value: object, choices: type[Enum]) -> Iterator[Finding]:
    """A choice is one of an enumeration's members, not what stands behind it."""
    if not isinstance(value, choices):
        yield Finding(
            "CHOICE_OF_WRONG_KIND",
            Level.ERROR,
            f"{name} must be one of {choices.__name__}, got {value!r:.60}",
            f"nearest legal: {choices.__name__}.{next(iter(choices)).name}",
        )
