"""What a file system costs a month."""

from typing import NamedTuple

from epochwise.catalog.fsx_lustre import Family, automatic_metadata_iops
from epochwise.catalog.prices import Price, price

METADATA_ITEM = "METADATA-IOPS"


class FamilyPrices(NamedTuple):
    """Prices that apply to a family in one Region."""

    storage: Price
    metadata: Price | None


def family_prices(region: str, family: Family) -> FamilyPrices:
    """Return the prices of a family.

    Raises:
        LookupError: the catalog has no storage price for it, which is a defect of the data.
    """
    storage = price(region, family.price_item)
    if storage is None:
        raise LookupError(f"prices.json has no row for {family.price_item}")
    return FamilyPrices(storage, price(region, METADATA_ITEM) if family.has_metadata_configuration else None)


def monthly_usd(prices: FamilyPrices, capacity_gib: int, metadata_iops: int) -> float:
    """Return USD a month, to the cent: storage, and metadata IOPS above what AUTOMATIC includes.

    GiB are billed as GB, which is inferred from AWS's price list.
    """
    usd = capacity_gib * prices.storage.usd
    if prices.metadata is not None:
        usd += max(0, metadata_iops - automatic_metadata_iops(capacity_gib)) * prices.metadata.usd
    return round(usd, 2)
