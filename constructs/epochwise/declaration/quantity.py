"""Sizes and durations as people write them."""

from math import isfinite
from typing import Annotated, Any

import bitmath
from pydantic import BeforeValidator, WithJsonSchema
from pytimeparse.timeparse import timeparse

SIZE_HELP = "a number of bytes, or a number and a unit such as 250 MB, 100 GB or 1.5 TiB"
DURATION_HELP = "a number of seconds, or a number and a unit such as 30 s, 5 min or 1 h"


def _bare_number(value: object) -> float | None:
    """Return a value that is a number already, or reads as one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(str(value))
    except ValueError:
        return None


def size_bytes(value: object) -> int:
    """Read a size.

    Raises:
        ValueError: it is neither a number nor a number with a unit of bytes, or not finite.

    >>> size_bytes("1.5 TiB"), size_bytes("100 GB"), size_bytes(13)
    (1649267441664, 100000000000, 13)
    """
    number = _bare_number(value)
    if number is None and isinstance(value, str):
        try:
            size = bitmath.parse_string(value.strip())
        except ValueError:
            raise ValueError(f"must be {SIZE_HELP}") from None
        if isinstance(size, bitmath.Bit):
            raise ValueError(f"must be {SIZE_HELP}; a lower-case b means bits")
        number = float(size.bytes)
    if number is None or not isfinite(number):
        raise ValueError(f"must be {SIZE_HELP}")
    return round(number)


def duration_s(value: object) -> float:
    """Read a duration.

    Raises:
        ValueError: it is neither a number nor a number with a unit of time, or not finite.

    >>> duration_s("5 min"), duration_s("1 h"), duration_s(0.5)
    (300.0, 3600.0, 0.5)
    """
    number = _bare_number(value)
    if number is None and isinstance(value, str):
        parsed = timeparse(value)
        number = None if parsed is None else float(parsed)
    if number is None or not isfinite(number):
        raise ValueError(f"must be {DURATION_HELP}")
    return number


def _schema(title: str, help_text: str, examples: list[Any]) -> WithJsonSchema:
    """Describe a quantity for editors: a number or a string."""
    return WithJsonSchema(
        {
            "title": title,
            "anyOf": [{"type": "number"}, {"type": "string"}],
            "description": help_text,
            "examples": examples,
        }
    )


SizeBytes = Annotated[int, BeforeValidator(size_bytes), _schema("Size", SIZE_HELP, ["250 MB", "100 GB", "1.5 TiB"])]
"""Bytes."""
DurationS = Annotated[float, BeforeValidator(duration_s), _schema("Duration", DURATION_HELP, ["30 s", "5 min", "1 h"])]
"""Seconds."""
