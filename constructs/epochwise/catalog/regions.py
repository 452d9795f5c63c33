"""Regions, and which kinds of FSx for Lustre file system each offers."""

from dataclasses import dataclass
from functools import cache

from epochwise.catalog.data_file import load


@dataclass(frozen=True)
class Region:
    """One AWS Region as FSx for Lustre sees it.

    Source: User Guide, using-fsx-lustre and ssd-storage; see `data/regions.json`.
    """

    code: str
    name: str
    deployment_types: frozenset[str]
    persistent_2_tiers: frozenset[int]
    """Per-unit storage throughput in MB/s/TiB that PERSISTENT_2 SSD offers here."""
    efa: bool
    """Whether EFA-enabled file systems can be created here."""
    intelligent_tiering: bool
    reduced_network_burst: bool
    """Whether PERSISTENT_1's network burst is the lower one."""


@cache
def regions() -> dict[str, Region]:
    """Return every known Region by its code."""
    return {
        code: Region(
            code=code,
            name=row["name"],
            deployment_types=frozenset(row["deployment_types"]),
            persistent_2_tiers=frozenset(row["persistent_2_tiers"]),
            efa=row["efa"],
            intelligent_tiering=row["intelligent_tiering"],
            reduced_network_burst=row["reduced_network_burst"],
        )
        for code, row in load("regions")["rows"].items()
    }


REGIONS_AS_OF: str = load("regions")["meta"]["date"]
"""The day of what is known of the Regions, YYYY-MM-DD."""
