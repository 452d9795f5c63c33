"""Read prices from products of AWS's price list: what can be told apart is taken, nothing is guessed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Any, NamedTuple

from epochwise.catalog.price_list import CURRENCY, FILE_SYSTEM, PriceRule, price_rules
from epochwise.catalog.prices import Price, price_items
from epochwise.declaration.quantity_text import counted_text

_TOLD = 6
"""Products that a sentence names before it says how many more there are."""
_DESCRIPTION = 120
"""Characters of AWS's own words that a source quotes."""


class _Product(NamedTuple):
    """One product of the list."""

    sku: str
    family: str
    attributes: Mapping[str, str]
    terms: Any

    @property
    def name(self) -> str:
        """What AWS bills it as."""
        return self.attributes.get("usagetype", self.sku)


class _Charge(NamedTuple):
    """What a product costs on demand."""

    usd: float
    unit: str
    effective: str
    description: str


@dataclass(frozen=True)
class ReadPrices:
    """What a price list says of one Region."""

    prices: tuple[Price, ...]
    ignored: tuple[str, ...]
    """Products of FSx for Lustre that are none of a plan's items, or not clearly one, by AWS's usage type."""

    @property
    def kept(self) -> tuple[str, ...]:
        """Items whose price stays the catalog's."""
        read = {price.item for price in self.prices}
        return tuple(item for item in price_items() if item not in read)

    def told(self, region: str) -> Iterator[str]:
        """Yield what was read and what was not, one line each."""
        yield f"{region}: {counted_text(len(self.prices), 'price')} read from AWS's price list"
        if self.ignored:
            yield f"ignored, not clearly an item of a plan: {_some(self.ignored)}"
        if self.kept:
            yield f"the catalog's price stays for {', '.join(self.kept)}"


def read_prices(products: Iterable[Any], region: str, day: date) -> ReadPrices:
    """Read the prices of a Region.

    An item is taken where exactly one product fits its rule and has exactly one price in USD, from the first unit on.

    Args:
        products: entries of GetProducts' PriceList, parsed.
        region: Region.
        day: when they were read.
    """
    lustre = [product for product in map(_product, products) if product is not None]
    fitting: dict[str, list[_Product]] = {}
    for product in lustre:
        for rule in price_rules():
            if rule.fits(product.family, product.attributes):
                fitting.setdefault(rule.item, []).append(product)
    prices: list[Price] = []
    used: set[str] = set()
    for rule in price_rules():
        match fitting.get(rule.item, []):
            case [product]:
                charge = _charge(product.terms)
                if charge is not None and charge.unit == rule.unit:
                    prices.append(_price(rule, product, charge, region, day))
                    used.add(product.sku)
    ignored = sorted(product.name for product in lustre if product.sku not in used)
    return ReadPrices(tuple(prices), tuple(ignored))


def _price(rule: PriceRule, product: _Product, charge: _Charge, region: str, day: date) -> Price:
    """Return a price as the catalog holds it."""
    mapped = "" if rule.verified else "; that it is this item is unverified"
    return Price(
        region=region,
        item=rule.item,
        usd=charge.usd,
        unit=rule.item_unit,
        date=day.isoformat(),
        source=f"AWS Price List API, {product.name}, effective {charge.effective}: {charge.description}{mapped}",
        verified=rule.verified,
    )


def _product(entry: Any) -> _Product | None:
    """Return a product where it is one of FSx for Lustre."""
    try:
        product = entry["product"]
        attributes = {str(name): str(value) for name, value in product["attributes"].items()}
        found = _Product(str(product["sku"]), str(product.get("productFamily", "")), attributes, entry.get("terms", {}))
    except (KeyError, TypeError, AttributeError):
        return None
    return found if all(attributes.get(name) == value for name, value in FILE_SYSTEM.items()) else None


def _charge(terms: Any) -> _Charge | None:
    """Return the one price on demand in USD; None where there is none, or more than one."""
    try:
        [term] = terms["OnDemand"].values()
        [dimension] = term["priceDimensions"].values()
        usd = float(dimension["pricePerUnit"][CURRENCY])
        if dimension.get("beginRange", "0") != "0" or not isfinite(usd) or usd < 0:
            return None
        described = " ".join(str(dimension.get("description", "")).split())[:_DESCRIPTION]
        return _Charge(usd, str(dimension["unit"]), str(term.get("effectiveDate", "unknown"))[:10], described)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _some(names: tuple[str, ...]) -> str:
    """Name some, and say how many more there are.

    >>> _some(("a", "b"))
    'a, b'
    """
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    return ", ".join(names[:_TOLD]) + more
