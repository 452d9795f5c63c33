"""Quotas of an account in a Region: what they are called in Service Quotas, and what each counts.

Source: see `data/service_quotas.json` for where the names come from and what is unverified.
"""

from collections.abc import Callable
from dataclasses import dataclass

from epochwise.catalog.data_file import load
from epochwise.catalog.fsx_lustre import DeploymentType, StorageType

_DATA = load("service_quotas")
_FILE_SYSTEM = _DATA["file_system"]
_TRAINING: dict[str, str] = _DATA["training"]


@dataclass(frozen=True)
class NamedQuota:
    """One quota as Service Quotas names it."""

    service: str
    """Service code, such as fsx."""
    name: str
    unit: str
    code: str = ""
    """Quota code, empty where none is known."""


@dataclass(frozen=True)
class LustreSize:
    """What of a file system counts against quotas, be it there or only planned."""

    deployment_type: DeploymentType
    storage_type: StorageType = StorageType.SSD
    storage_capacity_gib: int = 0
    """0 on Intelligent-Tiering."""
    throughput_capacity_mbps: int = 0
    read_cache_gib: int = 0
    """Both of Intelligent-Tiering alone."""

    @property
    def group(self) -> str:
        """Which types share a quota: both scratch types do.

        >>> LustreSize(DeploymentType.SCRATCH_2).group
        'SCRATCH'
        """
        return "SCRATCH" if self.deployment_type.is_scratch else str(self.deployment_type)


@dataclass(frozen=True)
class FileSystemQuota:
    """A quota that a file system counts against."""

    quota: NamedQuota
    counts: Callable[[LustreSize], int]
    """How much one file system takes of it."""
    per_file_system: bool = False
    """Whether it limits each file system by itself, not all together."""


def file_system_quotas(size: LustreSize) -> tuple[FileSystemQuota, ...]:
    """Return every quota that a file system counts against, the one of its size first.

    >>> [each.quota.code for each in file_system_quotas(LustreSize(DeploymentType.PERSISTENT_2))]
    ['L-8F1B9C74', 'L-FD6F2F22']
    """
    group = size.group

    def grouped(amount: Callable[[LustreSize], int]) -> Callable[[LustreSize], int]:
        return lambda other: amount(other) if other.group == group else 0

    number = FileSystemQuota(_fsx(_FILE_SYSTEM["count"][group]), grouped(lambda _: 1))
    if size.storage_type is StorageType.INTELLIGENT_TIERING:
        return (
            FileSystemQuota(_fsx(_FILE_SYSTEM["tiering_throughput"]), lambda other: other.throughput_capacity_mbps),
            FileSystemQuota(_fsx(_FILE_SYSTEM["tiering_read_cache"]), lambda other: other.read_cache_gib),
            number,
        )
    storage = FileSystemQuota(_fsx(_FILE_SYSTEM["storage"][group]), grouped(lambda other: other.storage_capacity_gib))
    if size.storage_type is StorageType.HDD:
        alone = FileSystemQuota(_fsx(_FILE_SYSTEM["hdd"]), lambda other: other.storage_capacity_gib, True)
        return storage, alone, number
    return storage, number


def training_type_quota(instance_type: str, *, spot: bool) -> NamedQuota:
    """Return the quota of nodes of one type that train at one time.

    >>> training_type_quota("ml.p4d.24xlarge", spot=False).name
    'ml.p4d.24xlarge for training job usage'
    """
    pattern = _TRAINING["spot_type" if spot else "type"]
    return NamedQuota("sagemaker", pattern.format(type=instance_type), "nodes")


def training_quotas(instance_type: str, *, spot: bool, warm: bool) -> tuple[NamedQuota, ...]:
    """Return the quotas that the nodes of a job count against, that of their type first.

    Args:
        instance_type: as SageMaker spells it.
        spot: whether they are spot instances.
        warm: whether they wait for a next job in a warm pool.
    """
    jobs = ("one_spot_job", "all_spot_jobs") if spot else ("one_job", "all_jobs")
    names = [_TRAINING["warm_pool"].format(type=instance_type)] if warm else []
    names += [_TRAINING[key] for key in jobs]
    return (
        training_type_quota(instance_type, spot=spot),
        *(NamedQuota("sagemaker", name, "nodes") for name in names),
    )


def runtime_quota() -> NamedQuota:
    """Return the quota of how long one job runs."""
    return NamedQuota("sagemaker", _TRAINING["runtime"], "s")


def _fsx(row: dict[str, str]) -> NamedQuota:
    """Return a quota of FSx."""
    return NamedQuota("fsx", row["name"], row["unit"], row["code"])
