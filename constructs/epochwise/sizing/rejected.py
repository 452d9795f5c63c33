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
        reasons = {
            "capacity": f"holds {self.got:.0f} GiB, dataset and checkpoints with headroom need {self.needed:.0f} GiB",
            "addresses": f"nodes and servers take {self.got:.0f} addresses, the subnet has {self.needed:.0f}",
            "write": f"writes {self.got:.0f} MB/s, checkpoints need {self.needed:.0f} MB/s",
            "metadata": f"opens {ceilings.metadata_opens_per_s:.0f} files a second: {epoch}",
            "compute": f"computing takes {epoch}",
            "preprocessing": f"preprocessing on the nodes' CPUs takes {epoch}",
        }
        rate = getattr(ceilings, self.ceiling, 0.0)
        return reasons.get(self.ceiling) or f"{self.ceiling} gives {rate:.0f} MB/s: {epoch}"

    def as_dict(self) -> dict[str, Any]:
        """Return the shape and why it was rejected, JSON-ready."""
        return self.candidate.shape() | {
            "monthly_usd": self.candidate.monthly_usd,
            "reason": self.reason,
            "ceiling": self.ceiling,
            "epoch_s": self.candidate.epochs(),
        }
