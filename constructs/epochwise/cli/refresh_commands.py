"""The commands that bring data up to date: refresh-prices, refresh-catalog."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import Region, today_or_refuse
from epochwise.cli.live_call import asking_aws
from epochwise.cli.output import complain, refuse, writable_or_refuse
from epochwise.cli.program import app

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epochwise.catalog.prices import Price


@app.command("refresh-prices")
def refresh_prices(
    *,
    region: Region = None,
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="Price file to write; its other rows stay. Printed by default."),
    ] = None,
) -> None:
    """Read AWS's price list into a dated price file, for plan --prices."""
    from epochwise.catalog.regions import regions
    from epochwise.sizing.price_file import price_file_text
    from epochwise.sizing.price_list import read_prices

    day = today_or_refuse()
    if output is not None:
        writable_or_refuse(output)
    others = _rows_of(output)
    with asking_aws("refresh-prices"):
        from epochwise.live.aws import Aws
        from epochwise.live.price_list import price_list_products

        where = region or Aws().region
        if where not in regions():
            refuse(f"--region must be a Region that has FSx for Lustre, got {where[:40]!r}")
        read = read_prices(price_list_products(where), where, day)
    for line in read.told(where):
        complain(line)
    if not read.prices:
        refuse(f"{where}: no product of AWS's price list is clearly an item of a plan; nothing was written")
    replaced = {(price.region, price.item) for price in read.prices}
    kept = [price for price in others if (price.region, price.item) not in replaced]
    _write(output, price_file_text([*kept, *read.prices]))


@app.command("refresh-catalog")
def refresh_catalog(
    *,
    region: Region = None,
    write: Annotated[bool, typer.Option("--write", help="Write the catalog's file, instead of only printing.")] = False,
) -> None:
    """Compare the catalog of instance types with what EC2 says in a Region, as a diff to review."""
    from difflib import unified_diff
    from importlib.resources import files

    from epochwise.catalog.data_file import load
    from epochwise.catalog.instance_types_file import NAME, instance_types_text, refreshed_instance_types

    day, place = today_or_refuse(), str(files("epochwise.catalog") / NAME)
    if write:
        writable_or_refuse(place)
    document = load("instance_types")
    with asking_aws("refresh-catalog"):
        from epochwise.live.aws import Aws
        from epochwise.live.instance_offer import offered_instance_types, training_instance_types

        aws = Aws(region)
        records, trained_on = offered_instance_types(aws), training_instance_types(aws)
        try:
            refreshed = refreshed_instance_types(document, records, trained_on, region=aws.region, day=day)
        except KeyError as error:
            refuse(f"refresh-catalog: EC2 describes an instance type without {error.args[0]}; nothing was written")
    old, new = instance_types_text(document), instance_types_text(refreshed)
    before, after = f"catalog/{NAME}", f"catalog/{NAME} in {aws.region}"
    sys.stdout.writelines(unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), before, after))
    known = {record["InstanceType"] for record in records}
    complain(
        f"{aws.region}: {len(known)} instance types offered; {len(document['rows'].keys() - known)} of the catalog are "
        f"not offered there and stay as they are{'' if old != new else '; no difference'}"
    )
    if write and old != new:
        _write(place, new)


def _rows_of(file: str | None) -> "Iterable[Price]":
    """Return the rows of a price file that is there already, or refuse to take another file's place."""
    if file is None or not Path(file).exists():
        return ()
    from epochwise.sizing.price_file import price_file_rows

    try:
        return price_file_rows(file)
    except ValueError as error:
        refuse(f"--output: {error}")


def _write(file: str | None, text: str) -> None:
    """Write a file whole or not at all; print where there is none."""
    if file is None:
        sys.stdout.write(text)
        return
    from epochwise.report.atomic_file import UnwritableFileError, write_whole

    try:
        write_whole(Path(file), text.encode("utf-8"))
    except UnwritableFileError as error:
        refuse(str(error))
