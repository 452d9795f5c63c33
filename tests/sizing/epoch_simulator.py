"""One job stepped item by item through metadata, S3, disks, caches, network, nodes and accelerators.

Each resource serves one item after the other at its rate. Loaders read ahead, and training takes items in their order.
Rates are given; no law of the model is used here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from random import Random

from tests.sizing.cache_simulator import LruCache


@dataclass(frozen=True)
class Rates:
    """What each resource serves: MB/s unless its name says otherwise."""

    disk: float
    network: float
    client: float
    """Of one node."""
    ssd: float = inf
    """SSD read cache in front of HDD."""
    opens_per_s: float = inf


@dataclass(frozen=True)
class Arrival:
    """How linked S3 data arrives in the first epoch."""

    mbps: float
    wait_s_per_file: float
    readers_per_node: int


@dataclass(frozen=True)
class Job:
    """What is read, by how many, and which caches there are, as shares of the dataset."""

    dataset_mb: float
    nodes: int
    rates: Rates
    items: int
    ram_share: float = 0.0
    ssd_share: float = 0.0
    page_cache_share: float = 0.0
    """Of one node."""
    files: int = 0
    arrival: Arrival | None = None
    compute_s: float = 0.0
    """Seconds that all nodes compute an epoch."""
    preprocess_s: float = 0.0
    """Seconds that all nodes' CPUs preprocess an epoch."""
    read_ahead: int | None = None
    """Items that are read before they are trained on; a whole epoch by default."""


Note = Callable[[str, float, float, float], None]
"""Told of every service: resource, from when, until when, and how much of what it serves."""


class Caches:
    """What a job's caches hold, from one epoch to the next."""

    def __init__(self, job: Job) -> None:
        self.ram, self.ssd = LruCache(round(job.ram_share * job.items)), LruCache(round(job.ssd_share * job.items))
        self.pages = [LruCache(round(job.page_cache_share * job.items)) for _ in range(job.nodes)]


class _Queue:
    """A resource that serves one item after the other."""

    def __init__(self, name: str = "", note: Note | None = None) -> None:
        self.free_at = 0.0
        self._name, self._note = name, note

    def serve(self, arrives_at: float, seconds: float, amount: float = 0.0) -> float:
        """Serve an item as soon as it is there and the resource is free; return when it is done."""
        begins_at = max(arrives_at, self.free_at)
        self.free_at = begins_at + seconds
        if self._note:
            self._note(self._name, begins_at, self.free_at, amount)
        return self.free_at


def epoch_seconds(job: Job, epochs: int, seed: int = 0) -> Iterator[float]:
    """Yield the seconds of each epoch of a job, the first with cold caches."""
    random = Random(seed)
    order, caches = list(range(job.items)), Caches(job)
    for epoch in range(epochs):
        random.shuffle(order)
        yield step_epoch(job, order, caches, job.arrival if epoch == 0 else None)


def step_epoch(
    job: Job, order: list[int], caches: Caches, arrival: Arrival | None = None, note: Note | None = None
) -> float:
    """Step one epoch; return its seconds."""
    rates, item_mb, item_files = job.rates, job.dataset_mb / job.items, job.files / job.items
    names = ("metadata", "disk", "ssd", "network", "s3", "cpu", "accelerators")
    metadata, disk, from_ssd, network, s3, cpu, training = (_Queue(name, note) for name in names)
    nics = [_Queue("client", note) for _ in range(job.nodes)]
    readers = [_Queue() for _ in range(job.nodes * (arrival.readers_per_node if arrival else 0))]
    ahead = job.read_ahead or len(order)
    trained: list[float] = []
    for place, item in enumerate(order):
        node = place % job.nodes
        now = trained[place - ahead] if place >= ahead else 0.0
        now = metadata.serve(now, item_files / rates.opens_per_s, item_files)
        if arrival:
            now = readers[place % len(readers)].serve(now, item_files * arrival.wait_s_per_file)
            now = s3.serve(now, item_mb / arrival.mbps)
        if not caches.pages[node].read(item):
            # what the RAM answers has been in the SSD cache as well
            in_ram, in_ssd = caches.ram.read(item), caches.ssd.read(item)
            if not in_ram:
                source, rate = (from_ssd, rates.ssd) if in_ssd else (disk, rates.disk)
                now = source.serve(now, item_mb / rate, item_mb)
            now = network.serve(now, item_mb / rates.network, item_mb)
            now = nics[node].serve(now, item_mb / rates.client, item_mb)
        if job.preprocess_s:
            now = cpu.serve(now, job.preprocess_s / job.items, job.preprocess_s / job.items)
        trained.append(training.serve(now, job.compute_s / job.items, job.compute_s / job.items))
    return trained[-1]
