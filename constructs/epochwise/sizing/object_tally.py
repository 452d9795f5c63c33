"""Count the objects of a bucket, in bounded memory: no key is kept."""

from collections.abc import Sequence
from datetime import date
from itertools import compress

from epochwise.sizing.measurement import Held, Measurement, Method
from epochwise.sizing.size_distribution import SizeTally

_SLASH = ("/", "%2F", "%2f")
"""The end of a folder marker's key, percent-encoded or not."""


class ObjectTally:
    """Objects, their sizes and storage classes, counted one after the other."""

    def __init__(self) -> None:
        """Start with no object."""
        self.objects = 0
        self._markers = 0
        self._sizes = SizeTally()
        self._classes: dict[str, tuple[int, int]] = {}

    def add(self, keys: Sequence[str], sizes: Sequence[int], storage_classes: Sequence[str]) -> None:
        """Count objects; each sequence has one entry an object, sizes in bytes.

        Args:
            keys: percent-encoded or not: all that is asked of them is whether they end in a slash.
            sizes: bytes.
            storage_classes: names.
        """
        self.objects += len(sizes)
        for name in {*storage_classes}:
            held = [*compress(sizes, (each == name for each in storage_classes))]
            objects, size = self._classes.get(name, (0, 0))
            self._classes[name] = objects + len(held), size + sum(held)
        if 0 in sizes:
            files = [bool(size) or not key.endswith(_SLASH) for key, size in zip(keys, sizes, strict=True)]
            self._markers += files.count(False)
            sizes = [*compress(sizes, files)]
        self._sizes.add(sizes)

    def merge(self, other: "ObjectTally") -> None:
        """Count what another tally has counted."""
        self.objects += other.objects
        self._markers += other._markers
        self._sizes.merge(other._sizes)
        for name, (objects, size) in other._classes.items():
            mine, bytes_of_mine = self._classes.get(name, (0, 0))
            self._classes[name] = mine + objects, bytes_of_mine + size

    def measurement(self, source: str, method: Method, measured_on: date) -> Measurement:
        """Return what was counted."""
        return Measurement(
            source=source,
            method=method,
            measured_on=measured_on,
            objects=self.objects,
            folder_markers=self._markers,
            size_bytes=sum(size for _, size in self._classes.values()),
            sizes=self._sizes.distribution(),
            storage_classes={name: Held(objects, size) for name, (objects, size) in self._classes.items()},
        )
