"""Which sizes a file system reaches without being replaced, and by which updates.

What an update does is known to `epochwise.templates` alone: each step is a diff of two small templates.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

from epochwise.catalog.fsx_lustre import Family, MetadataMode, automatic_metadata_iops, provisioned_metadata_iops
from epochwise.catalog.intelligent_tiering import TieringFamily, read_cache_gib, tiering_metadata_iops
from epochwise.catalog.legality import AnyFamily, Wanted, matching_families
from epochwise.catalog.prices import PriceTable
from epochwise.catalog.replacement import FILE_SYSTEM, LUSTRE, update_rules
from epochwise.sizing.candidate import Candidate, Size
from epochwise.sizing.existing import candidate_of_size
from epochwise.sizing.planner import preference, refusal_of
from epochwise.templates.change import Verdict
from epochwise.templates.diff import diff_templates
from epochwise.templates.file_system_update import READ_CACHE_LEAST_CHANGE
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.workload import Workload

_ORDER = (
    f"{LUSTRE}.MetadataConfiguration",
    "StorageCapacity",
    f"{LUSTRE}.ThroughputCapacity",
    f"{LUSTRE}.PerUnitStorageThroughput",
    f"{LUSTRE}.DataReadCacheConfiguration",
)
"""Metadata first: a larger capacity includes more, and takes no fewer."""
_PLACE = "FileSystem"

Setting = tuple[AnyFamily, Size]


@dataclass(frozen=True)
class UpdateStep:
    """One update of one property; FSx takes them one after the other."""

    property_name: str
    """By its path, with a dot below LustreConfiguration."""
    old: Any
    new: Any
    note: str
    """How long it takes and what is locked, from the catalog."""

    def as_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {"property": self.property_name, "from": self.old, "to": self.new, "note": self.note}


@dataclass(frozen=True)
class InPlace:
    """A size that the file system reaches; without steps it is the one it has."""

    candidate: Candidate
    steps: tuple[UpdateStep, ...]


def best_in_place(workload: Workload, there: ExistingFileSystem, prices: PriceTable | None = None) -> InPlace | None:
    """Return the size within reach that does what a workload asks for, the one to prefer; None when none does."""
    rank = preference(workload)
    reachable = (
        candidate_of_size(workload, family, size, prices) for family, size in _settings_within_reach(workload, there)
    )
    feasible = sorted((each for each in reachable if refusal_of(workload, each) is None), key=rank)
    for candidate in feasible:
        steps = update_steps((there.family, there.size), (candidate.family, candidate.size))
        if steps is not None:
            return InPlace(candidate, steps)
    return None


def update_steps(old: Setting, new: Setting) -> tuple[UpdateStep, ...] | None:
    """Return the updates that lead from one size to another, in their order; None where one of them cannot be."""
    here, there = _properties(*old), _properties(*new)
    changed = [name for name in here.keys() | there.keys() if here.get(name) != there.get(name)]
    if any(name not in _ORDER for name in changed):
        return None
    steps: list[UpdateStep] = []
    for name in sorted(changed, key=_ORDER.index):
        after = {**here, name: there.get(name)}
        changes = diff_templates(_template(here), _template(after))
        if any(change.verdict is not Verdict.IN_PLACE for change in changes):
            return None
        note = update_rules(FILE_SYSTEM)[name].note
        steps.append(UpdateStep(name, here.get(name), there.get(name), note))
        here = after
    return tuple(steps)


def _settings_within_reach(workload: Workload, there: ExistingFileSystem) -> Iterator[Setting]:
    """Yield the settings that differ from a file system's only in what FSx may update, its own first."""
    yield there.family, there.size
    match there.family:
        case Family() as family:
            quota = workload.file_system.storage_quota_gib or family.default_quota_gib
            least = there.size.storage_capacity_gib or 0
            for tier in _same_kind(family):
                capacities = (gib for gib in tier.capacities_gib(max(quota, least)) if gib >= least)
                for gib in capacities:
                    yield from ((tier, size) for size in _sizes(there.size, gib))
        case TieringFamily() as tiering:
            least = there.size.throughput_capacity_mbps or 0
            for mbps in tiering.throughputs_mbps():
                if mbps >= least:
                    yield from ((tiering, size) for size in _tiering_sizes(workload, there.size, mbps))


def _same_kind(family: Family) -> Iterator[Family]:
    """Yield the families that differ in nothing but their throughput."""
    kind = Wanted(
        deployment_types=(family.deployment_type,),
        storage_type=family.storage_type,
        drive_cache_type=family.drive_cache_type,
        efa_enabled=family.efa_enabled,
    )
    yield from (each for each in matching_families(kind) if isinstance(each, Family))


def _sizes(size: Size, capacity_gib: int) -> Iterator[Size]:
    """Yield the sizes that a file system may have at a storage capacity: they differ in metadata IOPS."""
    automatic = automatic_metadata_iops(capacity_gib)
    if size.metadata_mode in {None, MetadataMode.AUTOMATIC}:
        yield Size(capacity_gib, metadata_mode=size.metadata_mode, metadata_iops=automatic)
    if size.metadata_mode is not None:
        least = max(size.metadata_iops, automatic)
        for iops in provisioned_metadata_iops():
            if iops >= least:
                yield Size(capacity_gib, metadata_mode=MetadataMode.USER_PROVISIONED, metadata_iops=iops)


def _tiering_sizes(workload: Workload, size: Size, mbps: int) -> Iterator[Size]:
    """Yield the sizes that an Intelligent-Tiering file system may have at a throughput capacity."""
    on_disk = workload.dataset.size / workload.dataset.compression_ratio
    cache = _read_cache(size.read_cache_gib or 0, read_cache_gib(on_disk, mbps))
    for iops in tiering_metadata_iops():
        if iops >= size.metadata_iops:
            yield size._replace(throughput_capacity_mbps=mbps, read_cache_gib=cache, metadata_iops=iops)


def _read_cache(has_gib: int, needs_gib: int) -> int:
    """Return the SSD read cache to have: what there is where it is enough, else a legal step above."""
    return has_gib if has_gib >= needs_gib else max(needs_gib, ceil(round(has_gib * (1 + READ_CACHE_LEAST_CHANGE), 6)))


def _properties(family: AnyFamily, size: Size) -> dict[str, Any]:
    """Return the properties of a file system as a template has them, those of LustreConfiguration by path."""
    mode = size.metadata_mode
    properties: dict[str, Any] = {
        "StorageType": str(family.storage_type),
        "StorageCapacity": size.storage_capacity_gib,
        f"{LUSTRE}.DeploymentType": str(family.deployment_type),
        f"{LUSTRE}.PerUnitStorageThroughput": family.per_unit_storage_throughput,
        f"{LUSTRE}.DriveCacheType": None if family.drive_cache_type is None else str(family.drive_cache_type),
        f"{LUSTRE}.EfaEnabled": family.efa_enabled or None,
        f"{LUSTRE}.ThroughputCapacity": size.throughput_capacity_mbps,
    }
    if mode is not None:
        automatic = mode is MetadataMode.AUTOMATIC
        iops = {} if automatic else {"Iops": size.metadata_iops}
        properties[f"{LUSTRE}.MetadataConfiguration"] = {"Mode": str(mode)} | iops
    if size.read_cache_gib:
        cache = {"SizingMode": "USER_PROVISIONED", "SizeGiB": size.read_cache_gib}
        properties[f"{LUSTRE}.DataReadCacheConfiguration"] = cache
    return {name: value for name, value in properties.items() if value is not None}


def _template(properties: dict[str, Any]) -> dict[str, Any]:
    """Return a template that holds a file system of these properties and nothing else."""
    inside = {name.partition(".")[2]: value for name, value in properties.items() if name.startswith(f"{LUSTRE}.")}
    outside = {name: value for name, value in properties.items() if "." not in name}
    return {
        "Resources": {
            _PLACE: {
                "Type": FILE_SYSTEM,
                "Properties": {"FileSystemType": "LUSTRE"} | outside | {LUSTRE: inside},
            }
        }
    }
