"""How busy a job's nodes are and what its file system delivers, from CloudWatch's metrics."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Self

from epochwise.catalog.instance_types import instance_type
from epochwise.watching.metric_query import HOST_METRICS, MAX_QUERIES, file_system_query, host_query
from epochwise.watching.metrics import known, mean, series_of

RECENT_MINUTES = 10
"""How far back a running job is looked at: metrics come a minute or two late."""
_RECENT_VALUES = 5
"""Minutes with a value that a running job's figures are the mean of."""
_METRICS = HOST_METRICS | {"memory": "MemoryUtilization"}
_BYTES = {"read": "DataReadBytes", "write": "DataWriteBytes"}
MAX_HOSTS = (MAX_QUERIES - len(_BYTES)) // len(_METRICS)
"""Nodes that one call of GetMetricData has room for; of larger jobs the first so many are looked at."""
_MINUTE_DAYS, _FIVE_MINUTES_DAYS = 15, 63
"""Days for which CloudWatch keeps values of a minute and of five minutes (CloudWatch API, GetMetricData)."""
_MOST_VALUES = 500
"""Of a series that is looked at, which keeps the answer small."""


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a job is looked at."""

    start: datetime
    end: datetime
    period_s: int
    recent: bool
    """Whether the last minutes count, and not the whole window."""

    @classmethod
    def of_running(cls, now: datetime) -> Self:
        """Return the last minutes."""
        end = now.replace(second=0, microsecond=0)
        return cls(end - timedelta(minutes=RECENT_MINUTES), end, 60, recent=True)

    @classmethod
    def of_ended(cls, start: datetime, end: datetime, now: datetime) -> Self:
        """Return the whole training, in as fine steps as CloudWatch still has."""
        age = now - start
        finest = 60
        if age > timedelta(days=_MINUTE_DAYS):
            finest = 300 if age <= timedelta(days=_FIVE_MINUTES_DAYS) else 3600
        steps = max(1, ceil((end - start).total_seconds() / finest / _MOST_VALUES))
        first = start.replace(second=0, microsecond=0)
        return cls(first, max(end, first + timedelta(seconds=finest)), finest * steps, recent=False)


@dataclass(frozen=True, slots=True)
class HostUse:
    """One node, each figure in percent of the whole node; None where CloudWatch has none."""

    name: str
    cpu: float | None = None
    gpu: float | None = None
    gpu_memory: float | None = None
    memory: float | None = None

    @property
    def is_silent(self) -> bool:
        """Whether CloudWatch says nothing of it."""
        return self.cpu is None and self.gpu is None and self.gpu_memory is None and self.memory is None


@dataclass(frozen=True, slots=True)
class Use:
    """What the nodes and the file system do, as means."""

    window: Window
    hosts: tuple[HostUse, ...]
    hosts_left_out: int
    """Nodes beyond those that one call has room for."""
    read_mbps: float | None
    """MB/s (10^6 B/s) that the file system's clients read."""
    write_mbps: float | None

    @property
    def is_silent(self) -> bool:
        """Whether CloudWatch says nothing at all."""
        return self.read_mbps is None and self.write_mbps is None and all(host.is_silent for host in self.hosts)

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "from": self.window.start.isoformat(timespec="seconds"),
            "to": self.window.end.isoformat(timespec="seconds"),
            "hosts": {
                host.name: {kind: _rounded(getattr(host, kind)) for kind in ("cpu", "gpu", "gpu_memory", "memory")}
                for host in self.hosts
            },
            "hosts_left_out": self.hosts_left_out,
            "read_mbps": _rounded(self.read_mbps),
            "write_mbps": _rounded(self.write_mbps),
        }


def queries(job: str, nodes: int, file_system_id: str | None, window: Window) -> list[dict[str, Any]]:
    """Return what GetMetricData is asked about a job; it fits into one call."""
    asked = [
        host_query(f"{kind}_{number}", metric, f"{job}/algo-{number}", period_s=window.period_s)
        for number in range(1, min(nodes, MAX_HOSTS) + 1)
        for kind, metric in _METRICS.items()
    ]
    if file_system_id is not None:
        asked += [
            file_system_query(kind, metric, file_system_id, period_s=window.period_s) for kind, metric in _BYTES.items()
        ]
    return asked


def use_of(values: Mapping[str, Sequence[float]], *, instance_type_name: str, nodes: int, window: Window) -> Use:
    """Return the means of what GetMetricData answered.

    CloudWatch counts CPUs and GPUs up to 100 each; a type that the catalog does not know has no percentages of them.

    Args:
        values: query to its values, oldest first.
        instance_type_name: what the nodes are.
        nodes: how many there are.
        window: what was asked for.
    """
    return Use(
        window,
        tuple(_hosts(values, instance_type_name, min(nodes, MAX_HOSTS), window)),
        max(0, nodes - MAX_HOSTS),
        **{f"{kind}_mbps": _mean(values.get(kind, ()), window.period_s * 1_000_000, window) for kind in _BYTES},
    )


def _hosts(
    values: Mapping[str, Sequence[float]], instance_type_name: str, nodes: int, window: Window
) -> Iterator[HostUse]:
    """Yield each node."""
    size = instance_type(instance_type_name)
    scales = {"memory": 1}
    if size is not None:
        scales |= {"cpu": size.vcpu, "gpu": max(1, size.accelerators), "gpu_memory": max(1, size.accelerators)}
    for number in range(1, nodes + 1):
        yield HostUse(
            f"algo-{number}",
            **{kind: _mean(values.get(f"{kind}_{number}", ()), scale, window) for kind, scale in scales.items()},
        )


def _mean(values: Sequence[float], scale: float, window: Window) -> float | None:
    """Return the mean of a series, of its last values where only these count."""
    there = known(series_of(values, scale))
    kept = there[-_RECENT_VALUES:] if window.recent else there
    return mean(kept) if kept else None


def _rounded(value: float | None) -> float | None:
    """Round a figure to what CloudWatch means."""
    return None if value is None else round(value, 1)
