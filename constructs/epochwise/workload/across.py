"""Rules that look at several sections of a workload; each names its sections by its parameters."""

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

from epochwise.catalog.fsx_lustre import Family
from epochwise.catalog.legality import illegal_settings, matching_families, takes_link
from epochwise.catalog.prices import price_items
from epochwise.catalog.regions import regions
from epochwise.catalog.zones import is_of_region, zone_in_region
from epochwise.declaration.mistake import Mistake
from epochwise.workload.sections import Cluster, Dataset, FileSystem, Objective
from epochwise.workload.training_section import Training


def mistakes_across(sections: dict[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes of every rule whose sections are all there."""
    for rule in _RULES:
        names = list(signature(rule).parameters)
        if all(name in sections for name in names):
            yield from rule(*(sections[name] for name in names))


def _zone_in_region(region: str, cluster: Cluster) -> Iterator[Mistake]:
    """The Availability Zone is one of the Region's."""
    zone = cluster.availability_zone
    if zone is not None and not is_of_region(zone, region):
        near = zone_in_region(zone, region)
        yield Mistake("cluster.availability_zone", f"must be a zone of {region}, such as {near}", zone)


def _pins_are_legal(region: str, file_system: FileSystem) -> Iterator[Mistake]:
    """Some legal file system, offered in the Region, has every pinned setting."""
    key = {"deployment_type": "deployment_types"}
    anywhere = illegal_settings(file_system.wanted)
    for illegal in anywhere or illegal_settings(file_system.wanted, regions()[region]):
        yield Mistake(f"file_system.{key.get(illegal.setting, illegal.setting)}", illegal.allowed, illegal.value)


def _pin_within_quota(file_system: FileSystem) -> Iterator[Mistake]:
    """A pinned capacity lies within the account's quota."""
    capacity = file_system.storage_capacity_gib
    families = [family for family in matching_families(file_system.wanted) if isinstance(family, Family)]
    if capacity is None or not families:
        return
    quota = file_system.storage_quota_gib or max(family.default_quota_gib for family in families)
    if capacity > quota:
        yield Mistake(
            "file_system.storage_capacity_gib",
            f"must not exceed the quota of {quota} GiB; once AWS has raised it, "
            "say so in file_system.storage_quota_gib",
            capacity,
        )


def _link_fits(dataset: Dataset, file_system: FileSystem) -> Iterator[Mistake]:
    """Some pinned family can be linked to S3: Intelligent-Tiering and SCRATCH_1 cannot."""
    families = matching_families(file_system.wanted)
    if dataset.source is None or not families or any(map(takes_link, families)):
        return
    keys = ("storage_type", "throughput_capacity_mbps", "deployment_types", "storage_capacity_gib")
    key = next(key for key in keys if getattr(file_system, key) is not None)
    pinned = getattr(file_system, key)
    yield Mistake(
        f"file_system.{key}",
        "leaves only Intelligent-Tiering or SCRATCH_1, which cannot be linked to S3 as dataset.source asks; "
        "leave out either",
        [str(name) for name in pinned] if isinstance(pinned, tuple) else pinned,
    )


def _preprocessing_needs_samples(training: Training | None, dataset: Dataset) -> Iterator[Mistake]:
    """CPU seconds per sample mean something only with a number of samples."""
    if training is not None and training.preprocessing is not None and dataset.sample_count is None:
        yield Mistake(
            "training.preprocessing",
            "needs dataset.samples or dataset.files, which says how many samples there are",
            training.preprocessing,
        )


def _campaign_needs_a_price(file_system: FileSystem, cluster: Cluster) -> Iterator[Mistake]:
    """Waiting accelerators can be weighed against storage only at a known price."""
    if file_system.objective is Objective.CHEAPEST_CAMPAIGN and cluster.price_per_node_hour is None:
        yield Mistake(
            "file_system.objective",
            f"{Objective.CHEAPEST_CAMPAIGN} needs cluster.price_per_node_hour, the USD of one node for one hour",
            str(file_system.objective),
        )


def _price_items_exist(prices: dict[str, float]) -> Iterator[Mistake]:
    """A price is of an item that a plan uses."""
    for item in prices:
        if item not in price_items():
            yield Mistake(f"prices.{item}", f"must be one of {', '.join(price_items())}")


_RULES: tuple[Callable[..., Iterator[Mistake]], ...] = (
    _zone_in_region,
    _pins_are_legal,
    _pin_within_quota,
    _link_fits,
    _preprocessing_needs_samples,
    _campaign_needs_a_price,
    _price_items_exist,
)
