"""Quantities as a person reads them."""

from datetime import UTC, datetime

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
