"""Which combinations of FSx for Lustre settings are a legal file system: the one place that knows.

The workload's pins, the planner's candidates and the constructs' arguments all come here.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from epochwise.catalog.fsx_lustre import DeploymentType, Family, StorageType, families
from epochwise.catalog.regions import Region


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
    efa_enabled: bool | None = None


def matching_families(wanted: Wanted, among: Iterable[Family] | None = None) -> list[Family]:
    """Return the families that agree with every setting, capacity included."""
    return [
        family
        for family in (families() if among is None else among)
        if (wanted.deployment_types is None or family.deployment_type in wanted.deployment_types)
        and wanted.storage_type in {None, family.storage_type}
        and wanted.per_unit_storage_throughput in {None, family.per_unit_storage_throughput}
        and wanted.efa_enabled in {None, family.efa_enabled}
        and (wanted.storage_capacity_gib is None or family.is_capacity(wanted.storage_capacity_gib))
    ]


def offered_families(region: Region) -> list[Family]:
    """Return the families that a Region offers."""
    return [family for family in families() if _is_offered(family, region)]


def _is_offered(family: Family, region: Region) -> bool:
    """Tell whether a Region has a family."""
    if family.deployment_type not in region.deployment_types or (family.efa_enabled and not region.efa):
        return False
    return (
        family.deployment_type is not DeploymentType.PERSISTENT_2
        or family.per_unit_storage_throughput in region.persistent_2_tiers
    )


def illegal_settings(wanted: Wanted, region: Region | None = None) -> list[Illegal]:
    """Return why no legal file system has these settings, in a Region or anywhere; empty when one has.

    Settings are narrowed one by one in the order of their weight, and the first that leaves nothing is at fault.
    """
    known = families() if region is None else offered_families(region)
    where = "" if region is None else f" in {region.code}"
    left: list[Family] = list(known)
    context = ""
    steps: list[tuple[str, object, Wanted]] = [
        ("deployment_type", _listed(wanted.deployment_types), Wanted(deployment_types=wanted.deployment_types)),
        ("storage_type", wanted.storage_type, Wanted(storage_type=wanted.storage_type)),
        ("efa_enabled", wanted.efa_enabled, Wanted(efa_enabled=wanted.efa_enabled)),
        (
            "per_unit_storage_throughput",
            wanted.per_unit_storage_throughput,
            Wanted(per_unit_storage_throughput=wanted.per_unit_storage_throughput),
        ),
    ]
    for setting, value, narrowed in steps:
        if value is None:
            continue
        matching = matching_families(narrowed, left)
        if not matching:
            return [Illegal(setting, value, f"must be {_alternatives(setting, left)}{context}{where}")]
        left = matching
        context += f" with {setting} {value}" if context else f" for {setting} {value}"
    capacity = wanted.storage_capacity_gib
    if capacity is not None and not any(family.is_capacity(capacity) for family in left):
        nearest = sorted({near for family in left for near in family.nearest_capacities_gib(capacity)})
        below = [gib for gib in nearest if gib < capacity][-1:]
        above = [gib for gib in nearest if gib > capacity][:1]
        near = " or ".join(str(gib) for gib in below + above)
        return [
            Illegal(
                "storage_capacity_gib",
                capacity,
                f"must be {_capacity_rule(left)}{context}{where}; nearest legal: {near}",
            )
        ]
    return []


def _listed(deployment_types: Collection[DeploymentType] | None) -> str | None:
    """Render deployment types for a message, None when they are left open."""
    return None if deployment_types is None else " or ".join(sorted(deployment_types))


def _alternatives(setting: str, left: Iterable[Family]) -> str:
    """Render the values of a setting that the families left would allow."""
    attribute = {"deployment_type": "deployment_type"}.get(setting, setting)
    values = {getattr(family, attribute) for family in left}
    if values == {None}:
        return "absent"
    numbers = sorted(value for value in values if isinstance(value, int) and not isinstance(value, bool))
    words = sorted(
        str(value).lower() if isinstance(value, bool) else str(value)
        for value in values
        if not isinstance(value, int) or isinstance(value, bool)
    )
    return " or ".join([str(number) for number in numbers] + [word for word in words if word != "None"])


def _capacity_rule(left: Iterable[Family]) -> str:
    """Render the legal capacities of families in words."""
    rules = {(family.capacity_exact_gib, family.capacity_step_gib) for family in left}
    return " or ".join(
        ", ".join([*(str(gib) for gib in exact), f"a multiple of {step}"]) for exact, step in sorted(rules)
    )
