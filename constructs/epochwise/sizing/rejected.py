"""A legal file system that does not do, and why."""

from typing import Any, NamedTuple

from epochwise.declaration.quantity_text import seconds_text
from epochwise.sizing.candidate import Candidate


class Rejected(NamedTuple):
    """A legal file system that does not do, with the first ceiling that failed."""

    candidate: Candidate
    ceiling: str
    """capacity, addresses, write, or what binds the steady epoch."""
    got: float
    """What it has: GiB, addresses, MB/s, or seconds of the steady epoch."""
    needed: float
    """What is asked for, in the same unit."""

    @property
    def miss(self) -> float:
        """By which factor it misses: above 1."""
        if self.ceiling in {"capacity", "write"}:
            return self.needed / self.got
        return self.got / self.needed

    @property
    def reason(self) -> str:
        """Say in one sentence which ceiling failed, with the value and the limit."""
        epoch = f"{seconds_text(self.got)} an epoch, allowed {seconds_text(self.needed)}"
        ceilings = self.candidate.ceilings
        match self.ceiling:
            case "capacity":
                return f"holds {self.got:.0f} GiB, dataset and checkpoints with headroom need {self.needed:.0f} GiB"
            case "addresses":
                return f"nodes and servers take {self.got:.0f} addresses, the subnet has {self.needed:.0f}"
            case "write":
                return f"writes {self.got:.0f} MB/s, checkpoints need {self.needed:.0f} MB/s"
            case "metadata":
                return f"opens {ceilings.metadata_opens_per_s:.0f} files a second: {epoch}"
            case "compute":
                return f"computing takes {epoch}"
            case "preprocessing":
                return f"preprocessing on the nodes' CPUs takes {epoch}"
            case name:
                return f"{name} gives {getattr(ceilings, name):.0f} MB/s: {epoch}"

    def as_dict(self) -> dict[str, Any]:
        """Return the shape and why it was rejected, JSON-ready."""
        return self.candidate.shape() | {
            "monthly_usd": self.candidate.monthly_usd,
            "reason": self.reason,
            "ceiling": self.ceiling,
            "epoch_s": self.candidate.epochs(),
        }

