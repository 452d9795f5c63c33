"""Fill the gaps of a series, so that what is summed over a job is of the whole job."""

from collections.abc import Iterator

from epochwise.watching.metrics import Series


def whole(series: Series) -> list[float]:
    """Fill the gaps of a series, each on the line between its neighbours, those at an end with the nearest value.

    Returns nothing for a series without any value.

    >>> whole((None, 2.0, None, None, 5.0, None))
    [2.0, 2.0, 3.0, 4.0, 5.0, 5.0]
    """
    return [
        low if low_place == high_place else low + (high - low) * (place - low_place) / (high_place - low_place)
        for place, ((low_place, low), (high_place, high)) in enumerate(_neighbours(series))
    ]


def lower(series: Series) -> list[float]:
    """Fill the gaps of a series of bursts, each with the lower of its neighbours: no gap makes a burst of its own.

    >>> lower((9.0, None, None, 0.0, 9.0, None, 9.0, None))
    [9.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0]
    """
    return [min(low, high) for (_, low), (_, high) in _neighbours(series)]


_Known = tuple[int, float]
"""A value with its place."""


def _neighbours(series: Series) -> Iterator[tuple[_Known, _Known]]:
    """Yield, for each place, the values before and after it, both its own where it has one; nothing without values."""
    known = [(place, value) for place, value in enumerate(series) if value is not None]
    after = 0
    for place in range(len(series)) if known else ():
        while known[after][0] < place and after < len(known) - 1:
            after += 1
        outside = known[after][0] == place or place < known[0][0] or place > known[-1][0]
        yield known[after] if outside else known[after - 1], known[after]
