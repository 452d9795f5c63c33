"""Availability Zones as they are written: by name, which each account maps for itself, or by id, which means one place.

Source: AWS Regions and Availability Zones, az-ids; RAM User Guide, working-with-az-ids.
"""

import re

from epochwise.catalog.regions import regions

_NAME = r"[a-z]{2}(?:-[a-z]+)+-\d(?:-[a-z]{3}-\d)?[a-z]"
"""us-east-1a, and a Local Zone's us-west-2-lax-1a."""
_ID = r"[a-z]{3,}\d(?:-[a-z]{3}\d)?-az\d"
"""use1-az4, and a Local Zone's usw2-lax1-az1."""
ZONE_PATTERN = f"^(?:{_NAME}|{_ID})$"
"""A zone by name or by id, as a JSON Schema takes it."""
ZONE_HELP = "a name such as us-east-1a or an id such as use1-az4"
_TWO_LETTERS = re.compile(r"(north|south)(east|west)")


def is_zone(text: str) -> bool:
    """Tell whether a text is written like a zone.

    >>> [is_zone(text) for text in ("us-east-1a", "use1-az4", "us-east-1", "0")]
    [True, True, False, False]
    """
    return re.fullmatch(ZONE_PATTERN, text) is not None


def is_zone_id(zone: str) -> bool:
    """Tell whether a zone is written as its id, which means the same place in every account.

    >>> is_zone_id("use1-az4"), is_zone_id("us-east-1a")
    (True, False)
    """
    return re.fullmatch(_ID, zone) is not None


def zone_id_prefix(region: str) -> str | None:
    """Return what the ids of a Region's zones begin with; None for a Region that the catalog does not know.

    AWS publishes ids and no rule: the first letters of the Region's words are derived, and compared in the tests with
    the ids of every Region of the catalog as moto lists them.

    >>> [zone_id_prefix(region) for region in ("us-east-1", "ap-southeast-2", "us-gov-west-1", "moon-east-1")]
    ['use1', 'apse2', 'usgw1', None]
    """
    if region not in regions():
        return None
    area, *words, number = _TWO_LETTERS.sub(r"\1-\2", region).split("-")
    return area + "".join(word[0] for word in words) + number


def is_of_region(zone: str, region: str) -> bool:
    """Tell whether a zone may be one of a Region: nothing speaks against an id where the Region is not known.

    >>> [is_of_region(zone, "eu-west-1") for zone in ("eu-west-1c", "us-east-1a", "euw1-az2", "use1-az4")]
    [True, False, True, False]
    """
    if is_zone_id(zone):
        prefix = zone_id_prefix(region)
        return prefix is None or zone.partition("-")[0] == prefix
    return re.fullmatch(rf"{re.escape(region)}(-[a-z]{{3}}-\d)?[a-z]", zone) is not None


def region_of_zone(zone: str) -> str | None:
    """Return the Region that a zone is one of, None where the catalog does not know it.

    >>> [region_of_zone(zone) for zone in ("eu-west-1c", "use1-az4", "us-west-2-lax-1a", "moon-east-1a")]
    ['eu-west-1', 'us-east-1', 'us-west-2', None]
    """
    return next((region for region in regions() if is_of_region(zone, region)), None)


def zone_in_region(zone: str, region: str) -> str:
    """Return the zone of a Region that is written most like another Region's.

    >>> zone_in_region("us-east-1a", "eu-west-1"), zone_in_region("use1-az4", "eu-west-1")
    ('eu-west-1a', 'euw1-az4')
    """
    prefix = zone_id_prefix(region)
    by_id = is_zone_id(zone) and prefix is not None
    return f"{prefix}-{zone.rpartition('-')[2]}" if by_id else f"{region}{zone[-1]}"
