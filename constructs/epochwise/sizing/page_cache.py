"""Page caches of the nodes in front of the servers' RAM: who answers which read over the epochs of one job.

For the two together no closed form holds: a node's cache takes the soonest re-reads away from the servers, so that what
is left there is late. The caches are therefore stepped, sample by sample, over the job's own epochs.
"""

from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

SAMPLES = 2000
"""Samples that stand for the dataset; hit shares are then right within about 0.01."""
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
        last = self._last.get(sample)
        distance = None
        if last is not None:
            place = bisect_left(self._times, last)
            distance = len(self._times) - place - 1
            del self._times[place]
        self._times.append(time)
        self._last[sample] = time
        return distance


@lru_cache(maxsize=64)
def page_cache(nodes: int, cache_share: float, epochs: int) -> PageCache:
    """Step the page caches of a job.

    Args:
        nodes: how many nodes split each epoch.
        cache_share: page cache of one node over the dataset.
        epochs: epochs of the job; with one there is nothing to read again.

    The order of samples is drawn from a fixed seed: the same job gets the same answer.
    """
    from random import Random  # noqa: PLC0415 - only a declared page cache needs it

    random = Random(0)  # noqa: S311 - a simulation, not a secret
    order = list(range(SAMPLES))
    room = cache_share * SAMPLES
    caches = [_Recency() for _ in range(nodes)]
    servers = _Recency()
    hits, reads, time = 0, 0, 0
    at_distance = [0] * (SAMPLES + 1)
    for epoch in range(min(epochs, MAX_EPOCHS)):
        random.shuffle(order)
        for place, sample in enumerate(order):
            time += 1
            distance = caches[place % nodes].read(sample, time)
            hit = distance is not None and distance < room
            if not hit:
                at_server = servers.read(sample, time)
                if epoch and at_server is not None:
                    at_distance[at_server + 1] += 1
            if epoch:
                hits += hit
                reads += 1
    others = max(reads - hits, 1)
    return PageCache(hits / max(reads, 1), tuple(answered / others for answered in accumulate(at_distance)))
