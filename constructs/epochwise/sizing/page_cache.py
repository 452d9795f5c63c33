"""Page caches of the nodes in front of the servers' RAM: who answers which read over the epochs of one job.

For the two together no closed form holds: a node's cache takes the soonest re-reads away from the servers, so that what
is left there is late. The caches are therefore stepped, sample by sample, over the job's own epochs.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from math import ceil
from typing import NamedTuple

SAMPLES = 2000
"""Samples that stand for the dataset; hit shares are then right within about 0.01."""
LEAST_EPOCHS = 40
"""Epochs that are stepped at least: a job of few epochs is stepped several times with other orders."""
MAX_EPOCHS = 150
"""Epochs that are stepped; a longer job is taken to stay where it is by then, which promises no more than it gets."""


class PageCache(NamedTuple):
    """Mean hit shares over the epochs after the first."""

    hit_share: float
    """Share of all reads that a node's own RAM answers."""
    server_curve: tuple[float, ...]
    """For caches of 0, 1, … SAMPLES samples in the servers: share of the other reads that they answer."""

    def server_hit_share(self, cache_share: float) -> float:
        """Return the share of the other reads that a server cache of `cache_share` of the dataset answers."""
        return self.server_curve[min(int(cache_share * SAMPLES), SAMPLES)]


class _Recency:
    """Samples in the order of their last read, with their stack distances."""

    def __init__(self) -> None:
        self._times: list[int] = []
        self._last: dict[int, int] = {}

    def read(self, sample: int, time: int) -> int | None:
        """Note a read; return how many other samples were read since the last one, None at the first."""
        times, last = self._times, self._last.get(sample)
        self._last[sample] = time
        if last is None:
            times.append(time)
            return None
        place = bisect_left(times, last)
        distance = len(times) - place - 1
        del times[place]
        times.append(time)
        return distance


@lru_cache(maxsize=64)
def page_cache(nodes: int, cache_share: float, epochs: int) -> PageCache:
    """Step the page caches of a job.

    Args:
        nodes: how many nodes split each epoch.
        cache_share: page cache of one node over the dataset.
        epochs: epochs of the job; with one there is nothing to read again.

    The order of samples is drawn from fixed seeds: the same job gets the same answer.
    """
    from random import Random  # noqa: PLC0415 - only a declared page cache needs it

    stepped = min(epochs, MAX_EPOCHS)
    room = ceil(cache_share * SAMPLES)
    hits, at_distance = 0, [0] * (SAMPLES + 1)
    jobs = ceil(LEAST_EPOCHS / stepped) if stepped > 1 else 0
    for seed in range(jobs):
        hits += _step(nodes, room, stepped, Random(seed).shuffle, at_distance)  # noqa: S311 - a simulation, not a secret
    reads = jobs * (stepped - 1) * SAMPLES
    others = max(reads - hits, 1)
    return PageCache(hits / max(reads, 1), tuple(answered / others for answered in accumulate(at_distance)))


def _step(nodes: int, room: int, epochs: int, shuffle: Callable[[list[int]], None], at_distance: list[int]) -> int:
    """Step one job; add the servers' stack distances after the first epoch, and return the nodes' hits after it."""
    order = list(range(SAMPLES))
    caches: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(nodes)]
    servers = _Recency()
    hits, time = 0, 0
    for epoch in range(epochs):
        shuffle(order)
        for place, sample in enumerate(order):
            cache = caches[place % nodes]
            if sample in cache:
                cache.move_to_end(sample)
                hits += 1
                continue
            cache[sample] = None
            if len(cache) > room:
                cache.popitem(last=False)
            time += 1
            distance = servers.read(sample, time)
            if epoch and distance is not None:
                at_distance[distance + 1] += 1
    return hits
