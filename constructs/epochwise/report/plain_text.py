"""Draw a report as plain text: no escape codes, nothing but words and spaces, for pipes and files."""

from collections.abc import Iterator

from epochwise.report.content import Content, Facts, Remarks, Row, Table
from epochwise.report.wrapping import GAP, column_widths, wrapped

_LABEL = 12


def plain_text(report: Content) -> str:
    """Draw a report in 80 columns."""
    return "\n".join(line.rstrip() for line in _lines(report)) + "\n"


def _lines(report: Content) -> Iterator[str]:
    """Yield the lines of a report."""
    yield from wrapped(f"{report.name}: {report.headline}", then="  ")
    for block in report.blocks:
        yield ""
        match block:
            case Facts():
                yield from _facts(block)
            case Table():
                yield from _table(block)
            case Remarks():
                yield from _remarks(block)


def _facts(facts: Facts) -> Iterator[str]:
    """Yield labels with their sentences beside them."""
    for label, text in facts.rows:
        yield from wrapped(text, first=f"  {label:<{_LABEL}}", then=" " * (_LABEL + 2))


def _remarks(remarks: Remarks) -> Iterator[str]:
    """Yield remarks below their title."""
    yield remarks.title
    for remark in remarks.items:
        yield from wrapped(remark.sentence, first="  ", then="    ")
        yield from (f"    {line}" for line in remark.script)


def _table(table: Table) -> Iterator[str]:
    """Yield a table; without a head of its own the wide column is headed by the title."""
    widths = column_widths(table)
    heads = list(table.heads)
    if heads[table.wide]:
        yield from wrapped(table.title, then="  ")
        yield from _row(table, Row(tuple(heads)), widths)
    else:
        title, (rest, *_) = table.title, _row(table, Row(tuple(heads)), widths)
        yield title + rest[len(title) :]
    for row in table.rows:
        yield from _row(table, row, widths)
        yield from wrapped(row.note, first="    ", then="    ")


def _row(table: Table, row: Row, widths: list[int]) -> Iterator[str]:
    """Yield the lines of a row: more than one where the wide cell is wrapped."""
    lines = wrapped(row.cells[table.wide], widths[table.wide], then="  ") or [""]
    for place, words in enumerate(lines):
        cells = [
            f"{words:<{width}}" if column == table.wide else f"{'' if place else cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row.cells, widths, strict=True))
        ]
        yield "  " + (" " * GAP).join(cells)
