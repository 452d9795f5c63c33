"""Text that a template joins from pieces, with a mark in the place of what only the deploy knows."""

import json
import re
from collections.abc import Iterator
from typing import Any

_MARK = re.compile("\ue000(?P<value>[^\ue001]*)\ue001")
"""Private letters around a piece's JSON, whose quotes are private letters too, so that text around it stays JSON."""


def joined_text(value: Any) -> str | None:
    """Return a text, its unknown pieces marked; None for what is no text at all.

    >>> marked_values(joined_text({"Fn::Join": ["", ["s3://", {"Ref": "Bucket"}, "/train"]]}))
    [{'Ref': 'Bucket'}]
    """
    match value:
        case str():
            return value
        case {"Fn::Join": [str(separator), list(pieces)]}:
            return separator.join(piece if isinstance(piece, str) else _mark(piece) for piece in pieces)
        case {"Fn::Sub": str(text)} | {"Fn::Sub": [str(text), *_]}:
            return re.sub(r"\$\{([^}]+)\}", lambda found: _mark({"Ref": found[1]}), text)
    return None


def marked_values(text: str | None) -> list[Any]:
    """Return the values whose marks stand in a text."""
    return list(_values(text or ""))


def marked_value(text: Any) -> Any:
    """Return the value that a text is the mark of, or the text itself."""
    found = _MARK.fullmatch(text) if isinstance(text, str) else None
    return text if found is None else _unmark(found)


def _values(text: str) -> Iterator[Any]:
    return map(_unmark, _MARK.finditer(text))


def _mark(value: Any) -> str:
    """Return the mark of a value."""
    return f"\ue000{json.dumps(value).replace(chr(34), chr(0xE002)).replace(chr(92), chr(0xE003))}\ue001"


def _unmark(found: re.Match[str]) -> Any:
    """Return the value of a mark."""
    return json.loads(found["value"].replace(chr(0xE002), chr(34)).replace(chr(0xE003), chr(92)))
