"""Least-recently-used caches stepped item by item over shuffled epochs; shares no code with the library."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from random import Random


class LruCache:
    """Items in the order of their last read; the oldest makes room."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._held: OrderedDict[int, None] = OrderedDict()

    def read(self, item: int) -> bool:
        """Read an item; tell whether it was there."""
        if item in self._held:
            self._held.move_to_end(item)
            return True
        if self._room:
            if len(self._held) >= self._room:
                self._held.popitem(last=False)
            self._held[item] = None
        return False


@dataclass(frozen=True)
class HitShares:
    """Shares of the reads that were counted."""

    clients: float
    """Of all reads, what the nodes' own caches answered."""
    servers: tuple[float, ...]
    """Of the others, what a server cache of each size answered."""


def simulate(
    *,
    nodes: int,
    client_share: float,
    server_shares: Sequence[float] = (),
    epochs: int,
    items: int,
    counted_from: int = 1,
    seed: int = 0,
) -> HitShares:
    """Step a job: every epoch a new order, dealt to the nodes in turn.

    Server caches of several sizes see the same reads side by side: what passes a node's cache does not depend on them.

    Args:
        nodes: how many nodes, each with a cache of its own.
        client_share: a node's cache over the dataset.
        server_shares: server caches over the dataset.
        epochs: epochs of the job.
        items: items of the dataset.
        counted_from: the first epoch that is counted; 0 is the first of the job.
        seed: draws the orders.
    """
    random = Random(seed)
    order = list(range(items))
    clients = [LruCache(round(client_share * items)).read for _ in range(nodes)]
    servers = [LruCache(round(share * items)).read for share in server_shares]
    reads = at_clients = 0
    at_servers = [0] * len(servers)
    for epoch in range(epochs):
        random.shuffle(order)
        counted = epoch >= counted_from
        for place, item in enumerate(order):
            if clients[place % nodes](item):
                at_clients += counted
                continue
            for place_of_server, server in enumerate(servers):
                at_servers[place_of_server] += server(item) and counted
        reads += items * counted
    others = max(reads - at_clients, 1)
    return HitShares(at_clients / max(reads, 1), tuple(answered / others for answered in at_servers))


def warm_up_epochs(share: float, nodes: int) -> int:
    """Return the epochs until the caches have settled.

    After e epochs a node has seen 1 − (1 − 1/n)^e of the dataset, so that its cache fills after about
    n·ln(1/(1 − c)); one that holds everything is counted as full when a thousandth is missing.
    """
    return ceil(nodes * log(1 / max(1 - share, 0.001))) + 3
