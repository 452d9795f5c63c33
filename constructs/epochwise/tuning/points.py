"""`Point`: one period of a job while it trains, and which ceiling was how far used in it."""

from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from epochwise.sizing.candidate import Candidate
from epochwise.tuning.measured_job import MeasuredJob, averaged
from epochwise.watching.metrics import Series

AT_LIMIT = 0.9
"""Share of a ceiling from which it counts as reached, as in the rule StorageBottleneck."""
BUSY_CPU = 0.9
"""Share of a node's CPUs from which they count as busy, as in the rule CpuBottleneck."""
UNEVEN = 0.7
"""Mean share of all servers, below which one server at its limit is one that got more than its part."""
_CEILINGS = ("network", "disk", "client", "metadata", "write")
"""Of ceilings that are used alike the first counts."""
_TIE = 0.02
"""Share of a ceiling by which metrics of one minute may differ and still say the same."""
_STARTED = 0.01
"""Share of the largest rate from which reading counts as begun."""


@dataclass(frozen=True)
class Point:
    """One period; None for what CloudWatch does not have of it."""

    place: int
    """Number of the period in the job's series."""
    read_mbps: float
    write_mbps: float | None
    disk_read_mbps: float | None
    opens_per_s: float | None
    metadata_per_s: float | None
    busy: float | None
    """Share of the time in which accelerators were in use, mean over the nodes."""
    cpu: float | None
    """Share of the nodes' CPUs that were in use."""
    used: dict[str, float]
    """Ceiling to the share of it that was used: disk, network, client, metadata, write; above 1 while it bursts."""
    most_used_server: float
    """Share of its network or disk throughput that the busiest server used; 0 where unknown."""

    @property
    def at_limit(self) -> str | None:
        """The ceiling of storage that was reached; None without one."""
        most = max(self.used.values(), default=0.0)
        if most < AT_LIMIT:
            return None
        return next((name for name in _CEILINGS if self.used.get(name, 0.0) >= most - _TIE), None)

    @property
    def server_at_limit(self) -> bool:
        """Whether one server is at its limit while the others are far from theirs."""
        mean = max(self.used.get("network", 0.0), self.used.get("disk", 0.0))
        return self.most_used_server >= AT_LIMIT and mean < UNEVEN

    @property
    def cpu_bound(self) -> bool:
        """Whether the CPUs were busy."""
        return self.cpu is not None and self.cpu >= BUSY_CPU


@dataclass(frozen=True)
class Training:
    """The periods in which a job trains."""

    points: tuple[Point, ...]
    """Those with what is needed, oldest first."""
    periods: int
    """All of them, from the first to the last in which it reads, without those two, which are partly filled."""

    @property
    def missing(self) -> int:
        """Periods that lack reads or, where other periods have it, the use of accelerators."""
        return self.periods - len(self.points)


def training_points(job: MeasuredJob, there: Candidate) -> Training:
    """Return the periods in which a job trains.

    Args:
        job: what was measured.
        there: its file system, predicted without page caches.
    """
    reads = job.storage.read_mbps
    most = max((value for value in reads if value is not None), default=0.0)
    reading = [place for place, value in enumerate(reads) if value is not None and value > most * _STARTED]
    if not reading:
        return Training((), 0)
    places = range(reading[0] + 1, reading[-1])
    servers = job.storage
    means = _Means(
        _mean_of(job, "gpu"), _mean_of(job, "cpu"), averaged(servers.network_percent), averaged(servers.disk_percent)
    )
    found = [_point(job, there, place, means) for place in places]
    points = (point for point in found if point is not None and (point.busy is not None or not means.gpu))
    return Training(tuple(points), len(places))


class _Means(NamedTuple):
    """Means over the nodes and over the servers, in percent; empty where none has any value."""

    gpu: Series
    cpu: Series
    network: Series
    disk: Series


def _mean_of(job: MeasuredJob, name: str) -> Series:
    """Return the mean of a series of all nodes that have any value of it."""
    series: list[Series] = [getattr(host, name) for host in job.hosts]
    return averaged([each for each in series if any(value is not None for value in each)])


def _at(series: Series, place: int) -> float | None:
    """Return a value of a series, None where it has none or is not there at all."""
    return series[place] if place < len(series) else None


def _point(job: MeasuredJob, there: Candidate, place: int, means: _Means) -> Point | None:
    """Return one period; None without reads."""
    storage, delivery, ceilings = job.storage, there.delivery, there.ceilings
    read, busy, cpu = _at(storage.read_mbps, place), _at(means.gpu, place), _at(means.cpu, place)
    if read is None:
        return None
    write, disk = _at(storage.write_mbps, place), _at(storage.disk_read_mbps, place)
    opens, metadata = _at(storage.opens_per_s, place), _at(storage.metadata_per_s, place)
    rates = {
        # AWS does not say whether its utilisation is of the baseline or of the burst: the higher one counts
        "disk": _higher(_share(_at(means.disk, place), 100.0), _share(disk, delivery.disk_read)),
        "network": _higher(_share(_at(means.network, place), 100.0), _share(read + (write or 0.0), delivery.network)),
        "client": _share(read, ceilings.client),
        "metadata": _metadata_share(job, place, ceilings.metadata_opens_per_s),
        "write": _share(write, ceilings.write),
    }
    servers = [_at(series, place) for series in (*storage.network_percent, *storage.disk_percent)]
    return Point(
        place=place,
        read_mbps=read,
        write_mbps=write,
        disk_read_mbps=disk,
        opens_per_s=opens,
        metadata_per_s=metadata,
        busy=None if busy is None else min(busy / 100, 1.0),
        cpu=None if cpu is None else min(cpu / 100, 1.0),
        used={name: share for name, share in rates.items() if share is not None},
        most_used_server=max((value / 100 for value in servers if value is not None), default=0.0),
    )


def _metadata_share(job: MeasuredJob, place: int, opens_limit: float) -> float | None:
    """Return how far metadata was used: opens, else operations of all kinds, or the CPUs of its servers.

    Operations of all kinds are counted like opens (assumed).
    """
    storage = job.storage
    opens, operations = _at(storage.opens_per_s, place), _at(storage.metadata_per_s, place)
    cpus = [_at(series, place) for series in storage.metadata_cpu_percent]
    return _higher(_share(operations if opens is None else opens, opens_limit), *(_share(each, 100.0) for each in cpus))


def _higher(*shares: float | None) -> float | None:
    """Return the highest share that is known; None without any."""
    return max((share for share in shares if share is not None), default=None)


def _share(rate: float | None, ceiling: float) -> float | None:
    """Return the part of a ceiling that a rate takes; None where either is unknown."""
    return None if rate is None or not isfinite(ceiling) or ceiling <= 0 else rate / ceiling
