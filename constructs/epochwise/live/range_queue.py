"""Hand out ranges of keys to those who list side by side, and split one where somebody has nothing to do.

Each key belongs to exactly one range at any time, and is counted only by whoever lists that range: a range ends where
another begins, pages are counted under one lock, and what a page holds beyond the end of its range is left out.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from threading import Condition

from epochwise.live.failure import UnwellError
from epochwise.live.key_range import KeyRange, key_between, share_listed
from epochwise.live.listing_page import ListingPage

Count = Callable[[ListingPage, int], None]
"""Called with a page and how many of its first objects count."""
_PAGES_WORTH_A_SPLIT = 4
"""Pages that a range is taken to go on for, at least, when it is split: each split costs about one."""


class RangeQueue:
    """The ranges of one listing."""

    def __init__(self, prefix: str, count: Count) -> None:
        """Start with one range that holds every key with the prefix."""
        self.prefix = prefix
        self._count = count
        self._waiting: list[KeyRange] = [KeyRange("", None, 1.0)]
        self._listed: set[KeyRange] = set()
        self._alphabet: set[str] = set()
        self._changed = Condition()
        self._stopped = False
        self.share = 0.0
        """Of all keys, that is taken to be counted."""

    def take(self) -> KeyRange | None:
        """Return a range to list, once there is one; None when all is listed, or was stopped."""
        with self._changed:
            while not self._stopped:
                piece = self._waiting.pop() if self._waiting else self._split()
                if piece is not None:
                    self._listed.add(piece)
                    return piece
                if not self._listed:
                    return None
                self._changed.wait()
        return None

    def advance(self, piece: KeyRange, page: ListingPage) -> bool:
        """Count the page that follows in a range, and tell whether the range goes on behind it."""
        with self._changed:
            number, more = len(page.sizes), page.truncated
            if number:
                first, last = page.key(0), page.key(number - 1)
                if not piece.after < first <= last:
                    raise UnwellError(
                        f"the bucket lists its keys in no order: {first[:60]!r} after {piece.after[:60]!r}"
                    )
                if piece.upto is not None and last >= piece.upto:
                    more = False
                    number = bisect_right([page.key(place) for place in range(number)], piece.upto)
                self._alphabet.update(first[len(self.prefix) :], last[len(self.prefix) :])
                if not piece.pages:
                    piece.start = first
                piece.after = last
            self._count(page, number)
            self._settle(piece, empty=not number, more=more)
            self._changed.notify_all()
        return more

    def divide(self, piece: KeyRange, at: Iterable[str]) -> None:
        """Split a range at keys that are known, such as sub-prefixes, into parts that are taken to be equal."""
        with self._changed:
            edges = sorted({key for key in at if key > piece.after and (piece.upto is None or key < piece.upto)})
            if not edges:
                return
            weight = piece.weight / (len(edges) + 1)
            parts = [KeyRange(low, high, weight) for low, high in zip(edges, [*edges[1:], piece.upto], strict=True)]
            piece.upto, piece.weight = edges[0], weight
            self._waiting.extend(reversed(parts))
            self._changed.notify_all()

    def stop(self) -> None:
        """Let everyone go home."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _settle(self, piece: KeyRange, *, empty: bool, more: bool) -> None:
        """Note that a page of a range is counted."""
        piece.pages += 1
        piece.barren = False
        if empty and piece.pages == 1 and piece.parent in self._listed:
            # what was taken to be here is still before whoever lists the other half
            piece.parent.weight += piece.weight
            piece.weight = 0.0
        if not more:
            self._listed.discard(piece)
            self.share += piece.weight

    def _split(self) -> KeyRange | None:
        """Return the upper half of the range that is taken to hold the most."""
        for victim in sorted(self._listed, key=lambda piece: -piece.weight):
            if victim.barren or victim.unseen or victim.after == victim.start:
                continue
            listed = share_listed(victim, self._alphabet, prefix=self.prefix)
            worth = victim.pages * (1 - listed) >= _PAGES_WORTH_A_SPLIT * listed
            middle = key_between(victim.after, victim.upto, self._alphabet, prefix=self.prefix) if worth else None
            if middle is None:
                victim.barren = True
                continue
            half = KeyRange(middle, victim.upto, victim.weight / 2, victim)
            victim.upto, victim.weight = middle, victim.weight / 2
            return half
        return None
