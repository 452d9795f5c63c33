"""Objects are counted exactly: files apart from folder markers, in powers of two."""

import random
from datetime import date
from itertools import pairwise

import pytest

from benchmarks.synthetic_bucket import Stored
from epochwise.catalog.fsx_lustre import automatic_metadata_iops
from epochwise.sizing.measurement import Measurement, Method
from epochwise.sizing.object_tally import ObjectTally
from epochwise.sizing.size_distribution import SMALL_FILE_BYTES
from tests.live.synthetic import truth_measured, truth_of

DAY = date(2026, 10, 9)
EDGES = [0, 1, 2, 3, 4, 1023, 1024, 1025, SMALL_FILE_BYTES - 1, SMALL_FILE_BYTES, 5 * 2**40]


def tallied(*batches: list[Stored]) -> Measurement:
    """Count batches of objects."""
    tally = ObjectTally()
    for batch in batches:
        tally.add([each.key for each in batch], [each.size for each in batch], [each.storage_class for each in batch])
    return tally.measurement("s3://bucket/", Method.LISTING, DAY)


def test_the_edges_of_powers_of_two_fall_into_the_upper_range() -> None:
    stored = [Stored(f"{place}", size) for place, size in enumerate(EDGES)]
    measured = tallied(stored)
    assert truth_measured(measured) == truth_of(stored)
    assert measured.sizes is not None
    assert all(low.below_bytes <= high.from_bytes for low, high in pairwise(measured.sizes.ranges))
    assert [each.files for each in measured.sizes.ranges if each.from_bytes == 1024] == [2]


def test_only_an_empty_object_whose_name_ends_in_a_slash_is_a_folder_marker() -> None:
    stored = [Stored("a/", 0), Stored("b%2F", 0), Stored("c/", 1), Stored("d", 0)]
    measured = tallied(stored)
    assert (measured.objects, measured.folder_markers, measured.files) == (4, 2, 2)
    assert measured.size_bytes == 1


def test_a_bucket_of_folder_markers_has_no_sizes() -> None:
    measured = tallied([Stored("a/", 0)])
    assert (measured.files, measured.sizes) == (0, None)


@pytest.mark.parametrize("seed", range(5))
def test_counting_in_parts_is_counting_at_once(seed: int) -> None:
    dice = random.Random(seed)
    stored = [
        Stored(dice.choice(["a", "b/"]), dice.choice([0, dice.getrandbits(dice.randrange(1, 45))]), dice.choice("XYZ"))
        for _ in range(500)
    ]
    cut = dice.randrange(500)
    whole, first, second = ObjectTally(), ObjectTally(), ObjectTally()
    for tally, part in ((whole, stored), (first, stored[:cut]), (second, stored[cut:])):
        tally.add([each.key for each in part], [each.size for each in part], [each.storage_class for each in part])
    first.merge(second)
    first.merge(ObjectTally())
    together = first.measurement("s3://bucket/", Method.LISTING, DAY)
    assert together == whole.measurement("s3://bucket/", Method.LISTING, DAY)
    assert truth_measured(together) == truth_of(stored)


def test_small_is_below_the_bound_by_number_and_by_bytes() -> None:
    measured = tallied([Stored("a", SMALL_FILE_BYTES - 1), Stored("b", SMALL_FILE_BYTES), Stored("c", 0)])
    assert measured.sizes is not None
    assert measured.sizes.small == (2, SMALL_FILE_BYTES - 1)


def test_the_bound_of_small_files_is_what_the_fastest_tier_reads_for_each_open() -> None:
    capacities_gib = [1200, *range(2400, 100_801, 2400)]
    mb_for_each_open = [gib / 1000 * 1000 / (2 * automatic_metadata_iops(gib)) for gib in capacities_gib]
    assert (min(mb_for_each_open), max(mb_for_each_open)) == pytest.approx((0.4, 1.9))
    assert min(mb_for_each_open) < SMALL_FILE_BYTES / 1e6 < max(mb_for_each_open)


def test_a_measurement_declares_what_a_workload_takes() -> None:
    measured = tallied([Stored("a", 5), Stored("b/", 0)])
    assert measured.declared() == {
        "dataset.size": 5,
        "dataset.files": 1,
        "dataset.source": "s3://bucket/",
        "dataset.measured_on": DAY,
    }
    assert measured.as_dict()["sizes"]["mean_bytes"] == 5.0
