"""What holds for every family of file system, and what AWS's pages say of single ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    Family,
    automatic_metadata_iops,
    families,
    mds_count,
    provisioned_metadata_iops,
)
from epochwise.catalog.legality import Wanted, illegal_settings
from epochwise.catalog.prices import price
from epochwise.catalog.regions import regions


def family(deployment_type: str, tier: int | None, *, efa: bool = False) -> Family:
    """Return one family."""
    [found] = [
        row
        for row in families()
        if (row.deployment_type, row.per_unit_storage_throughput, row.efa_enabled) == (deployment_type, tier, efa)
    ]
    return found


def test_there_are_fifteen_families_and_none_twice() -> None:
    keys = [(f.deployment_type, f.storage_type, f.per_unit_storage_throughput, f.efa_enabled) for f in families()]
    assert len(keys) == len(set(keys)) == 15


@pytest.mark.parametrize("row", families(), ids=lambda row: f"{row.price_item}{'-EFA' if row.efa_enabled else ''}")
def test_a_familys_rates_are_consistent(row: Family) -> None:
    assert row.disk_write <= row.disk_read <= (row.disk_read_burst or row.disk_read)
    assert row.disk_read <= row.network <= (row.network_burst or row.network)
    assert row.per_unit_storage_throughput in {None, row.disk_read}
    assert row.capacity_step_gib % row.gib_per_oss == 0
    assert row.ram_gib >= 0
    assert price("us-east-1", row.price_item) is not None


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
    row = family(deployment_type, tier)
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


@pytest.mark.parametrize(
    ("wanted", "setting", "words"),
    [
        (Wanted(deployment_types=[DeploymentType.SCRATCH_2], efa_enabled=True), "efa_enabled", "false"),
        (
            Wanted(deployment_types=[DeploymentType.SCRATCH_2], per_unit_storage_throughput=200),
            "per_unit_storage_throughput",
            "absent",
        ),
        (
            Wanted(deployment_types=[DeploymentType.PERSISTENT_1], per_unit_storage_throughput=125),
            "per_unit_storage_throughput",
            "100",
        ),
        (
            Wanted(efa_enabled=True, per_unit_storage_throughput=1000, storage_capacity_gib=2400),
            "storage_capacity_gib",
            "nearest legal: 4800",
        ),
        (Wanted(per_unit_storage_throughput=40, storage_capacity_gib=2400), "storage_capacity_gib", "1800 or 3600"),
        (
            Wanted(deployment_types=[DeploymentType.SCRATCH_1], storage_capacity_gib=4800),
            "storage_capacity_gib",
            "3600 or 7200",
        ),
    ],
)
def test_an_illegal_combination_names_the_setting_and_what_is_allowed(wanted: Wanted, setting: str, words: str) -> None:
    [illegal] = illegal_settings(wanted)
    assert illegal.setting == setting
    assert words in illegal.allowed
    assert str(illegal).endswith(f"got {illegal.value}")


def test_every_legal_combination_passes() -> None:
    for row in families():
        for gib in list(row.capacities_gib(60_000))[:4]:
            wanted = Wanted(
                deployment_types=[row.deployment_type],
                storage_type=row.storage_type,
                storage_capacity_gib=gib,
                per_unit_storage_throughput=row.per_unit_storage_throughput,
                efa_enabled=row.efa_enabled,
            )
            assert illegal_settings(wanted) == []
