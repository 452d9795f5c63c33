"""What a file system is measured against: demand, ceilings, capacity and price, from a plan or given one by one."""

from dataclasses import dataclass, replace
from math import isfinite

from epochwise.catalog.fsx_lustre import USABLE_SHARE
from epochwise.catalog.units import bytes_from_gib
from epochwise.sizing.plan import Choice, Plan


@dataclass(frozen=True, slots=True)
class FileSystemLimits:
    """None for what is not known; MB/s are what the file servers see, after what the nodes' page cache answers."""

    demand_mbps: float | None = None
    """MB/s that training must read to keep its epoch target."""
    ceiling_mbps: float | None = None
    """MB/s that the file system and its clients deliver at most."""
    opens_per_s: float | None = None
    """File opens a second that its metadata servers allow."""
    storage_capacity_gib: int | None = None
    monthly_usd: float | None = None

    @property
    def usable_bytes(self) -> float | None:
        """Bytes that the storage capacity holds: part of it is not usable."""
        capacity = self.storage_capacity_gib
        return None if capacity is None else bytes_from_gib(capacity) * USABLE_SHARE


def limits_of(plan: Plan | None, given: FileSystemLimits) -> FileSystemLimits:
    """Return what was given one by one, and from the plan what was not."""
    if plan is None:
        return given
    known = {name: value for name in FileSystemLimits.__slots__ if (value := getattr(given, name)) is not None}
    return replace(_planned(plan), **known)


def _planned(plan: Plan) -> FileSystemLimits:
    """Derive the limits of a plan.

    A plan counts in bytes of the dataset. Those that a node's page cache answers never reach the servers, which is what
    CloudWatch counts, so that demand and ceilings are lowered by the same share.
    """
    choice = plan.choice
    if choice is None:
        return FileSystemLimits(demand_mbps=plan.demand.read_mbps)
    share = _share_of_servers(choice)
    ceilings = choice.ceilings
    delivered = min(ceilings.disk, ceilings.network, ceilings.client) * share if share else 0.0
    return FileSystemLimits(
        demand_mbps=plan.demand.read_mbps * share if share else None,
        ceiling_mbps=delivered if delivered and isfinite(delivered) else None,
        opens_per_s=ceilings.metadata_opens_per_s if isfinite(ceilings.metadata_opens_per_s) else None,
        storage_capacity_gib=choice.storage_capacity_gib,
        monthly_usd=choice.monthly_usd,
    )


def _share_of_servers(choice: Choice) -> float:
    """Return the share of reads that reach the servers: their own rate over what it is in bytes of the dataset."""
    network = choice.ceilings.network
    return choice.delivery.network / network if isfinite(network) and network > 0 else 0.0
