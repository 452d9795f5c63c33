"""Remarks about the tags of a file system. One rule, one function, one id."""

import unicodedata
from collections.abc import Iterator, Mapping

from epochwise.checks.finding import Finding, Level

MOST_TAGS = 50
"""Tags of one resource (FSx User Guide, limits)."""


def tag_findings(tags: object) -> Iterator[Finding]:
    """Yield every remark about tags."""
    if not isinstance(tags, Mapping):
        yield from tag_invalid(tags, None)
        return
    yield from too_many_tags(len(tags))
    for key, value in tags.items():
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


def tag_invalid(key: object, value: object) -> Iterator[Finding]:
    """A tag has a key of 1 to 128 characters and a value of up to 256, and aws: is AWS's own.

    Source: FSx API, TagKey and TagValue.
    """
    wrong = (
        not isinstance(key, str)
        or not isinstance(value, str)
        or not 1 <= len(key) <= 128
        or len(value) > 256
        or key.lower().startswith("aws:")
        or not all(_is_allowed(character) for character in key + value)
    )
    if wrong:
        yield Finding(
            "TAG_INVALID",
            Level.ERROR,
            "tags must map keys of 1 to 128 to values of up to 256 letters, digits, spaces and _.:/=+-@, keys not from "
            f"aws:, got {key!r:.60}: {value!r:.60}",
            'write them as {"team": "vision"}',
        )


def _is_allowed(character: str) -> bool:
    """Tell whether a tag may hold a character."""
    return unicodedata.category(character)[0] in "LZN" or character in "_.:/=+-@"
