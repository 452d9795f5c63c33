"""Tables whose numbers leave the wide column no room."""

import pytest

from epochwise.report.content import Content, Row, Table
from epochwise.report.plain_text import plain_text
from epochwise.report.wrapping import NARROWEST, column_widths


def table(number: str, note: str) -> Table:
    return Table("a title", ("number", "what"), (Row((number, note)),), wide=1)


@pytest.mark.parametrize("digits", [60, 72, 74, 80, 200])
def test_numbers_that_fill_the_screen_leave_the_wide_column_some_room(digits: int) -> None:
    drawn = table("1" * digits, "words that are broken into lines")
    number, what = column_widths(drawn)
    assert number == digits
    assert what >= NARROWEST
    text = plain_text(Content("name", "headline", (drawn,)))
    assert "1" * digits in text
    assert text.split()[-1] == "lines"
