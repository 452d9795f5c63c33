"""Quantities as a person reads them."""

from datetime import UTC, datetime
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

_DECIMAL = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]


def size_text(size_bytes: float) -> str:
    """Render bytes in the largest SI unit that leaves a whole part.

    >>> size_text(100_000_000_000), size_text(1_649_267_441_664)
    ('100 GB', '1.65 TB')
    """
    unit = 0
    while size_bytes >= 999.5 and unit < len(_DECIMAL) - 1:
        size_bytes /= 1000
        unit += 1
    return f"{size_bytes:.3g} {_DECIMAL[unit]}"


def seconds_text(seconds: float) -> str:
    """Render seconds with three digits, whole from a hundred up.

    >>> seconds_text(27.2414), seconds_text(41666.6)
    ('27.2 s', '41667 s')
    """
    return f"{seconds:.0f} s" if seconds >= 99.95 else f"{seconds:.3g} s"


def rate_text(rate: float) -> str:
    """Render a rate without decimals from a hundred up; infinite is a word.

    >>> rate_text(3670.88), rate_text(float("inf")), rate_text(2.5)
    ('3671', 'no limit', '2.5')
    """
    if rate == float("inf"):
        return "no limit"
    return f"{rate:.0f}" if rate >= 99.95 else f"{rate:.3g}"


def spent_text(seconds: float) -> str:
    """Render how long something has taken.

    >>> spent_text(90), spent_text(1500), spent_text(9000)
    ('90 s', '25 min', '2.5 h')
    """
    if seconds < 2 * 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.1f} h"


def time_text(time: datetime) -> str:
    """Render a time, in UTC.

    >>> time_text(datetime.fromisoformat("2026-10-09T14:00:00+02:00"))
    '2026-10-09 12:00:00 UTC'
    """
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def counted_text(number: int, noun: str) -> str:
    """Say how many of something there are.

    >>> counted_text(1, "file"), counted_text(2, "file")
    ('1 file', '2 files')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def declared_size(size_bytes: float) -> str:
    """Write bytes as a workload file holds them, with four digits.

    >>> declared_size(151_260_000_000), declared_size(999_999), declared_size(12)
    ('151.3 GB', '1000 kB', '12 B')
    """
    unit = 0
    while size_bytes >= 1000 and unit < len(_DECIMAL) - 1:
        size_bytes /= 1000
        unit += 1
    return f"{_four_digits(size_bytes):f} {_DECIMAL[unit]}"


def declared_seconds(seconds: float, *, at_most: bool = False) -> str:
    """Write seconds as a workload file holds them, with four digits; `at_most` rounds them down.

    >>> declared_seconds(41.2378), declared_seconds(123456.7), declared_seconds(0.00001234567)
    ('41.24 s', '123500 s', '0.00001235 s')
    >>> declared_seconds(41.2378, at_most=True)
    '41.23 s'
    """
    return f"{_four_digits(seconds, at_most=at_most):f} s"


def _four_digits(number: float, *, at_most: bool = False) -> Decimal:
    """Round to four significant digits."""
    rounded = Context(prec=4, rounding=ROUND_FLOOR if at_most else ROUND_HALF_EVEN).create_decimal(repr(number))
    return rounded.normalize()
