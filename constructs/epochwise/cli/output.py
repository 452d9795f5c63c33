"""What is printed: reports and JSON on standard output, refusals on standard error."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from epochwise.cli.program import EXIT_BAD_DECLARATION

if TYPE_CHECKING:
    from epochwise.report.content import Content


def print_report(report: "Content", *, apart: bool = False) -> None:
    """Print a report: drawn for a terminal, else as plain text."""
    if apart:
        sys.stdout.write("\n")
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from epochwise.report.terminal import print_report as draw

        draw(report, sys.stdout)
    else:
        from epochwise.report.plain_text import plain_text

        sys.stdout.write(plain_text(report))


def refuse(text: str) -> NoReturn:
    """Print why the call cannot be done, and end."""
    complain(text)
    raise typer.Exit(EXIT_BAD_DECLARATION)


def writable_or_refuse(file: str) -> None:
    """Refuse a file that cannot be written, before long work is done for it."""
    from epochwise.report.atomic_file import UnwritableFileError, refuse_unwritable

    try:
        refuse_unwritable(Path(file))
    except UnwritableFileError as error:
        refuse(str(error))


def complain(text: str) -> None:
    """Print to standard error."""
    sys.stderr.write(text + "\n")


def print_json(document: dict[str, Any], *, indent: int | None) -> None:
    """Print JSON to standard output."""
    import json

    sys.stdout.write(json.dumps(document, indent=indent, ensure_ascii=False) + "\n")
