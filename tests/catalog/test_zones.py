"""What the catalog derives of zones, compared with the zones that moto lists."""

import re

import pytest
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend

from epochwise.catalog.regions import regions
from epochwise.catalog.zones import is_of_region, is_zone, is_zone_id, zone_id_prefix, zone_in_region

LISTED = {code: zones for code, zones in RegionsAndZonesBackend.zones.items() if code in regions()}


def test_moto_lists_the_zones_of_every_region_of_the_catalog() -> None:
    assert set(LISTED) == set(regions())


@pytest.mark.parametrize("region", sorted(LISTED))
def test_a_region_takes_its_own_zones_by_name_and_by_id_and_no_others(region: str) -> None:
    for other, zones in LISTED.items():
        for zone in zones:
            assert is_zone(zone.name)
            assert is_zone_id(zone.zone_id)
            assert is_of_region(zone.name, region) is (other == region)
            assert is_of_region(zone.zone_id, region) is (other == region)


@pytest.mark.parametrize("region", sorted(LISTED))
def test_the_nearest_zone_of_a_region_is_one_of_its_own(region: str) -> None:
    for zone in ("us-east-1a", "use1-az1", "eu-west-1c", "usw2-lax1-az1"):
        near = zone_in_region(zone, region)
        assert is_zone(near)
        assert is_of_region(near, region)
        assert is_zone_id(near) is is_zone_id(zone)


def test_every_region_has_a_prefix_of_its_own() -> None:
    prefixes = [zone_id_prefix(region) for region in regions()]
    assert len(set(prefixes)) == len(prefixes)
    assert all(prefix and re.fullmatch(r"[a-z]{3,5}\d", prefix) for prefix in prefixes)


def test_nothing_speaks_against_an_id_in_a_region_that_is_not_known() -> None:
    assert is_of_region("use1-az4", "us-iso-east-1")
    assert not is_of_region("us-east-1a", "us-iso-east-1")
