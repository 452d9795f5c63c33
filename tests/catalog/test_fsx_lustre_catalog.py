"""What holds for every family of file system, and what AWS's pages say of single ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    DriveCacheType,
    Family,
    StorageType,
    automatic_metadata_iops,
    families,
    mds_count,
    provisioned_metadata_iops,
)
from epochwise.catalog.prices import catalog_prices
from epochwise.catalog.regions import regions


def family(
    deployment_type: str, tier: int | None, *, efa: bool = False, drive_cache: DriveCacheType | None = None
) -> Family:
    """Return one family; the tier tells HDD from SSD, the drive cache the two kinds of HDD."""
    wanted = (deployment_type, tier, efa, drive_cache)
    [found] = [
        row
        for row in families()
        if (row.deployment_type, row.per_unit_storage_throughput, row.efa_enabled, row.drive_cache_type) == wanted
    ]
    return found


def label(row: Family) -> str:
    """Name a family in a test's id."""
    return "-".join(
        [
            row.price_item,
            *(["EFA"] if row.efa_enabled else []),
            *([row.drive_cache_type] if row.drive_cache_type else []),
        ]
    )


def test_there_are_seventeen_families_and_none_twice() -> None:
    assert len(families()) == len({label(row) for row in families()}) == 17


@pytest.mark.parametrize("row", families(), ids=label)
def test_a_familys_rates_are_consistent(row: Family) -> None:
    assert row.disk_write <= row.disk_read <= (row.disk_read_burst or row.disk_read)
    assert row.disk_read <= row.network <= (row.network_burst or row.network)
    assert row.per_unit_storage_throughput in {None, row.disk_read}
    assert row.capacity_step_gib % row.gib_per_oss == 0
    assert row.ram_gib >= 0
    assert catalog_prices().price("us-east-1", row.price_item) is not None


@pytest.mark.parametrize("row", families(), ids=label)
def test_only_hdd_has_a_drive_cache_and_only_persistent_2_a_metadata_configuration(row: Family) -> None:
    assert (row.drive_cache_type is not None) is (row.storage_type is StorageType.HDD)
    assert row.has_metadata_configuration is (row.deployment_type is DeploymentType.PERSISTENT_2)
    assert row.efa_enabled <= row.has_metadata_configuration
    assert row.default_quota_gib == (102_000 if row.storage_type is StorageType.HDD else 100_800)


@pytest.mark.parametrize("tier", [12, 40])
def test_a_read_cache_is_a_fifth_of_the_hdds_and_gives_200_mbps_per_tib_of_its_own(tier: int) -> None:
    # User Guide, ssd-storage: 200 GiB of cache per TiB of HDD, 200 MB/s of disk per TiB of cache
    cached, plain = (
        family("PERSISTENT_1", tier, drive_cache=kind) for kind in (DriveCacheType.READ, DriveCacheType.NONE)
    )
    assert (cached.ssd_cache_gib, cached.ssd_cache_read) == (200, 40)
    assert (plain.ssd_cache_gib, plain.ssd_cache_read) == (0, 0)
    assert cached.ssd_cache_read <= cached.network
    assert cached.capacity_step_gib == plain.capacity_step_gib == {12: 6000, 40: 1800}[tier]


def test_a_family_is_equal_to_itself_alone() -> None:
    assert len(set(families())) == len(families())
    assert families()[0] == families()[0]
    assert families()[0] != families()[1]


@pytest.mark.parametrize("tier", [125, 250, 500, 1000])
def test_one_efa_server_gives_4800_mbps_at_every_tier(tier: int) -> None:
    row = family("PERSISTENT_2", tier, efa=True)
    assert row.capacity_step_gib * row.disk_read / 1000 == 4800
    assert row.oss_count(row.capacity_step_gib) == 1


@pytest.mark.parametrize(
    ("deployment_type", "tier", "legal", "illegal"),
    [
        ("SCRATCH_1", None, [1200, 2400, 3600, 7200], [0, -3600, 4800, 1201]),
        ("SCRATCH_2", None, [1200, 2400, 4800, 7200], [0, -2400, 600, 3600]),
        ("PERSISTENT_1", 50, [1200, 2400, 100_800], [1199, 3600]),
        ("PERSISTENT_1", 12, [6000, 12_000], [1200, 1800]),
        ("PERSISTENT_1", 40, [1800, 3600], [1200, 6001]),
        ("PERSISTENT_2", 500, [1200, 2400, 4800], [600, 3600, 18_001]),
    ],
)
def test_legal_capacities_are_awss(
    deployment_type: str, tier: int | None, legal: list[int], illegal: list[int]
) -> None:
    drive_cache = DriveCacheType.NONE if tier in {12, 40} else None
    row = family(deployment_type, tier, drive_cache=drive_cache)
    assert all(row.is_capacity(gib) for gib in legal)
    assert not any(row.is_capacity(gib) for gib in illegal)


@given(st.sampled_from(families()), st.integers(-1000, 200_000))
def test_nearest_capacities_enclose_and_are_legal(row: Family, gib: int) -> None:
    nearest = row.nearest_capacities_gib(gib)
    assert all(row.is_capacity(near) for near in nearest)
    every = list(row.capacities_gib(300_000))
    assert [near for near in every if near <= gib][-1:] + [near for near in every if near > gib][:1] == nearest


@given(st.sampled_from(families()), st.integers(0, 200_000))
def test_capacities_are_all_legal_ones_up_to_a_bound(row: Family, bound: int) -> None:
    listed = list(row.capacities_gib(bound))
    assert listed == sorted(set(listed))
    assert set(listed) == {gib for gib in range(0, bound + 1, 100) if row.is_capacity(gib)}


@pytest.mark.parametrize(
    ("gib", "iops"),
    [
        (1200, 1500),
        (2400, 3000),
        (4800, 6000),
        (9600, 6000),
        (12_000, 12_000),
        (45_600, 12_000),
        (48_000, 24_000),
        (72_000, 36_000),
        (10_000_000, 192_000),
    ],
)
def test_automatic_metadata_follows_the_table(gib: int, iops: int) -> None:
    assert automatic_metadata_iops(gib) == iops
    assert iops in provisioned_metadata_iops()


def test_one_metadata_server_serves_12000_iops() -> None:
    assert [mds_count(iops) for iops in (1500, 12_000, 24_000, 36_000)] == [1, 1, 2, 3]


def test_regions_without_persistent_2_offer_the_older_types_and_the_others_persistent_2() -> None:
    for region in regions().values():
        if DeploymentType.PERSISTENT_2 not in region.deployment_types:
            assert region.code in {"me-south-1", "me-central-1"}
            assert not region.persistent_2_tiers
            assert not region.efa
        else:
            assert region.persistent_2_tiers >= {125, 250}
