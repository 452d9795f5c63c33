"""What CloudWatch says of a job, as one value a minute and gaps where it says nothing."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

_Value = TypeVar("_Value")

Series = tuple[float | None, ...]
"""One value a minute, oldest first; None where there is none."""


LARGEST = 1e18
"""Far beyond what any node shows in a minute, and small enough that sums of it stay finite."""


def series_of(values: Iterable[float | None], scale: float = 1.0) -> Series:
    """Return values divided by `scale`; what is no number from 0 to `LARGEST` is a gap.

    >>> series_of([800.0, None, float("nan"), -1.0, 1e300], scale=8)
    (100.0, None, None, None, None)
    """
    return tuple(None if value is None or not 0 <= value <= LARGEST else value / scale for value in values)


def known(series: Sequence[_Value | None]) -> list[_Value]:
    """Return the values that are there, oldest first."""
    return [value for value in series if value is not None]


_SETTLING_MINUTES = 2
"""A series that begins this much after the window does, begins with the job."""


@dataclass(frozen=True)
class Host:
    """One node of a job, each series in percent of the whole node.

    CloudWatch counts CPUUtilization up to 100 per vCPU, GPUUtilization and GPUMemoryUtilization up to 100 per GPU; here
    they are divided by those. Source: SageMaker Developer Guide, metrics of training jobs.
    """

    name: str
    cpu: Series = ()
    gpu: Series = ()
    gpu_memory: Series = ()
    log: tuple[str, ...] = ()
    """Lines of its log about what NCCL goes over."""

    @property
    def is_silent(self) -> bool:
        """Whether CloudWatch has no value of this node at all."""
        return not (known(self.cpu) or known(self.gpu) or known(self.gpu_memory))


@dataclass(frozen=True)
class Metrics:
    """Everything that the rules look at: the nodes of a job and the file system they read from."""

    hosts: tuple[Host, ...]
    read_mbps: Series = ()
    """MB/s (10^6 B/s) that the file system's clients read."""
    covers_start: bool = True
    """Whether the series begin with the job; patience counts from there, and is over where they do not."""
    nccl_over_efa: bool = False
    """Whether NCCL has EFA to go over, so that the nodes' logs were read."""

    @property
    def speaking(self) -> list[Host]:
        """Nodes with at least one value."""
        return [host for host in self.hosts if not host.is_silent]

    def patient(self, series: Sequence[_Value | None], patience: int) -> Sequence[_Value | None]:
        """Leave out the first `patience` minutes of a series, counted from its first value.

        >>> Metrics(()).patient((None, 1.0, 2.0, 3.0), 2)
        (3.0,)
        """
        if not self.covers_start:
            return series
        first = next((minute for minute, value in enumerate(series) if value is not None), len(series))
        return series[first + patience :]

    def gaps(self) -> dict[str, float]:
        """Return what is missing, as numbers for a finding's evidence."""
        length = max(
            (len(series) for host in self.hosts for series in (host.cpu, host.gpu, host.gpu_memory)), default=0
        )
        missing = sum(_holes(host.gpu or host.cpu) for host in self.speaking)
        return {
            "minutes": length,
            "minutes_missing": missing,
            "hosts": len(self.hosts),
            "hosts_missing": len(self.hosts) - len(self.speaking),
        }


def begin_with_job(hosts: Iterable[Host]) -> bool:
    """Tell whether the series of a window begin with the job: no node shows anything in its first minutes.

    >>> begin_with_job([Host("algo-1", cpu=(None, None, None), gpu=(50.0, 50.0, 50.0))])
    False
    """
    early = (value for host in hosts for series in (host.cpu, host.gpu) for value in series[:_SETTLING_MINUTES])
    return all(value is None for value in early)


def _holes(series: Series) -> int:
    """Count the minutes without a value between the first and the last one."""
    there = [minute for minute, value in enumerate(series) if value is not None]
    return there[-1] - there[0] + 1 - len(there) if there else 0


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile with linear interpolation between the two nearest values.

    >>> percentile([10.0, 20.0, 30.0, 40.0, 50.0], 95), percentile([7.0], 5)
    (48.0, 7.0)
    """
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one value."""
    return math.fsum(values) / len(values)


def minutes_of(points: int, interval_ms: int = 500) -> int:
    """Return the minutes that a number of Debugger's data points span, rounded up, at least 1.

    Debugger counts patience and windows in points of the profiler's interval; CloudWatch has one a minute.

    >>> minutes_of(1000), minutes_of(500), minutes_of(10)
    (9, 5, 1)
    """
    return max(1, math.ceil(points * interval_ms / 60_000))
