"""Recognise the dataset, and with it the epochs, from what the servers' cache answered.

Every epoch is a fresh random order and the cache is least-recently-used: the law of `epochwise.sizing.cache`, turned
round. A job that reads R in all from a cold cache takes D + (R − D)·(1 − h(RAM / D)) from the disks: its first epoch
whole, of the others what the cache does not answer. With a cache that was warm when it began it is R·(1 − h(RAM / D)).
"""

from collections.abc import Callable
from typing import NamedTuple

from epochwise.sizing.cache import lru_hit_share

LEAST_HIT_SHARE = 0.05
"""Below it an error of a hundredth in the hit share is one of a tenth and more in the dataset."""
LEAST_EPOCHS = 1.5
"""Of fewer epochs too little is read a second time."""
_FIRST = 0.1
"""Of the cache's own size: so much is looked at as the first reads."""
_STEPS = 60


class Reads(NamedTuple):
    """What a job read in all, MB, and how."""

    total_mb: float
    from_disk_mb: float
    cold: bool
    """Whether it found a cold cache: of its first reads the disks answered more than they do later."""


def reads_of(read_mb: list[float], disk_mb: list[float], ram_mb: float) -> Reads | None:
    """Sum up what was read, period by period; None where nothing was."""
    total, from_disk = sum(read_mb), sum(disk_mb)
    if not total or len(read_mb) != len(disk_mb):
        return None
    first_read, first_disk = 0.0, 0.0
    for read, disk in zip(read_mb, disk_mb, strict=True):
        first_read, first_disk = first_read + read, first_disk + disk
        if first_read and first_read >= ram_mb * _FIRST:
            break
    # the first period may hold several epochs
    size = _cold_size(total, from_disk, ram_mb)
    cold = first_read if first_read <= size else _cold_reads(first_read, size, ram_mb)
    warm = first_read * _miss_share(ram_mb, size)
    return Reads(total, from_disk, first_disk >= (cold + warm) / 2)


def dataset_of(reads: Reads, ram_mb: float) -> float | None:
    """Return the MB of the dataset that reads of this kind belong to; None where they do not tell.

    They do not when hardly anything was cached, when little was read twice, or when a cache that was warm held it all.
    """
    if ram_mb <= 0 or reads.from_disk_mb <= 0:
        return None
    if reads.cold:
        found = _cold_size(reads.total_mb, reads.from_disk_mb, ram_mb)
    else:
        found = _solved(lambda size: reads.total_mb * _miss_share(ram_mb, size), reads.from_disk_mb, reads.total_mb)
    few = reads.total_mb < LEAST_EPOCHS * found
    return None if few or lru_hit_share(ram_mb / found) < LEAST_HIT_SHARE else found


def _cold_size(total_mb: float, from_disk_mb: float, ram_mb: float) -> float:
    """Return the size of a dataset that was read from a cold cache."""
    return _solved(lambda size: _cold_reads(total_mb, size, ram_mb), from_disk_mb, total_mb)


def _cold_reads(total_mb: float, size_mb: float, ram_mb: float) -> float:
    """Return what the disks answer of all reads, the first epoch whole."""
    return size_mb + (total_mb - size_mb) * _miss_share(ram_mb, size_mb)


def working_set_of(hit_share: float, ram_mb: float) -> float:
    """Return the MB that share a cache which answers this share of the reads.

    >>> round(lru_hit_share(100 / working_set_of(0.35, 100)), 3)
    0.35
    """
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if lru_hit_share(middle) < hit_share else (low, middle)
    return ram_mb / max(high, _SMALLEST_CACHE)


_SMALLEST_CACHE = 0.01
"""Of a working set that is never answered the cache counts as this share, which answers nothing of note."""


def _miss_share(ram_mb: float, size_mb: float) -> float:
    """Return the share of steady reads that the disks answer."""
    return 1 - lru_hit_share(ram_mb / size_mb)


def _solved(from_disk_mb: Callable[[float], float], measured_mb: float, total_mb: float) -> float:
    """Return the size for which the disks would have read what they did; the larger the dataset, the more they do."""
    low, high = total_mb * 1e-9, total_mb
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if from_disk_mb(middle) < measured_mb else (low, middle)
    return high
