"""How AWS's price list describes what a plan prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from epochwise.catalog.data_file import load

_TABLE = load("price_list")

SERVICE_CODE: str = _TABLE["service_code"]
FILE_SYSTEM: Mapping[str, str] = _TABLE["file_system"]
"""Attributes that tell FSx for Lustre from FSx's other file systems."""
CURRENCY: str = _TABLE["currency"]
_ENDPOINTS: Mapping[str, list[str]] = _TABLE["endpoints"]


@dataclass(frozen=True, slots=True)
class PriceRule:
    """Which product of the price list an item is."""

    item: str
    """As `catalog.prices` calls it."""
    family: str
    unit: str
    """As the price list writes it, such as GB-Mo."""
    attributes: Mapping[str, str]
    verified: bool
    """Whether a recorded response shows that it is so."""

    @property
    def item_unit(self) -> str:
        """The unit as `catalog.prices` writes it."""
        return str(_TABLE["units"][self.unit])

    def fits(self, family: str, attributes: Mapping[str, str]) -> bool:
        """Tell whether a product is this item."""
        wanted = {**FILE_SYSTEM, **self.attributes}
        return family == self.family and all(attributes.get(name) == value for name, value in wanted.items())


@cache
def price_rules() -> tuple[PriceRule, ...]:
    """Return every rule."""
    return tuple(PriceRule(**row) for row in _TABLE["rules"])


def price_list_endpoint(region: str) -> str:
    """Return the Region in which the Price List API answers for a Region.

    >>> price_list_endpoint("eu-central-1"), price_list_endpoint("eu-west-3"), price_list_endpoint("cn-north-1")
    ('eu-central-1', 'us-east-1', 'cn-northwest-1')
    """
    endpoints = _ENDPOINTS["aws-cn" if region.startswith("cn-") else "aws"]
    return region if region in endpoints else endpoints[0]
