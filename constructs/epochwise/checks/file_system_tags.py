"""Remarks about the tags of a file system. One rule, one function, one id."""

import unicodedata
from collections.abc import Collection, Iterator

from epochwise.checks.finding import Finding, Level

MOST_TAGS = 50
"""Tags of one resource (FSx User Guide, limits)."""


def tag_findings(tags: Collection[tuple[str | None, str | None]]) -> Iterator[Finding]:
    """Yield every remark about tags, each a key and a value; None for what only the deploy knows."""
    yield from too_many_tags(len(tags))
    for key, value in tags:
        yield from tag_invalid(key, value)


def too_many_tags(count: int) -> Iterator[Finding]:
    """A resource has fifty tags or fewer.

    Source: FSx API, Tags.
    """
    if count > MOST_TAGS:
        yield Finding(
            "TOO_MANY_TAGS",
            Level.ERROR,
            f"tags must be {MOST_TAGS} or fewer, got {count}",
            f"nearest legal: {MOST_TAGS}",
        )


def tag_invalid(key: str | None, value: str | None) -> Iterator[Finding]:
    """A tag has a key of 1 to 128 characters and a value of up to 256, and aws: is AWS's own.

    None for what only the deploy knows.

    Source: FSx API, TagKey and TagValue.
    """
    wrong_key = key is not None and (not 1 <= len(key) <= 128 or key.lower().startswith("aws:") or not _is_allowed(key))
    if wrong_key or (value is not None and (len(value) > 256 or not _is_allowed(value))):
        yield Finding(
            "TAG_INVALID",
            Level.ERROR,
            "tags must map keys of 1 to 128 to values of up to 256 letters, digits, spaces and _.:/=+-@, keys not from "
            f"aws:, got {_shown(key)}: {_shown(value)}",
            'write them as {"team": "vision"}',
        )


def _is_allowed(text: str) -> bool:
    """Tell whether a tag may hold every character of a text."""
    return all(unicodedata.category(character)[0] in "LZN" or character in "_.:/=+-@" for character in text)


def _shown(text: str | None) -> str:
    """Write a key or a value for the message."""
    return "a token" if text is None else f"{text!r:.60}"
