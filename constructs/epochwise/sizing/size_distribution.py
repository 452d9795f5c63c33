"""How large the files of a dataset are: counted in powers of two, in bounded memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

SMALL_FILE_BYTES = 1 << 20
"""Files below this are small: about what FSx reads for each file open that it allows, so that opens bind before MB/s.

At 1000 MB/s/TiB with AUTOMATIC metadata IOPS that is 0.4 to 1.9 MB, by the capacity; lower tiers read less for an open.
"""
_BUCKETS = 64


class SizeRange(NamedTuple):
    """Files of one power of two."""

    from_bytes: int
    """The smallest size in it; 0 for the range of empty files."""
    below_bytes: int
    """The smallest size above it."""
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class SizeDistribution:
    """The sizes of files, of which there is at least one."""

    ranges: tuple[SizeRange, ...]
    """Those that hold files, ascending."""
    smallest_bytes: int
    largest_bytes: int

    @property
    def files(self) -> int:
        """Number of files."""
        return sum(each.files for each in self.ranges)

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        return sum(each.size_bytes for each in self.ranges)

    @property
    def mean_bytes(self) -> float:
        """Bytes of a file in the mean."""
        return self.size_bytes / self.files

    @property
    def small(self) -> tuple[int, int]:
        """Files below the bound of small ones, and their bytes."""
        small = [each for each in self.ranges if each.below_bytes <= SMALL_FILE_BYTES]
        return sum(each.files for each in small), sum(each.size_bytes for each in small)


class SizeTally:
    """Counts sizes one after the other; exact, and as large for a million files as for one."""

    def __init__(self) -> None:
        """Start with no file."""
        self._files = [0] * (_BUCKETS + 1)
        self._bytes = [0] * (_BUCKETS + 1)
        self._smallest: int | None = None
        self._largest = 0

    def add(self, sizes: Iterable[int]) -> None:
        """Count sizes in bytes."""
        added = [*sizes]
        for size in added:
            bucket = size.bit_length()
            self._files[bucket] += 1
            self._bytes[bucket] += size
        if added:
            self._largest = max(self._largest, *added)
            self._smallest = min(added if self._smallest is None else (self._smallest, *added))

    def merge(self, other: "SizeTally") -> None:
        """Count what another tally has counted."""
        self._files = [mine + theirs for mine, theirs in zip(self._files, other._files, strict=True)]
        self._bytes = [mine + theirs for mine, theirs in zip(self._bytes, other._bytes, strict=True)]
        self._largest = max(self._largest, other._largest)
        known = [size for size in (self._smallest, other._smallest) if size is not None]
        self._smallest = min(known, default=None)

    def distribution(self) -> SizeDistribution | None:
        """Return what was counted; None for no file.

        >>> tally = SizeTally()
        >>> tally.add([0, 1, 1023, 1024])
        >>> [(each.from_bytes, each.below_bytes, each.files) for each in tally.distribution().ranges]
        [(0, 1, 1), (1, 2, 1), (512, 1024, 1), (1024, 2048, 1)]
        """
        if self._smallest is None:
            return None
        return SizeDistribution(tuple(self._ranges()), self._smallest, self._largest)

    def _ranges(self) -> Iterator[SizeRange]:
        """Yield the powers of two that hold files."""
        for bucket, (files, held) in enumerate(zip(self._files, self._bytes, strict=True)):
            if files:
                yield SizeRange(1 << bucket - 1 if bucket else 0, 1 << bucket, files, held)
