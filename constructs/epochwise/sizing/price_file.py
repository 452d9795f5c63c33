"""Prices of one's own: a file of rows that go before the catalog's."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from epochwise.catalog.prices import Price, PriceTable, catalog_prices, item_unit, price_items
from epochwise.catalog.regions import regions
from epochwise.declaration.day import Day
from epochwise.declaration.mistake import Mistake, mistakes
from epochwise.declaration.yaml_file import UnreadableFileError, read_yaml_mapping
from epochwise.workload import WorkloadError


class PriceRow(BaseModel):
    """One price, as the file holds it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    region: str
    item: str
    usd: Annotated[float, Field(ge=0)]
    """USD per unit."""
    unit: str
    """As the catalog prices the item, such as GB-month."""
    date: Day
    """The day of the source."""
    source: Annotated[str, Field(min_length=1)]
    verified: Annotated[bool, Field(strict=True)] = False
    """Whether it was read from AWS's own price list."""

    @field_validator("region")
    @classmethod
    def _region_exists(cls, code: str) -> str:
        if code not in regions():
            raise ValueError(f"must be a Region that has FSx for Lustre: {', '.join(sorted(regions()))}")
        return code

    @field_validator("item")
    @classmethod
    def _item_exists(cls, item: str) -> str:
        if item not in price_items():
            raise ValueError(f"must be one of {', '.join(price_items())}")
        return item

    def price(self) -> Price:
        """Return the row as the catalog holds it."""
        return Price(**self.model_dump(exclude={"date"}), date=self.date.isoformat())


class PriceFile(BaseModel):
    """What a price file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: tuple[PriceRow, ...]

    @field_validator("rows")
    @classmethod
    def _at_least_one(cls, rows: tuple[PriceRow, ...]) -> tuple[PriceRow, ...]:
        if not rows:
            raise ValueError("must hold at least one price")
        return rows


def read_price_file(path: str | Path) -> PriceTable:
    """Return the catalog's prices with those of a YAML or JSON file before them.

    Raises:
        WorkloadError: with every mistake of the file.
    """
    return catalog_prices().overridden_by(price_file_rows(path))


def price_file_rows(path: str | Path) -> tuple[Price, ...]:
    """Return the prices of a YAML or JSON file.

    Raises:
        WorkloadError: with every mistake of the file.
    """
    try:
        document = read_yaml_mapping(Path(path), kind="price file", holds="rows")
        rows = PriceFile.model_validate(document).rows
    except UnreadableFileError as error:
        raise WorkloadError(str(path), [Mistake("", str(error).removeprefix(f"{path}: "))]) from None
    except ValidationError as error:
        raise WorkloadError(str(path), mistakes(error, PriceFile, document)) from None
    found = list(_mistakes_between(rows))
    if found:
        raise WorkloadError(str(path), found)
    return tuple(row.price() for row in rows)


def price_file_text(prices: Iterable[Price]) -> str:
    """Return prices as a file that `price_file_rows` reads."""
    rows = [asdict(price) | {"date": date.fromisoformat(price.date)} for price in prices]
    return yaml.safe_dump({"rows": rows}, sort_keys=False, allow_unicode=True, width=1000)


def _mistakes_between(rows: Iterable[PriceRow]) -> Iterator[Mistake]:
    """Yield units that are not the item's, and rows that price the same once more."""
    seen: set[tuple[str, str]] = set()
    for place, row in enumerate(rows):
        if row.unit != item_unit(row.item):
            yield Mistake(f"rows.{place}.unit", f"must be {item_unit(row.item)} for {row.item}", row.unit)
        if (row.region, row.item) in seen:
            yield Mistake(f"rows.{place}", f"prices {row.item} in {row.region} once more")
        seen.add((row.region, row.item))
