"""How long accelerators idled, and what for."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from epochwise.tuning.points import Point
from epochwise.watching.metrics import percentile

FED_SHARE = 0.5
"""Share of the periods without any known hindrance, from which on they show how busy accelerators are when fed."""
FULL = 1.0
"""How busy accelerators are when fed, where no period shows it: assumed."""
STORAGE_CAUSES = ("disk", "network", "client", "metadata", "write", "checkpoint", "one server")
"""What only another file system, or another use of it, cures."""


@dataclass(frozen=True)
class IdleTime:
    """Shares of the time, mean over the nodes."""

    share: float | None
    """In which accelerators were not in use; None without their metrics."""
    fed_busy: float
    """How busy they are when nothing holds them up."""
    fed_seen: bool
    """Whether that was measured; assumed otherwise."""
    causes: Mapping[str, float]
    """What held them up to the share of the time that it took: a ceiling of the file system (disk, network, client,
    metadata, write), one server, checkpoint, preprocessing, or other."""
    deducted: float
    """Periods that storage took, which a faster file system would not."""

    @property
    def for_storage(self) -> float:
        """Share of the time that accelerators waited for storage."""
        return sum(share for cause, share in self.causes.items() if cause in STORAGE_CAUSES)

    @property
    def main_cause(self) -> str | None:
        """What held accelerators up the longest; None when nothing did."""
        return max(self.causes, key=lambda cause: self.causes[cause], default=None)


def idle_time(points: Collection[Point], written: Collection[int]) -> IdleTime:
    """Sort the time in which accelerators idled by what held them up.

    Args:
        points: periods of training, at least one.
        written: the periods in which checkpoints were written, by their number.
    """
    measured = [point for point in points if point.busy is not None]
    if not measured:
        return IdleTime(None, FULL, fed_seen=False, causes={}, deducted=0.0)
    hindrances = [(_busy(point), _hindrance(point, written)) for point in measured]
    fed = [busy for busy, hindrance in hindrances if hindrance is None]
    shown = percentile(fed, 90) if len(fed) >= FED_SHARE * len(measured) else 0.0
    full = shown or FULL
    causes: dict[str, float] = {}
    deducted = 0.0
    for busy, hindrance in hindrances:
        idle = max(0.0, 1 - busy / full)
        cause = hindrance or "other"
        causes[cause] = causes.get(cause, 0.0) + idle / len(measured)
        deducted += idle if cause in STORAGE_CAUSES else 0.0
    share = sum(1 - busy for busy, _ in hindrances) / len(hindrances)
    held = {cause: part for cause, part in causes.items() if part > 0}
    return IdleTime(share, full, fed_seen=shown > 0, causes=held, deducted=deducted)


def _busy(point: Point) -> float:
    """Return how busy the accelerators of a period were."""
    return point.busy or 0.0


def _hindrance(point: Point, written: Collection[int]) -> str | None:
    """Return what may hold accelerators up in a period; None when nothing is known that does."""
    if point.at_limit is not None:
        return point.at_limit
    if point.server_at_limit:
        return "one server"
    if point.cpu_bound:
        return "preprocessing"
    return "checkpoint" if point.place in written else None
