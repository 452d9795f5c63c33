"""What a bucket or prefix holds, as it was measured, and what a workload takes from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from epochwise.catalog.s3_storage import ARCHIVED_CLASSES
from epochwise.checks import measurement as remarks
from epochwise.checks.finding import Finding
from epochwise.sizing.size_distribution import SMALL_FILE_BYTES, SizeDistribution


class Method(StrEnum):
    """How it was measured."""

    LISTING = "listing"
    """Every key was listed."""
    INVENTORY = "inventory"
    """Every line of an S3 Inventory report was read."""
    METRICS = "metrics"
    """CloudWatch's daily metrics of the bucket were read."""


class Held(NamedTuple):
    """What one storage class holds."""

    objects: int | None
    """None where it is not known."""
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """One bucket or prefix, measured; each key counted once."""

    source: str
    """Its address, s3://bucket/prefix/."""
    method: Method
    measured_on: date
    """The day of the figures."""
    objects: int
    folder_markers: int
    """Objects of zero bytes whose name ends in a slash: they become directories, not files."""
    size_bytes: int
    sizes: SizeDistribution | None
    """Of the files; None where only totals are known, or there is no file."""
    storage_classes: Mapping[str, Held]
    """By the name of the storage class."""

    @property
    def files(self) -> int:
        """Objects that become files."""
        return self.objects - self.folder_markers

    @property
    def archived(self) -> dict[str, Held]:
        """Storage classes whose objects cannot be read before they are restored."""
        return {name: held for name, held in sorted(self.storage_classes.items()) if name in ARCHIVED_CLASSES}

    def findings(self) -> Iterator[Finding]:
        """Yield what is to be known before the figures are used."""
        archived = self.archived
        counts = [held.objects for held in archived.values()]
        yield from remarks.archived_objects_counted(
            objects=None if None in counts else sum(count or 0 for count in counts),
            size_bytes=sum(held.size_bytes for held in archived.values()),
            classes=", ".join(archived),
        )
        yield from remarks.estimate_counts_versions(estimated=self.method is Method.METRICS)

    def declared(self) -> dict[str, Any]:
        """Return the keys of a workload that the measurement sets, dotted."""
        return {
            "dataset.size": self.size_bytes,
            "dataset.files": self.files,
            "dataset.source": self.source,
            "dataset.measured_on": self.measured_on,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the measurement JSON-ready, as `epochwise measure --json` prints it."""
        return {
            "source": self.source,
            "method": str(self.method),
            "measured_on": self.measured_on.isoformat(),
            "objects": self.objects,
            "files": self.files,
            "folder_markers": self.folder_markers,
            "size_bytes": self.size_bytes,
            "sizes": None if self.sizes is None else _sizes_dict(self.sizes),
            "storage_classes": {name: held._asdict() for name, held in sorted(self.storage_classes.items())},
            "findings": [finding.as_dict() for finding in self.findings()],
        }


def _sizes_dict(sizes: SizeDistribution) -> dict[str, Any]:
    """Return a distribution, JSON-ready."""
    files, held = sizes.small
    return {
        "smallest_bytes": sizes.smallest_bytes,
        "mean_bytes": round(sizes.mean_bytes, 1),
        "largest_bytes": sizes.largest_bytes,
        "small": {"below_bytes": SMALL_FILE_BYTES, "files": files, "size_bytes": held},
        "ranges": [each._asdict() for each in sizes.ranges],
    }
