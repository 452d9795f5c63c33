"""Draw a report for a terminal, with colour and rules; loads rich, so that only a terminal waits for it."""

from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from epochwise.report.content import WIDTH, Content, Facts, Remarks, Table, Tone
from epochwise.report.wrapping import GAP, INDENT, column_widths, wrapped

_STYLES = {
    Tone.QUIET: "bold",
    Tone.INFO: "cyan",
    Tone.WARNING: "yellow",
    Tone.ERROR: "bold red",
    Tone.PASS: "green",
    Tone.SKIP: "yellow",
    Tone.FAIL: "bold red",
}


def print_report(report: Content, stream: TextIO) -> None:
    """Draw a report on a terminal, in at most 80 columns."""
    draw(report_console(stream), report)


def report_console(stream: TextIO) -> Console:
    """Return a console of at most 80 columns that draws nothing but what it is told to."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH)
    return console


def draw(console: Console, report: Content) -> None:
    """Draw a report."""
    opening = f"{report.name}: "
    lines = wrapped(opening + report.headline, console.width, then="  ")
    _print_lines(console, lines, len(opening), "bold", "bold green" if report.good else "bold red")
    for block in report.blocks:
        console.print()
        match block:
            case Facts():
                _print_facts(console, block)
            case Table():
                _print_table(console, block)
            case Remarks():
                _print_remarks(console, block)


def _print_lines(console: Console, lines: list[str], opening: int, first_style: str, style: str) -> None:
    """Print lines of a sentence whose first `opening` characters have a style of their own."""
    text = Text("\n".join(lines), style=style)
    text.stylize(first_style, 0, opening)
    console.print(text, soft_wrap=True)


def _print_facts(console: Console, facts: Facts) -> None:
    """Print labels with their sentences beside them."""
    label_width = 2 + max(len(label) for label, _ in facts.rows)
    for label, text in facts.rows:
        first, then = f"  {label:<{label_width}}", " " * (label_width + 2)
        _print_lines(console, wrapped(text, console.width, first=first, then=then), len(first), "cyan", "")


def _print_remarks(console: Console, remarks: Remarks) -> None:
    """Print remarks below their title."""
    console.print(Text(remarks.title, style="bold"))
    for remark in remarks.items:
        lines = wrapped(remark.sentence, console.width, first="  ", then="    ")
        _print_lines(console, lines, 2 + len(remark.opening), _STYLES[remark.tone], "")
        for line in remark.script:
            console.print(Text(f"    {line}", style="dim"), soft_wrap=True)


def _print_table(console: Console, table: Table) -> None:
    """Print a table; without a head of its own the wide column is headed by the title."""
    widths = column_widths(table, console.width)
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="dim", show_edge=False)
    if table.heads[table.wide]:
        console.print(Text("\n".join(wrapped(table.title, console.width, then="  ")), style="bold"))
    for place, (head, width) in enumerate(zip(table.heads, widths, strict=True)):
        if place != table.wide:
            grid.add_column(head, justify="right", no_wrap=True, width=width)
        else:
            grid.add_column(Text(head) if head else Text(table.title, style="not dim bold"), width=width)
    for row in table.rows:
        cells = [Text(cell, style="bold" if row.marked else "") for cell in row.cells]
        cells[table.wide] = Text("\n".join(wrapped(row.cells[table.wide], widths[table.wide], then="  ")))
        cells[table.wide].stylize("bold" if row.marked else "")
        if row.note:
            note = "\n".join(wrapped(row.note, widths[table.wide], first="  ", then="  "))
            cells[table.wide].append(f"\n{note}", style="dim")
        grid.add_row(*cells)
    console.print(Padding(grid, (0, 0, 0, INDENT), expand=False))
