"""How many reads a cache answers when every epoch is a fresh random order."""

from math import log


def lru_hit_share(cache_share: float, readers: int = 1) -> float:
    """Return the steady share of reads that a least-recently-used cache answers.

    `cache_share` is the cache over the dataset; the cache sees one of `readers` equal shares of every epoch: 1 for the
    servers, the number of nodes for one node's page cache.

    A sample read at position x of one epoch and y of the next has seen 1 − x + x·y of the dataset in between, and is
    still cached when that is at most c; over both positions that is c + (1 − c)·ln(1 − c). With n readers the same node
    reads a sample again after k epochs with probability (1/n)·(1 − 1/n)^(k−1), and has then seen
    1 − (1 − (1−x)/n)·(1 − 1/n)^(k−1)·(1 − y/n) of the dataset.

    >>> round(lru_hit_share(0.67), 2), lru_hit_share(1.0), lru_hit_share(0.0)
    (0.3, 1.0, 0.0)
    >>> round(lru_hit_share(0.5, readers=4), 3)
    0.425
    """
    if cache_share >= 1:
        return 1.0
    if cache_share <= 0:
        return 0.0
    missing = 1 - cache_share
    if readers == 1:
        return max(0.0, cache_share + missing * log(missing))
    again = 1 / readers
    kept = 1 - again
    share, unseen, place = 0.0, missing, again
    # unseen: what the partly read first and last epochs may leave unseen, after k − 1 whole epochs between them
    while unseen < 1:
        share += place * _product_exceeds(unseen, kept)
        unseen /= kept
        place *= kept
    return min(share, 1.0)


def _product_exceeds(bound: float, low: float) -> float:
    """Return the probability that the product of two numbers, uniform from `low` to 1, is at least `bound`."""
    if bound <= low * low:
        return 1.0
    area = (1 - low) ** 2
    if bound >= low:
        return (1 - bound + bound * log(bound)) / area
    return 1 - (bound * log(bound / low**2) - bound + low**2) / area
