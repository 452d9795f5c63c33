"""A plan: what was asked for, what was chosen, what else there was, and why not."""

from dataclasses import dataclass
from math import isinf
from typing import Any, NamedTuple

from epochwise.catalog.fsx_lustre import DeploymentType, Family, MetadataMode, StorageType, mds_count
from epochwise.catalog.prices import Price
from epochwise.checks.finding import Finding
from epochwise.sizing.demand import Demand
from epochwise.sizing.prediction import Ceilings, EpochSeconds, Prediction
from epochwise.workload import Workload


def _number(value: float) -> float | None:
    """Round for output; JSON knows no infinity, so what nothing limits is null."""
    return None if isinf(value) else round(value, 2)


class Candidate(NamedTuple):
    """One legal file system with its prediction and price."""

    family: Family
    storage_capacity_gib: int
    metadata_mode: MetadataMode | None
    """None where FSx takes no metadata configuration."""
    metadata_iops: int
    """What it has: provisioned, included, or, without a metadata configuration, assumed."""
    prediction: Prediction
    monthly_usd: float

    @property
    def deployment_type(self) -> DeploymentType:
        """FSx's deployment type."""
        return self.family.deployment_type

    @property
    def storage_type(self) -> StorageType:
        """FSx's storage type."""
        return self.family.storage_type

    @property
    def per_unit_storage_throughput(self) -> int | None:
        """MB/s/TiB as FSx takes it."""
        return self.family.per_unit_storage_throughput

    @property
    def efa_enabled(self) -> bool:
        """Whether clients can mount over EFA."""
        return self.family.efa_enabled

    @property
    def binding(self) -> str:
        """What decides the steady epoch."""
        return self.prediction.binding

    @property
    def ceilings(self) -> Ceilings:
        """Every limit."""
        return self.prediction.ceilings

    @property
    def epoch_s(self) -> EpochSeconds:
        """Predicted epochs, seconds."""
        return self.prediction.epoch_s

    @property
    def addresses(self) -> int:
        """IP addresses its servers take in the subnet: one per object storage server and metadata server."""
        return self.family.oss_count(self.storage_capacity_gib) + mds_count(self.metadata_iops)

    @property
    def label(self) -> str:
        """Name it for a person, such as PERSISTENT_2 4800 GiB at 500 MB/s/TiB."""
        tier = self.per_unit_storage_throughput
        hdd = f" {self.storage_type}" if self.storage_type is not StorageType.SSD else ""
        return (
            f"{self.deployment_type}{hdd} {self.storage_capacity_gib} GiB"
            + (f" at {tier} MB/s/TiB" if tier is not None else "")
            + (" with EFA" if self.efa_enabled else "")
        )

    def shape(self) -> dict[str, Any]:
        """Return what CloudFormation is told, JSON-ready."""
        return {
            "deployment_type": str(self.deployment_type),
            "storage_type": str(self.storage_type),
            "storage_capacity_gib": self.storage_capacity_gib,
            "per_unit_storage_throughput": self.per_unit_storage_throughput,
            "efa_enabled": self.efa_enabled,
            "metadata_iops": self.metadata_iops,
            "metadata_mode": None if self.metadata_mode is None else str(self.metadata_mode),
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything, JSON-ready: rates in MB/s, times in seconds, null where nothing limits."""
        return self.shape() | {
            "monthly_usd": self.monthly_usd,
            "binding": self.binding,
            "cache_hit_share": round(self.prediction.hit_share, 4),
            "ceilings": {name: _number(value) for name, value in self.ceilings._asdict().items()},
            "epoch_s": {name: _number(value) for name, value in self.epoch_s._asdict().items()},
        }


Choice = Candidate
"""The candidate that a plan chose."""


class Rejected(NamedTuple):
    """A legal file system that does not do, with the first ceiling that failed."""

    candidate: Candidate
    ceiling: str
    """capacity, disk, network, client, metadata or write."""
    got: float
    needed: float
    """In GiB for capacity, else in seconds for what binds the epoch, or MB/s for write."""

    @property
    def reason(self) -> str:
        """Say in one sentence which ceiling failed and by how much."""
        ceilings, epoch_s = self.candidate.ceilings, self.candidate.epoch_s
        match self.ceiling:
            case "capacity":
                return f"holds {self.got:.0f} GiB, dataset and checkpoints with headroom need {self.needed:.0f} GiB"
            case "write":
                return f"writes {self.got:.0f} MB/s, checkpoints need {self.needed:.0f} MB/s"
            case "metadata":
                return (
                    f"opens {ceilings.metadata_opens_per_s:.0f} files a second: "
                    f"{epoch_s.steady:.3g} s an epoch, allowed {self.needed:.3g} s"
                )
            case name:
                return (
                    f"{name} gives {getattr(ceilings, name):.0f} MB/s: "
                    f"{epoch_s.steady:.3g} s an epoch, allowed {self.needed:.3g} s"
                )

    def as_dict(self) -> dict[str, Any]:
        """Return the shape and why it was rejected, JSON-ready."""
        return self.candidate.shape() | {
            "monthly_usd": self.candidate.monthly_usd,
            "reason": self.reason,
            "ceiling": self.ceiling,
            "epoch_s": {name: _number(value) for name, value in self.candidate.epoch_s._asdict().items()},
        }


@dataclass(frozen=True)
class Plan:
    """The sizing of one workload, whole: frozen, and the same for the same workload."""

    workload: Workload
    demand: Demand
    choice: Choice | None
    """None when nothing legal is feasible; the findings then say why."""
    alternatives: tuple[Candidate, ...]
    """The cheapest feasible file system of every other family, cheapest first."""
    rejected: tuple[Rejected, ...]
    """Every legal file system that does not do, in the order of the search."""
    findings: tuple[Finding, ...]
    prices: tuple[Price, ...]
    """The price rows that the choice, or without one the search, rests on."""

    def as_dict(self) -> dict[str, Any]:
        """Return the plan JSON-ready, as `epochwise plan --json` prints it."""
        demand = self.demand
        return {
            "workload": self.workload.name,
            "demand": {
                "read_mbps": round(demand.read_mbps, 1),
                "opens_per_s": None if demand.opens_per_s is None else round(demand.opens_per_s, 1),
                "write_mbps": round(demand.write_mbps, 1),
                "capacity_gib": round(demand.capacity_gib, 1),
            },
            "choice": None if self.choice is None else self.choice.as_dict(),
            "alternatives": [candidate.as_dict() for candidate in self.alternatives],
            "rejected": [rejected.as_dict() for rejected in self.rejected],
            "findings": [finding.as_dict() for finding in self.findings],
            "prices": [
                {
                    "item": price.item,
                    "region": price.region,
                    "usd": price.usd,
                    "unit": price.unit,
                    "date": price.date,
                    "verified": price.verified,
                }
                for price in self.prices
            ],
        }
