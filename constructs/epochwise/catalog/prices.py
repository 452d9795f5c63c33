"""Prices, each with its source and date; physics live elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Self

from epochwise.catalog.data_file import load

REFERENCE_REGION = "us-east-1"


@dataclass(frozen=True)
class Price:
    """One price in USD per `unit`."""

    region: str
    item: str
    usd: float
    unit: str
    date: str
    """The day of the source, YYYY-MM-DD, or "declared"."""
    source: str
    verified: bool
    """Whether it was read from AWS's own price list."""


class PriceTable:
    """Prices by Region and item; what a Region lacks is taken from the reference Region."""

    def __init__(self, prices: Iterable[Price]) -> None:
        """Join rows.

        Raises:
            ValueError: two rows price the same item in the same Region.
        """
        self._rows: dict[tuple[str, str], Price] = {}
        for price in prices:
            if (price.region, price.item) in self._rows:
                raise ValueError(f"prices must hold each item once a Region, got {price.item} in {price.region} twice")
            self._rows[price.region, price.item] = price

    def price(self, region: str, item: str) -> Price | None:
        """Return the price of an item in a Region, else the reference Region's, else None."""
        return self._rows.get((region, item)) or self._rows.get((REFERENCE_REGION, item))

    def overridden_by(self, prices: Iterable[Price]) -> Self:
        """Return a table in which these prices replace those of the same Region and item."""
        return type(self)((self._rows | {(price.region, price.item): price for price in prices}).values())


@cache
def catalog_prices() -> PriceTable:
    """Return the prices that ship with the library."""
    return PriceTable(Price(**row) for row in load("prices")["rows"])


@cache
def price_items() -> tuple[str, ...]:
    """Return every item that has a price, sorted."""
    return tuple(sorted({row["item"] for row in load("prices")["rows"]}))


def item_unit(item: str) -> str:
    """Return the unit of an item's price, such as GB-month."""
    return next(str(row["unit"]) for row in load("prices")["rows"] if row["item"] == item)
