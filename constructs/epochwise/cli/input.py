"""What commands are given: workload files, settings, prices and the day."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.output import complain, refuse

if TYPE_CHECKING:
    from datetime import date

    from epochwise.catalog.prices import PriceTable
    from epochwise.workload import Workload

File = Annotated[str, typer.Argument(metavar="FILE", help="Workload file.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Replace a key of the file, such as epoch.target=60; repeatable."),
]
Prices = Annotated[
    str | None, typer.Option("--prices", metavar="PRICES", help="Prices that go before the catalog's: YAML or JSON.")
]
Region = Annotated[str | None, typer.Option("--region", metavar="REGION", help="Region; the environment's by default.")]

NO_JSON = "; where that cannot be done none, and a sentence on standard error."
"""What --json prints on exit status 2, for its help."""


def read_workload(file: str, settings: list[str] | None = None) -> "Workload | None":
    """Read a workload file with settings in place; say every mistake on standard error."""
    from epochwise.declaration.setting import with_setting
    from epochwise.workload import Workload, WorkloadError, read_workload_mapping

    try:
        document = read_workload_mapping(file)
        for setting in settings or []:
            try:
                document = with_setting(document, setting)
            except ValueError as error:
                refuse(f"--set {error}")
        return Workload.from_mapping(document, source=file)
    except WorkloadError as error:
        complain(str(error))
        return None


def price_table(file: str | None) -> "PriceTable | None":
    """Read a price file where one is given."""
    if file is None:
        return None
    from epochwise.sizing.price_file import read_price_file

    try:
        return read_price_file(file)
    except ValueError as error:
        refuse(str(error))


def today_or_refuse() -> "date":
    """Return the day by which the age of prices is told."""
    from epochwise.report.today import today

    try:
        return today(os.environ)
    except ValueError as error:
        refuse(str(error))
