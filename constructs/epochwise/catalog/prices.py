"""Prices, each with its source and date; physics live elsewhere."""

from dataclasses import dataclass
from functools import cache

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
    """The day of the source, YYYY-MM-DD."""
    source: str
    verified: bool
    """Whether it was read from AWS's own price list."""


@cache
def _prices() -> dict[tuple[str, str], Price]:
    """Join the rows by Region and item; a duplicate is a defect of the data."""
    table: dict[tuple[str, str], Price] = {}
    for row in load("prices")["rows"]:
        price = Price(**row)
        key = (price.region, price.item)
        if key in table:
            raise ValueError(f"prices.json holds {key} twice")
        table[key] = price
    return table


@cache
def price(region: str, item: str) -> Price | None:
    """Return the price of an item in a Region, the reference Region's where that Region has none, or None."""
    table = _prices()
    return table.get((region, item)) or table.get((REFERENCE_REGION, item))
