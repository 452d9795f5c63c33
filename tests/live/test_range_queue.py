"""Ranges of keys: every key belongs to exactly one, however they are split and whoever lists them."""

import random
from bisect import bisect_right
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epochwise.live.failure import UnwellError
from epochwise.live.key_range import KeyRange, key_between
from epochwise.live.listing_page import ListingPage
from epochwise.live.range_queue import RangeQueue

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "data/"
TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x1F600, codec="utf-8"), max_size=12)


class Store:
    """Keys, listed page by page."""

    def __init__(self, keys: list[str], page_size: int) -> None:
        self.keys = sorted(keys)
        self.page_size = page_size
        self.counted: list[str] = []

    def page(self, after: str, most: int) -> ListingPage:
        place = bisect_right(self.keys, after)
        found = self.keys[place : place + most]
        return ListingPage(
            [quote_plus(key, safe="/") for key in found],
            [1] * len(found),
            ["STANDARD"] * len(found),
            truncated=place + most < len(self.keys),
        )

    def count(self, page: ListingPage, number: int) -> None:
        self.counted += [page.key(place) for place in range(number)]


def listed_by(store: Store, queue: RangeQueue, first: KeyRange, people: int) -> None:
    """List everything with so many threads, one of which begins with a range that it holds."""

    def work(piece: KeyRange | None) -> None:
        while (piece := piece or queue.take()) is not None:
            while queue.advance(piece, store.page(piece.after, 1 if piece.unseen else store.page_size)):
                pass
            piece = None

    threads = [Thread(target=work, args=(None if place else first,)) for place in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def some_keys(dice: random.Random) -> list[str]:
    """Return keys of a shape that a dataset may have."""
    number = dice.randrange(0, 1500)
    shapes: list[Callable[[int], str]] = [
        lambda place: f"sample-{place:07d}.jpg",
        lambda _: f"{dice.getrandbits(64):016x}",
        lambda place: f"class-{place % 7}/image {place}.png",
        lambda _: "".join(dice.choices("ab/é€😀 +%&<", k=dice.randrange(1, 9))),
        lambda place: "x" * (place % 40),
    ]
    shape = dice.choice(shapes)
    return sorted({PREFIX + shape(place) for place in range(number)})


@pytest.mark.parametrize("seed", range(60))
def test_every_key_is_counted_once_however_ranges_are_split(seed: int) -> None:
    dice = random.Random(seed)
    keys = some_keys(dice)
    store = Store(keys, dice.choice([1, 3, 10, 50]))
    queue = RangeQueue(PREFIX, store.count)
    whole = queue.take()
    assert whole is not None
    if queue.advance(whole, store.page(whole.after, store.page_size)):
        queue.divide(whole, dice.sample(keys, min(len(keys), dice.randrange(5))))
        listed_by(store, queue, whole, people=6)
    assert sorted(store.counted) == keys
    assert queue.share == pytest.approx(1.0)


def test_a_long_range_is_split_and_a_short_one_is_not() -> None:
    store = Store([f"{PREFIX}{place:05d}" for place in range(2000)], 10)
    queue = RangeQueue(PREFIX, store.count)
    first = queue.take()
    assert first is not None
    queue.advance(first, store.page("", 10))
    second = queue.take()
    assert second is not None
    assert second.unseen
    assert first.upto == second.after
    assert second.after > PREFIX + "00009"
    # nothing is known of it before its first key, so that it is not split again
    while queue.advance(first, store.page(first.after, 10)):
        assert first.upto is not None
    assert second.upto is None


def test_who_has_nothing_to_do_is_sent_home_when_somebody_fails() -> None:
    queue = RangeQueue(PREFIX, lambda _page, _number: None)
    assert queue.take() is not None
    waiting = Thread(target=queue.take)
    waiting.start()
    queue.stop()
    waiting.join(10)
    assert not waiting.is_alive()
    assert queue.take() is None


def test_keys_in_no_order_are_refused_before_one_is_counted_twice() -> None:
    queue = RangeQueue(PREFIX, lambda _page, _number: None)
    piece = queue.take()
    assert piece is not None
    queue.advance(piece, ListingPage([f"{PREFIX}b"], [1], ["STANDARD"], truncated=True))
    with pytest.raises(UnwellError, match="in no order"):
        queue.advance(piece, ListingPage([f"{PREFIX}a"], [1], ["STANDARD"]))


@settings(deadline=None)
@given(TEXTS, TEXTS, st.sets(st.characters(min_codepoint=32, max_codepoint=126), max_size=20))
def test_a_key_between_two_is_between_them(one: str, other: str, alphabet: set[str]) -> None:
    low, high = sorted([PREFIX + one, PREFIX + other])
    for upper in (high, None):
        key = key_between(low, upper, alphabet, prefix=PREFIX)
        if key is not None:
            assert low < key
            assert key.startswith(PREFIX)
            assert upper is None or key < upper


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=2, max_size=2, unique=True))
def test_the_order_of_texts_is_the_order_of_their_bytes(texts: list[str]) -> None:
    assert sorted(texts) == sorted(texts, key=lambda text: text.encode())


def test_a_key_too_long_for_s3_is_not_made_up() -> None:
    long = PREFIX + "b" * 1024
    assert key_between(long, f"{long}c", "abc", prefix=PREFIX) is None


def test_a_new_range_has_listed_nothing() -> None:
    assert not KeyRange("", None, 1.0).unseen
    assert KeyRange("a", None, 0.5, KeyRange("", None, 0.5)).unseen
