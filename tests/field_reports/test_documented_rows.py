"""Rows that only words can help with: the README's table of messages, and that it says what is true here."""

import re
from pathlib import Path

import pytest

from epochwise.checks.registry import every_check

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("\n## When a mount or a deploy fails\n")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"^\| ([^|]+) \| (.+) \|$", SECTION, re.MULTILINE))


def told_before(row: str) -> set[str]:
    """Return the ids that a row names as what says it before."""
    return set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", row))


@pytest.mark.parametrize("message", [message for message in ROWS if message not in {"message", "---"}])
def test_every_message_has_a_check_that_speaks_before_it(message: str) -> None:
    assert told_before(ROWS[message])
    assert told_before(ROWS[message]) <= {check.id for check in every_check()}


def test_f15_the_table_of_messages_says_where_to_look_at_error_4126() -> None:
    """A mount ended in `error 4126`, about which nothing can be found; what it means stays unverified."""
    row = ROWS["`error 4126` at a mount"]
    assert "not verified" in row
    assert told_before(row) == {"CLIENT_RULES_UNSEEN", "SERVER_RULES_UNSEEN"}


def test_f34b_a_shortage_of_capacity_is_to_be_tried_again_or_in_another_zone() -> None:
    """FSx had no capacity in the Region on the day, which no look before a deploy shows."""
    row = ROWS["a create that fails for want of capacity"]
    assert "Deploy again later, or in another zone: `availability_zone`" in row
    [check] = [each for each in every_check() if each.id == "ZONE_NOT_CHOSEN"]
    assert any("availability_zone" in text for text in (*check.messages, *check.fixes))
