"""Intelligent-Tiering: what AWS's pages say per 4000 MB/s of throughput capacity, and the limits of the read cache."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.catalog import intelligent_tiering as tiering
from epochwise.catalog.fsx_lustre import mds_count

GIB = 2**30


def test_there_are_two_families_with_and_without_efa_and_nothing_else_differs() -> None:
    plain, over_efa = tiering.tiering_families()
    assert (plain.efa_enabled, over_efa.efa_enabled) == (False, True)
    for row in (plain, over_efa):
        assert (row.deployment_type, row.storage_type) == ("PERSISTENT_2", "INTELLIGENT_TIERING")
        assert row.per_unit_storage_throughput is row.drive_cache_type is None
        assert row.has_metadata_configuration
    assert tiering.tiering_families() == (plain, over_efa)


@pytest.mark.parametrize(
    ("mbps", "legal"),
    [
        (-4000, False),
        (0, False),
        (1000, False),
        (2000, False),
        (3999, False),
        (4000, True),
        (4001, False),
        (6000, False),
        (8000, True),
        (2_000_000, True),
        (2_004_000, False),
    ],
)
def test_a_throughput_capacity_is_a_multiple_of_4000_up_to_two_million(mbps: int, legal: bool) -> None:
    assert [row.is_throughput(mbps) for row in tiering.tiering_families()] == [legal, legal]


@given(st.integers(0, 3_000_000))
def test_throughputs_are_all_legal_ones_up_to_a_bound(bound: int) -> None:
    row = tiering.tiering_families()[0]
    listed = list(row.throughputs_mbps(bound))
    assert listed == [mbps for mbps in range(0, bound + 1, 1000) if row.is_throughput(mbps)]


def test_the_default_quota_bounds_the_search() -> None:
    listed = list(tiering.tiering_families()[1].throughputs_mbps())
    assert (listed[0], listed[-1], len(listed)) == (4000, 100_000, 25)


@pytest.mark.parametrize("steps", [1, 2, 25])
def test_every_4000_mbps_is_one_server_with_its_disk_network_and_ram(steps: int) -> None:
    # User Guide, intelligent-tiering-file-systems: 12 500 MBps of network, 76.8 GB of RAM, 4000 MBps of SSD cache
    mbps = 4000 * steps
    assert tiering.servers(mbps) == steps
    assert tiering.disk_mbps(mbps) == 4000 * steps
    assert tiering.network_mbps(mbps) == 12_500 * steps
    assert tiering.ram_bytes(mbps) == pytest.approx(76.8e9 * steps)
    assert tiering.stored_limit_gib(mbps) == 512 * 1024 * steps


@pytest.mark.parametrize(
    ("on_disk_bytes", "mbps", "gib"),
    [
        (1, 4000, 32),
        (29 * GIB, 4000, 32),
        (30 * GIB, 4000, 33),
        (100 * GIB, 4000, 111),
        (100 * GIB, 16_000, 128),
        (1e12, 4000, 1025),
    ],
)
def test_the_read_cache_is_a_tenth_larger_than_the_data_and_at_least_the_minimum(
    on_disk_bytes: float, mbps: int, gib: int
) -> None:
    assert tiering.read_cache_gib(on_disk_bytes, mbps) == gib


@given(st.floats(1, 1e17), st.integers(1, 25))
def test_the_read_cache_holds_the_data_and_is_not_a_gib_too_large(on_disk_bytes: float, steps: int) -> None:
    gib = tiering.read_cache_gib(on_disk_bytes, 4000 * steps)
    assert gib * GIB >= on_disk_bytes * 1.1 * (1 - 1e-12)
    assert gib == 32 * steps or (gib - 1) * GIB < on_disk_bytes * 1.1


def test_the_read_cache_is_limited_by_its_ratio_which_is_above_the_quota() -> None:
    assert [tiering.read_cache_limit_gib(mbps) for mbps in (4000, 100_000)] == [100_800, 100_800]


def test_metadata_iops_are_the_two_that_the_user_guide_has_on_one_server() -> None:
    assert tiering.tiering_metadata_iops() == (6000, 12_000)
    assert {mds_count(iops) for iops in tiering.tiering_metadata_iops()} == {1}
