"""The command that measures a dataset where it lies: measure."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import NO_JSON, Region, today_or_refuse
from epochwise.cli.live_call import asking_aws
from epochwise.cli.output import print_json, print_report, refuse, writable_or_refuse
from epochwise.cli.program import app
from epochwise.cli.progress import progress_shown

if TYPE_CHECKING:
    from datetime import date

    from epochwise.sizing.measurement import Measurement
    from epochwise.workload.s3_address import S3Address


@app.command()
def measure(
    address: Annotated[str, typer.Argument(metavar="S3_URI", help="What to measure, such as s3://bucket/prefix/.")],
    *,
    write: Annotated[
        str | None,
        typer.Option("--write", metavar="FILE", help="Put size, files, source and day into dataset of this workload."),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Read the bucket's daily metrics in CloudWatch instead of listing.")
    ] = False,
    inventory: Annotated[
        str | None,
        typer.Option("--inventory", metavar="MANIFEST", help="Read the S3 Inventory of this manifest.json instead."),
    ] = None,
    region: Region = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object{NO_JSON}")] = False,
) -> None:
    """Count what a bucket or prefix holds: objects, bytes, and how large its files are."""
    if estimate and inventory is not None:
        refuse("--estimate and --inventory are two ways to measure; give one of them, or none to list the bucket")
    folder, manifest = _folder(address), None if inventory is None else _manifest(inventory)
    day = today_or_refuse()
    if write is not None:
        # what cannot be written is better known before a million keys are listed
        writable_or_refuse(write)
        unwritable = _why_unwritten(write, _provisional(folder, day), only_try=True)
        if unwritable is not None:
            refuse(unwritable)
    with asking_aws(folder.uri):
        measured = _measured(folder, day, region, estimate=estimate, manifest=manifest)
    if not measured.files:
        markers = f", only {measured.folder_markers} folder markers" if measured.folder_markers else ""
        refuse(f"{folder.uri}: holds no objects{markers}; look at the prefix, which ends in / for S3")
    # what took a while to count is shown also where it cannot be written
    unwritten = None if write is None else _why_unwritten(write, measured.declared())
    written = write if unwritten is None else None
    if as_json:
        print_json(measured.as_dict() | {"written": written}, indent=None)
    else:
        from epochwise.report.measurement_text import measurement_content

        print_report(measurement_content(measured, written))
    if unwritten is not None:
        refuse(unwritten)


def _measured(
    folder: "S3Address", day: "date", region: str | None, *, estimate: bool, manifest: "S3Address | None"
) -> "Measurement":
    """Measure as asked: an inventory where one is given, else the metrics where they are, else by listing."""
    from epochwise.sizing.inventory_report import UnusableInventoryError
    from epochwise.sizing.measurement import Method

    if manifest is not None:
        from epochwise.live.inventory import inventoried

        try:
            with progress_shown(folder.uri, "objects") as progress:
                return inventoried(folder, manifest, region, progress)
        except UnusableInventoryError as error:
            refuse(str(error))
    if estimate:
        from epochwise.checks.measurement import estimate_of_prefix
        from epochwise.live.bucket_metrics import estimated

        for finding in estimate_of_prefix(folder.uri, folder.prefix):
            refuse(str(finding))
        return estimated(folder, day, region)
    from epochwise.live.bucket_listing import listed

    with progress_shown(folder.uri, "objects") as progress:
        return listed(folder, region, progress).measurement(folder.uri, Method.LISTING, day)


def _folder(text: str) -> "S3Address":
    """Read what is to be measured."""
    from epochwise.workload.s3_address import s3_folder

    try:
        return s3_folder(text)
    except ValueError as error:
        refuse(f"S3_URI {error}")


def _manifest(text: str) -> "S3Address":
    """Read where a manifest lies."""
    from epochwise.workload.s3_address import s3_object

    try:
        address = s3_object(text)
    except ValueError as error:
        refuse(f"--inventory {error}")
    if not address.prefix.endswith(".json"):
        refuse(f"--inventory must be the address of a report's manifest.json, got {text[:80]!r}")
    return address


def _provisional(folder: "S3Address", day: "date") -> dict[str, object]:
    """Return what would be written for the smallest dataset."""
    from epochwise.sizing.measurement import Measurement, Method

    return Measurement(folder.uri, Method.LISTING, day, 1, 0, 1, None, {}).declared()


def _why_unwritten(file: str, changes: dict[str, object], *, only_try: bool = False) -> str | None:
    """Put keys into a workload file, whole or not at all, and return why not."""
    from epochwise.report.atomic_file import UnwritableFileError, write_whole
    from epochwise.workload import WorkloadError
    from epochwise.workload.edited_file import edited_workload

    try:
        content = edited_workload(file, changes)
        if not only_try:
            write_whole(Path(file), content)
    except (WorkloadError, UnwritableFileError) as error:
        return str(error)
    return None
