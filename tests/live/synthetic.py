"""What the synthetic bucket holds, counted plainly, beside what a measurement says."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

from benchmarks.synthetic_bucket import Stored, synthetic_objects
from epochwise.sizing.measurement import Measurement


@dataclass(frozen=True)
class Truth:
    """Everything that a measurement has to say."""

    objects: int
    folder_markers: int
    size_bytes: int
    smallest_bytes: int
    largest_bytes: int
    by_power: dict[int, tuple[int, int]]
    """Files and bytes by the number of bits of their size."""
    archived: tuple[int, int]
    """Objects and bytes."""


@cache
def truth(count: int, prefix: str) -> Truth:
    """Count the synthetic bucket's objects under a prefix."""
    return truth_of([each for each in synthetic_objects(count) if each.key.startswith(prefix)])


def truth_of(stored: list[Stored]) -> Truth:
    """Count objects."""
    files = [each for each in stored if each.size or not each.key.endswith("/")]
    numbers = Counter(each.size.bit_length() for each in files)
    held: Counter[int] = Counter()
    for each in files:
        held[each.size.bit_length()] += each.size
    archived = [each.size for each in stored if each.storage_class == "DEEP_ARCHIVE"]
    return Truth(
        objects=len(stored),
        folder_markers=len(stored) - len(files),
        size_bytes=sum(each.size for each in stored),
        smallest_bytes=min(each.size for each in files),
        largest_bytes=max(each.size for each in files),
        by_power={power: (numbers[power], held[power]) for power in sorted(numbers)},
        archived=(len(archived), sum(archived)),
    )


def truth_measured(measured: Measurement) -> Truth:
    """Return what a measurement says, in the same form."""
    sizes = measured.sizes
    assert sizes is not None
    assert measured.files == sizes.files
    archived = [(held.objects or 0, held.size_bytes) for held in measured.archived.values()]
    return Truth(
        objects=measured.objects,
        folder_markers=measured.folder_markers,
        size_bytes=measured.size_bytes,
        smallest_bytes=sizes.smallest_bytes,
        largest_bytes=sizes.largest_bytes,
        by_power={each.from_bytes.bit_length(): (each.files, each.size_bytes) for each in sizes.ranges},
        archived=(sum(objects for objects, _ in archived), sum(size for _, size in archived)),
    )
