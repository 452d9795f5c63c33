"""One legal file system with its prediction and price."""

from math import isinf
from typing import Any, NamedTuple

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType, mds_count
from epochwise.catalog.legality import AnyFamily
from epochwise.sizing.delivery import Delivery
from epochwise.sizing.prediction import Ceilings, EpochSeconds, Prediction


def json_number(value: float) -> float | None:
    """Round for output; JSON knows no infinity, so what nothing limits is null.

    >>> json_number(27.2414), json_number(float("inf"))
    (27.24, None)
    """
    return None if isinf(value) else round(value, 2)


class Size(NamedTuple):
    """What makes one file system of a family; the settings of other kinds are None."""

    storage_capacity_gib: int | None = None
    throughput_capacity_mbps: int | None = None
    read_cache_gib: int | None = None
    """SSD read cache of Intelligent-Tiering."""
    metadata_mode: MetadataMode | None = None
    """None where FSx takes no metadata configuration."""
    metadata_iops: int = 0
    """What it has: provisioned, included, or, without a metadata configuration, assumed."""


class Candidate(NamedTuple):
    """One legal file system with its prediction and price."""

    family: AnyFamily
    size: Size
    delivery: Delivery
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
    def drive_cache_type(self) -> DriveCacheType | None:
        """FSx's drive cache type, which only HDD has."""
        return self.family.drive_cache_type

    @property
    def efa_enabled(self) -> bool:
        """Whether clients can mount over EFA."""
        return self.family.efa_enabled

    @property
    def storage_capacity_gib(self) -> int | None:
        """Storage capacity in GiB; None on Intelligent-Tiering, whose storage is elastic."""
        return self.size.storage_capacity_gib

    @property
    def throughput_capacity_mbps(self) -> int | None:
        """Throughput capacity in MB/s, which only Intelligent-Tiering has."""
        return self.size.throughput_capacity_mbps

    @property
    def read_cache_gib(self) -> int | None:
        """SSD read cache in GiB, which only Intelligent-Tiering has."""
        return self.size.read_cache_gib

    @property
    def metadata_mode(self) -> MetadataMode | None:
        """FSx's metadata configuration mode; None where it takes none."""
        return self.size.metadata_mode

    @property
    def metadata_iops(self) -> int:
        """Metadata IOPS that it has."""
        return self.size.metadata_iops

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
        return self.delivery.servers + mds_count(self.metadata_iops)

    @property
    def family_label(self) -> str:
        """Name its family for a person, such as PERSISTENT_2 at 500 MB/s/TiB."""
        return family_label(self.family)

    @property
    def label(self) -> str:
        """Name it for a person, such as PERSISTENT_2 4800 GiB at 500 MB/s/TiB."""
        capacity = self.storage_capacity_gib
        amount = f"{self.throughput_capacity_mbps} MB/s" if capacity is None else f"{capacity} GiB"
        return family_label(self.family, amount)

    def shape(self) -> dict[str, Any]:
        """Return what CloudFormation is told, JSON-ready; settings of other kinds are left out."""
        settings: dict[str, Any] = {
            "deployment_type": str(self.deployment_type),
            "storage_type": str(self.storage_type),
            "storage_capacity_gib": self.storage_capacity_gib,
            "per_unit_storage_throughput": self.per_unit_storage_throughput,
            "efa_enabled": self.efa_enabled,
            "metadata_iops": self.metadata_iops,
            "metadata_mode": None if self.metadata_mode is None else str(self.metadata_mode),
        }
        if self.drive_cache_type is not None:
            settings["drive_cache_type"] = str(self.drive_cache_type)
        if self.throughput_capacity_mbps is not None:
            settings |= {
                "throughput_capacity_mbps": self.throughput_capacity_mbps,
                "read_cache_gib": self.read_cache_gib,
            }
        return settings

    def epochs(self) -> dict[str, float | None]:
        """Return the predicted epochs, JSON-ready, in seconds."""
        return {name: json_number(value) for name, value in self.epoch_s._asdict().items()}

    def as_dict(self) -> dict[str, Any]:
        """Return everything, JSON-ready: rates in MB/s, times in seconds, null where nothing limits."""
        return self.shape() | {
            "monthly_usd": self.monthly_usd,
            "binding": self.binding,
            "cache_hit_share": round(self.prediction.hit_share, 4),
            "addresses": self.addresses,
            "ceilings": {name: json_number(value) for name, value in self.ceilings._asdict().items()},
            "epoch_s": self.epochs(),
        }


def family_label(family: AnyFamily, amount: str = "") -> str:
    """Name a family for a person, with an amount of storage or throughput where one is given."""
    tier, storage = family.per_unit_storage_throughput, family.storage_type
    words = [
        str(family.deployment_type),
        {StorageType.HDD: "HDD", StorageType.INTELLIGENT_TIERING: "Intelligent-Tiering"}.get(storage, ""),
        amount,
        "" if tier is None else f"at {tier} MB/s/TiB",
        "with SSD read cache" if family.drive_cache_type is DriveCacheType.READ else "",
        "with EFA" if family.efa_enabled else "",
    ]
    return " ".join(word for word in words if word)
