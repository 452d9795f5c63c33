"""Draw the blocks of a report as HTML; every word is escaped here."""

from collections.abc import Iterable
from html import escape

from epochwise.report.content import Block, Facts, Remarks, Row, Table
from epochwise.report.wrapping import tied


def block_html(block: Block) -> str:
    """Draw one block."""
    match block:
        case Facts():
            rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(tied(text))}</dd>" for label, text in block.rows)
            return f"<section><dl>{rows}</dl></section>"
        case Table():
            return f"<section><h2>{escape(block.title)}</h2>{_table(block)}</section>"
        case Remarks():
            items = "".join(
                f'<li class="{escape(tone)}">{_opening(head, tone)}{escape(tied(text))}{_script(script)}</li>'
                for head, text, tone, script in block.items
            )
            return f"<section><h2>{escape(block.title)}</h2><ul>{items}</ul></section>"


def _opening(head: str, tone: str) -> str:
    """Draw what stands before a remark's text."""
    level = "" if tone == "quiet" else f'<span class="level">{escape(tone)}</span> '
    return f"{level}<strong>{escape(head)}</strong> " if head else level


def _script(lines: Iterable[str]) -> str:
    """Draw lines for a shell."""
    text = "\n".join(lines)
    return f"<pre>{escape(text)}</pre>" if text else ""


def _table(table: Table) -> str:
    """Draw a table, wide enough to be scrolled on a narrow screen."""
    heads = "".join(
        f'<th scope="col"{_wide(table, place)}>{escape(head)}</th>' for place, head in enumerate(table.heads)
    )
    rows = "".join(_row(table, row) for row in table.rows)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _row(table: Table, row: Row) -> str:
    """Draw one row, its note below the wide cell."""
    note = f'<div class="note">{escape(tied(row.note))}</div>' if row.note else ""
    cells = "".join(
        f"<td{_wide(table, place)}>{escape(cell)}{note if place == table.wide else ''}</td>"
        for place, cell in enumerate(row.cells)
    )
    return f'<tr class="marked">{cells}</tr>' if row.marked else f"<tr>{cells}</tr>"


def _wide(table: Table, place: int) -> str:
    """Return the attribute of cells in the wide column."""
    return ' class="words"' if place == table.wide else ""
