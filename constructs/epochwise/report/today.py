"""Which day it is, for the age of prices."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

VARIABLE = "SOURCE_DATE_EPOCH"
"""Stands for the clock where output must be the same every day; see reproducible-builds.org."""


def today(environment: Mapping[str, str]) -> date:
    """Return the day that the environment sets in seconds since 1970, else the system's, in UTC.

    Raises:
        ValueError: the variable holds something else.

    >>> today({"SOURCE_DATE_EPOCH": "1782000000"})
    datetime.date(2026, 6, 21)
    """
    given = environment.get(VARIABLE)
    if not given:
        return datetime.now(tz=UTC).date()
    try:
        return datetime.fromtimestamp(int(given), tz=UTC).date()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{VARIABLE} must be a whole number of seconds since 1970, got {given[:40]!r}") from None
