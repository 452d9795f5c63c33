"""Which combinations of FSx for Lustre settings are a legal file system: the one place that knows.

The workload's pins, the planner's candidates and the constructs' arguments all come here.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, Family, StorageType, families
from epochwise.catalog.intelligent_tiering import (
    THROUGHPUT_MAX_MBPS,
    THROUGHPUT_STEP_MBPS,
    TieringFamily,
    tiering_families,
)
from epochwise.catalog.regions import Region

AnyFamily = Family | TieringFamily


def every_family() -> tuple[AnyFamily, ...]:
    """Return every family of file system that AWS sells."""
    return (*families(), *tiering_families())


@dataclass(frozen=True)
class Illegal:
    """Why a combination is no legal file system."""

    setting: str
    """The setting at fault, named as in CloudFormation but in snake case."""
    value: object
    allowed: str
    """What is allowed, with the nearest legal values where there are any."""

    def __str__(self) -> str:
        """Render as one line."""
        return f"{self.setting} {self.allowed}, got {self.value}"


@dataclass(frozen=True)
class Wanted:
    """Settings of a file system; None leaves one open."""

    deployment_types: Collection[DeploymentType] | None = None
    storage_type: StorageType | None = None
    storage_capacity_gib: int | None = None
    per_unit_storage_throughput: int | None = None
    drive_cache_type: DriveCacheType | None = None
    efa_enabled: bool | None = None
    throughput_capacity_mbps: int | None = None


def matching_families(wanted: Wanted, among: Iterable[AnyFamily] | None = None) -> list[AnyFamily]:
    """Return the families that agree with every setting, size included."""
    return [
        family
        for family in (every_family() if among is None else among)
        if (wanted.deployment_types is None or family.deployment_type in wanted.deployment_types)
        and wanted.storage_type in {None, family.storage_type}
        and wanted.per_unit_storage_throughput in {None, family.per_unit_storage_throughput}
        and wanted.drive_cache_type in {None, family.drive_cache_type}
        and wanted.efa_enabled in {None, family.efa_enabled}
        and _has_size(family, wanted)
    ]


def _has_size(family: AnyFamily, wanted: Wanted) -> bool:
    """Tell whether a family has the wanted capacity or throughput capacity."""
    capacity, throughput = wanted.storage_capacity_gib, wanted.throughput_capacity_mbps
    match family:
        case Family():
            return throughput is None and (capacity is None or family.is_capacity(capacity))
        case TieringFamily():
            return capacity is None and (throughput is None or family.is_throughput(throughput))


def takes_link(family: AnyFamily) -> bool:
    """Tell whether a family can be linked to S3. Source: botocore 1.44.8, DataRepositoryAssociation."""
    return not isinstance(family, TieringFamily) and family.deployment_type is not DeploymentType.SCRATCH_1


def offered_families(region: Region) -> list[AnyFamily]:
    """Return the families that a Region offers."""
    return [family for family in every_family() if _is_offered(family, region)]


def _is_offered(family: AnyFamily, region: Region) -> bool:
    """Tell whether a Region has a family."""
    if family.deployment_type not in region.deployment_types or (family.efa_enabled and not region.efa):
        return False
    if isinstance(family, TieringFamily):
        return region.intelligent_tiering
    return (
        family.deployment_type is not DeploymentType.PERSISTENT_2
        or family.per_unit_storage_throughput in region.persistent_2_tiers
    )


def illegal_settings(wanted: Wanted, region: Region | None = None) -> list[Illegal]:
    """Return why no legal file system has these settings, in a Region or anywhere; empty when one has.

    Settings are narrowed one by one in the order of their weight, and the first that leaves nothing is at fault.
    """
    left: list[AnyFamily] = list(every_family() if region is None else offered_families(region))
    where = "" if region is None else f" in {region.code}"
    context = ""
    for setting, value, narrowed in _steps(wanted):
        if value is None:
            continue
        matching = matching_families(narrowed, left)
        if not matching:
            return [Illegal(setting, value, f"must be {_alternatives(setting, left)}{context}{where}")]
        left = matching
        context += f" with {setting} {value}" if context else f" for {setting} {value}"
    capacity, throughput = wanted.storage_capacity_gib, wanted.throughput_capacity_mbps
    if capacity is not None and throughput is not None:
        allowed = "must be absent beside storage_capacity_gib: only Intelligent-Tiering has it, and no storage capacity"
        return [Illegal("throughput_capacity_mbps", throughput, allowed)]
    if capacity is not None:
        return _illegal_capacity(capacity, left, context + where)
    if throughput is not None:
        return _illegal_throughput(throughput, left, context + where)
    return []


def _steps(wanted: Wanted) -> list[tuple[str, object, Wanted]]:
    """Return the settings one by one, in the order of their weight."""
    return [
        ("deployment_type", _listed(wanted.deployment_types), Wanted(deployment_types=wanted.deployment_types)),
        ("storage_type", wanted.storage_type, Wanted(storage_type=wanted.storage_type)),
        ("efa_enabled", wanted.efa_enabled, Wanted(efa_enabled=wanted.efa_enabled)),
        (
            "per_unit_storage_throughput",
            wanted.per_unit_storage_throughput,
            Wanted(per_unit_storage_throughput=wanted.per_unit_storage_throughput),
        ),
        ("drive_cache_type", wanted.drive_cache_type, Wanted(drive_cache_type=wanted.drive_cache_type)),
    ]


def _illegal_capacity(capacity_gib: int, left: Iterable[AnyFamily], context: str) -> list[Illegal]:
    """Return why no family left has a storage capacity, with the nearest legal ones."""
    provisioned = [family for family in left if isinstance(family, Family)]
    if any(family.is_capacity(capacity_gib) for family in provisioned):
        return []
    if not provisioned:
        allowed = f"must be absent{context}: its storage is elastic; throughput_capacity_mbps is its size"
        return [Illegal("storage_capacity_gib", capacity_gib, allowed)]
    nearest = sorted({near for family in provisioned for near in family.nearest_capacities_gib(capacity_gib)})
    below = [gib for gib in nearest if gib < capacity_gib][-1:]
    above = [gib for gib in nearest if gib > capacity_gib][:1]
    near = " or ".join(str(gib) for gib in below + above)
    return [
        Illegal(
            "storage_capacity_gib",
            capacity_gib,
            f"must be {_capacity_rule(provisioned)}{context}; nearest legal: {near}",
        )
    ]


def _illegal_throughput(mbps: int, left: Iterable[AnyFamily], context: str) -> list[Illegal]:
    """Return why no family left has a throughput capacity, with the nearest legal ones."""
    tiering = [family for family in left if isinstance(family, TieringFamily)]
    if not tiering:
        allowed = f"must be absent{context}: only storage_type INTELLIGENT_TIERING has it"
        return [Illegal("throughput_capacity_mbps", mbps, allowed)]
    if tiering[0].is_throughput(mbps):
        return []
    below = min(max(mbps, 0), THROUGHPUT_MAX_MBPS) // THROUGHPUT_STEP_MBPS * THROUGHPUT_STEP_MBPS
    near = " or ".join(str(legal) for legal in (below, below + THROUGHPUT_STEP_MBPS) if tiering[0].is_throughput(legal))
    allowed = f"must be a multiple of {THROUGHPUT_STEP_MBPS}{context}; nearest legal: {near}"
    return [Illegal("throughput_capacity_mbps", mbps, allowed)]


def _listed(deployment_types: Collection[DeploymentType] | None) -> str | None:
    """Render deployment types for a message, None when they are left open."""
    return None if deployment_types is None else " or ".join(sorted(deployment_types))


def _alternatives(setting: str, left: Iterable[AnyFamily]) -> str:
    """Render the values of a setting that the families left would allow.

    Numbers come first, then words; where only some families have the setting, those without are not mentioned.
    """
    values = {getattr(family, setting) for family in left} - {None}
    if not values:
        return "absent"
    numbers = sorted(value for value in values if type(value) is int)
    words = sorted(str(value).lower() if type(value) is bool else str(value) for value in values - set(numbers))
    return " or ".join([*(str(number) for number in numbers), *words])


def _capacity_rule(left: Iterable[Family]) -> str:
    """Render the legal capacities of families in words, the smallest step first."""
    rules = {(family.capacity_step_gib, family.capacity_exact_gib) for family in left}
    return " or ".join(
        ", ".join([*(str(gib) for gib in exact), f"a multiple of {step}"]) for step, exact in sorted(rules)
    )
