"""Which settings are a legal file system, and what a refusal says."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, Family, StorageType, families
from epochwise.catalog.intelligent_tiering import TieringFamily, tiering_families
from epochwise.catalog.legality import (
    Illegal,
    Wanted,
    every_family,
    illegal_settings,
    matching_families,
    offered_families,
)
from epochwise.catalog.regions import regions

SCRATCH_2, PERSISTENT_2 = [DeploymentType.SCRATCH_2], [DeploymentType.PERSISTENT_2]
TIERING = StorageType.INTELLIGENT_TIERING


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
                drive_cache_type=row.drive_cache_type,
                efa_enabled=row.efa_enabled,
            )
            assert matching_families(wanted) == [row]
            assert illegal_settings(wanted) == []


def test_every_legal_throughput_capacity_passes() -> None:
    for row, mbps in product(tiering_families(), (4000, 8000, 100_000, 2_000_000)):
        wanted = Wanted(
            deployment_types=PERSISTENT_2,
            storage_type=TIERING,
            efa_enabled=row.efa_enabled,
            throughput_capacity_mbps=mbps,
        )
        assert illegal_settings(wanted) == []
        assert matching_families(wanted) == [row]


@pytest.mark.parametrize(
    ("wanted", "setting", "value", "words"),
    [
        (Wanted(deployment_types=SCRATCH_2, storage_type=TIERING), "storage_type", TIERING, ["SSD", "SCRATCH_2"]),
        (
            Wanted(deployment_types=PERSISTENT_2, storage_type=StorageType.HDD),
            "storage_type",
            StorageType.HDD,
            ["INTELLIGENT_TIERING or SSD"],
        ),
        (Wanted(storage_type=StorageType.HDD, efa_enabled=True), "efa_enabled", True, ["false", "HDD"]),
        (
            Wanted(storage_type=StorageType.HDD, per_unit_storage_throughput=125),
            "per_unit_storage_throughput",
            125,
            ["12 or 40"],
        ),
        (
            Wanted(storage_type=TIERING, per_unit_storage_throughput=125),
            "per_unit_storage_throughput",
            125,
            ["absent", "INTELLIGENT_TIERING"],
        ),
        (
            Wanted(per_unit_storage_throughput=125, drive_cache_type=DriveCacheType.READ),
            "drive_cache_type",
            DriveCacheType.READ,
            ["absent", "125"],
        ),
        (
            Wanted(storage_type=TIERING, storage_capacity_gib=1200),
            "storage_capacity_gib",
            1200,
            ["absent", "elastic", "throughput_capacity_mbps"],
        ),
        (
            Wanted(deployment_types=SCRATCH_2, throughput_capacity_mbps=4000),
            "throughput_capacity_mbps",
            4000,
            ["absent", "SCRATCH_2", "only storage_type INTELLIGENT_TIERING"],
        ),
        (
            Wanted(storage_capacity_gib=1200, throughput_capacity_mbps=4000),
            "throughput_capacity_mbps",
            4000,
            ["absent beside storage_capacity_gib"],
        ),
        (Wanted(throughput_capacity_mbps=1), "throughput_capacity_mbps", 1, ["4000", "nearest legal: 4000"]),
        (Wanted(throughput_capacity_mbps=1000), "throughput_capacity_mbps", 1000, ["nearest legal: 4000"]),
        (Wanted(throughput_capacity_mbps=5000), "throughput_capacity_mbps", 5000, ["nearest legal: 4000 or 8000"]),
        (Wanted(throughput_capacity_mbps=2_000_001), "throughput_capacity_mbps", 2_000_001, ["legal: 2000000"]),
        (Wanted(storage_capacity_gib=1), "storage_capacity_gib", 1, ["nearest legal: 1200"]),
        (
            Wanted(storage_type=StorageType.HDD, drive_cache_type=DriveCacheType.READ, storage_capacity_gib=2400),
            "storage_capacity_gib",
            2400,
            ["a multiple of 1800 or a multiple of 6000", "nearest legal: 1800 or 3600"],
        ),
    ],
)
def test_a_refusal_names_the_setting_its_value_and_what_is_allowed(
    wanted: Wanted, setting: str, value: object, words: list[str]
) -> None:
    [illegal] = illegal_settings(wanted)
    assert (illegal.setting, illegal.value) == (setting, value)
    assert all(word in illegal.allowed for word in words), illegal.allowed
    assert str(illegal) == f"{setting} {illegal.allowed}, got {value}"


@pytest.mark.parametrize("mbps", [-1, -4000, 2_004_000, 3_000_001])
def test_a_throughput_capacity_out_of_bounds_names_the_nearest_legal_one(mbps: int) -> None:
    [illegal] = illegal_settings(Wanted(throughput_capacity_mbps=mbps))
    assert illegal.allowed.endswith("nearest legal: 4000" if mbps < 0 else "nearest legal: 2000000")


def _named(illegal: Illegal) -> list[int]:
    """Return the sizes that a refusal names as nearest legal."""
    return [int(size) for size in illegal.allowed.partition("nearest legal: ")[2].split(" or ") if size]


@given(st.sampled_from(every_family()), st.integers(1, 200_000))
def test_a_refused_size_names_sizes_that_are_then_accepted(row: Family | TieringFamily, size: int) -> None:
    key = "storage_capacity_gib" if isinstance(row, Family) else "throughput_capacity_mbps"

    def refusals(value: int) -> list[Illegal]:
        return illegal_settings(
            Wanted(
                deployment_types=[row.deployment_type],
                storage_type=row.storage_type,
                per_unit_storage_throughput=row.per_unit_storage_throughput,
                drive_cache_type=row.drive_cache_type,
                efa_enabled=row.efa_enabled,
                **{key: value},
            )
        )

    for refusal in refusals(size):
        assert (refusal.setting, refusal.value) == (key, size)
        assert _named(refusal)
        assert not any(refusals(near) for near in _named(refusal))


SETTINGS = st.builds(
    Wanted,
    deployment_types=st.none() | st.lists(st.sampled_from(DeploymentType), min_size=1, max_size=2, unique=True),
    storage_type=st.none() | st.sampled_from(StorageType),
    storage_capacity_gib=st.none() | st.sampled_from([1200, 1800, 2400, 3600, 4800, 6000, 38_400, 1201]),
    per_unit_storage_throughput=st.none() | st.sampled_from([12, 40, 50, 125, 1000, 333]),
    drive_cache_type=st.none() | st.sampled_from(DriveCacheType),
    efa_enabled=st.none() | st.booleans(),
    throughput_capacity_mbps=st.none() | st.sampled_from([4000, 12_000, 1000]),
)


@given(SETTINGS)
def test_settings_are_refused_exactly_when_no_family_has_them_all(wanted: Wanted) -> None:
    refused = illegal_settings(wanted)
    assert bool(refused) is not bool(matching_families(wanted))
    for illegal in refused:
        assert illegal.value not in {None, "None"}
        assert illegal.allowed.startswith("must be ")


@given(SETTINGS, st.sampled_from(sorted(regions())))
def test_a_region_refuses_what_it_does_not_offer_and_names_itself(wanted: Wanted, code: str) -> None:
    region = regions()[code]
    refused = illegal_settings(wanted, region)
    assert bool(refused) is not bool(matching_families(wanted, offered_families(region)))
    if refused and not illegal_settings(wanted):
        assert f"in {code}" in refused[0].allowed


def test_intelligent_tiering_is_offered_where_the_region_has_it() -> None:
    for region in regions().values():
        offered = {row for row in offered_families(region) if isinstance(row, TieringFamily)}
        assert bool(offered) is region.intelligent_tiering
        assert {row.efa_enabled for row in offered} <= {False, region.efa}


def test_every_family_is_offered_somewhere() -> None:
    offered = {row for region in regions().values() for row in offered_families(region)}
    assert offered == {*families(), *tiering_families()} == set(every_family())
