"""Ranges of keys, each listed on its own, and where to split one of which only the beginning is known.

Keys are ordered by their bytes in UTF-8, which is the order of Python's strings.
"""

from collections.abc import Iterable
from dataclasses import dataclass

MAX_KEY_BYTES = 1024
"""Of a key in S3, and so of what a listing can start after."""
_DEPTHS = (8, 16, 32, 64)
"""Characters behind the common beginning that are looked at, until they tell two keys apart."""


@dataclass(slots=True, eq=False)
class KeyRange:
    """Keys after one key, up to and including another."""

    after: str
    """The last key that is counted already, or that belongs to another range."""
    upto: str | None
    """None for the end of what is listed."""
    weight: float
    """The share of all keys that it is taken to hold."""
    parent: "KeyRange | None" = None
    """The range that it was split from."""
    pages: int = 0
    """Pages that were listed of it."""
    start: str = ""
    """Where its first page began."""
    barren: bool = False
    """Whether there was no use in splitting it since it last advanced."""

    @property
    def unseen(self) -> bool:
        """Whether it was split off and nothing of it is known: the first key tells whether there is any."""
        return self.parent is not None and self.pages == 0


def key_between(low: str, high: str | None, alphabet: Iterable[str], *, prefix: str) -> str | None:
    """Return a key about half way between two, or None where none can be made up.

    Args:
        low: the lower one, excluded.
        high: the upper one, excluded; None for the end of all keys with the prefix.
        alphabet: characters that keys are made of, as far as they are known.
        prefix: what all keys start with.

    >>> key_between("data/10", "data/90", "0123456789", prefix="data/")
    'data/50'
    """
    common = len(prefix) if high is None else _common_length(low, high)
    for depth in _DEPTHS:
        below, above = low[common : common + depth], None if high is None else high[common : common + depth]
        digits = sorted({*alphabet, *below, *(above or "")})
        key = low[:common] + _half_way(below, above, digits, depth)
        if low < key and (high is None or key < high) and len(key.encode()) <= MAX_KEY_BYTES:
            return key
    return None


def share_listed(piece: KeyRange, alphabet: Iterable[str], *, prefix: str) -> float:
    """Return which share of a range lies behind whoever lists it, if keys are spread evenly over it.

    >>> share_listed(KeyRange("data/3", "data/5", 1.0, start="data/1"), "0123456789", prefix="data/")
    0.5
    """
    low, high = piece.start, piece.upto
    common = len(prefix) if high is None else _common_length(low, high)
    depth = _DEPTHS[1]
    texts = [text[common : common + depth] for text in (low, piece.after, high or "")]
    digits = sorted({*alphabet, *"".join(texts)})
    first, now, last = (_number(text, digits, depth) for text in texts)
    if high is None:
        last = (len(digits) + 1) ** depth
    return (now - first) / (last - first) if last > first else 1.0


def _number(text: str, digits: list[str], depth: int) -> int:
    """Read a text as a number of so many digits; 0 is the end of a text."""
    total = 0
    for place in range(depth):
        total = total * (len(digits) + 1) + (digits.index(text[place]) + 1 if place < len(text) else 0)
    return total


def _half_way(below: str, above: str | None, digits: list[str], depth: int) -> str:
    """Return the text half way between two, read as numbers."""
    base = len(digits) + 1
    top = base**depth if above is None else _number(above, digits, depth)
    middle = (_number(below, digits, depth) + top) // 2
    characters: list[str] = []
    for _ in range(depth):
        middle, digit = divmod(middle, base)
        characters.append(digits[digit - 1] if digit else "")
    characters.reverse()
    first_end = next((place for place, character in enumerate(characters) if not character), depth)
    return "".join(characters[:first_end])


def _common_length(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    differing = (place for place, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    return next(differing, min(len(one), len(other)))
