"""How many reads a cache answers when every epoch is a fresh random order."""

from math import log


def lru_hit_share(cache_share: float) -> float:
    """Return the steady share of reads that a least-recently-used cache answers.

    `cache_share` is cache over dataset. A sample read at position x of one epoch and y of the next has seen
    1 − x + x·y of the dataset in between, and is still cached when that is at most the cache's share; integrated over
    both positions this is c + (1 − c)·ln(1 − c).

    >>> round(lru_hit_share(0.67), 2), lru_hit_share(1.0), lru_hit_share(0.0)
    (0.3, 1.0, 0.0)
    """
    if cache_share >= 1:
        return 1.0
    missing = 1 - cache_share
    return max(0.0, cache_share + missing * log(missing))
