"""Days as people write them."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema


def day_of(value: Any) -> date:
    """Read a day.

    Raises:
        ValueError: it is neither a day nor one written YYYY-MM-DD.

    >>> day_of("2026-11-30")
    datetime.date(2026, 11, 30)
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError("must be a day of the calendar, written YYYY-MM-DD") from None


Day = Annotated[date, BeforeValidator(day_of), WithJsonSchema({"type": "string", "format": "date"})]
"""YYYY-MM-DD."""
