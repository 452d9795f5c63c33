"""Put values into a workload file that a person wrote: comments, order and quotes stay."""

import json
import re
from collections.abc import Mapping, MutableMapping
from io import StringIO
from typing import Any

_BYTE_ORDER_MARK = "\ufeff"
_STARTS, _ENDS = re.compile(r"^---\s", re.MULTILINE), re.compile(r"^\.\.\.\s*$", re.MULTILINE)
_NESTED = re.compile(r"^( *)[\w.\"'-]+:[ ]*(?:#.*)?\n(?=( *)(- )?[^\s#])", re.MULTILINE)
"""A key alone on its line: its indent, the next line's, and that line's dash."""
_WIDTH = 10_000
"""Columns from which a long line would be folded: none is."""


class UneditableFileError(ValueError):
    """A file that cannot be changed in place, with the reason in one line."""


def with_values(text: str, values: Mapping[str, Any]) -> str:
    r"""Return the text of a YAML or JSON file with the values of dotted keys replaced; missing sections are made.

    What else stands in it, comments included, stays. Of YAML, the spaces between a key and its value may change.

    Args:
        text: of a file that holds a mapping.
        values: dotted key to value: text, numbers, or truth values.

    Raises:
        UneditableFileError: a section holds a value without keys, or the text is too unusual to be changed.

    >>> print(with_values("dataset:\n  size: 100 GB  # guessed\n", {"dataset.size": "151.3 GB", "epoch.target": 30}))
    dataset:
      size: 151.3 GB # guessed
    epoch:
      target: 30
    <BLANKLINE>
    """
    is_json = text.lstrip().startswith("{")
    if is_json:
        try:
            return _with_values_in_json(text, values)
        except ValueError:
            # flow style that is YAML and no JSON
            pass
    try:
        from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - only those who write a file need it
    except ImportError:
        raise UneditableFileError("ruamel.yaml is not installed; install epochwise[live]") from None
    try:
        return _with_values_in_yaml(text, values)
    except YAMLError as error:
        raise UneditableFileError(f"cannot be changed in place: {' '.join(str(error).split())[:200]}") from None


def _with_values_in_yaml(text: str, values: Mapping[str, Any]) -> str:
    """Change a YAML text."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - likewise

    lines = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = _WIDTH
    yaml.explicit_start = _STARTS.search(lines) is not None
    yaml.explicit_end = _ENDS.search(lines) is not None
    mapping, offset = _indents(lines)
    yaml.indent(mapping=mapping, sequence=offset + 2, offset=offset)
    document = yaml.load(lines)
    _put(document, values)
    changed = StringIO()
    yaml.dump(document, changed)
    written = changed.getvalue() if "\r\n" not in text else changed.getvalue().replace("\n", "\r\n")
    return _BYTE_ORDER_MARK + written if text.startswith(_BYTE_ORDER_MARK) else written


def _indents(text: str) -> tuple[int, int]:
    r"""Return by how many columns a text indents the keys of a section, and the dashes of a list.

    >>> _indents("a:\n    b:\n      - c")
    (4, 2)
    """
    sections = [len(inner) - len(outer) for outer, inner, dash in _NESTED.findall(text) if not dash]
    dashes = [len(inner) - len(outer) for outer, inner, dash in _NESTED.findall(text) if dash]
    return next((columns for columns in sections if columns > 0), 2), next(iter(dashes), 0)


def _with_values_in_json(text: str, values: Mapping[str, Any]) -> str:
    """Change a JSON text, in the form that Python writes."""
    document = json.loads(text)
    _put(document, values)
    indent = 2 if "\n" in text.strip() else None
    return json.dumps(document, indent=indent, ensure_ascii=False) + "\n"


def _put(document: Any, values: Mapping[str, Any]) -> None:
    """Replace values in a document.

    Raises:
        UneditableFileError: a section, or the document itself, holds a value without keys.
    """
    if not isinstance(document, MutableMapping):
        raise UneditableFileError("cannot be changed in place: it holds no mapping")
    for key, value in values.items():
        *sections, name = key.split(".")
        place = document
        for section in sections:
            if place.get(section) is None:
                place[section] = {}
            place = place[section]
            if not isinstance(place, MutableMapping):
                raise UneditableFileError(f"{key}: {section} holds {str(place)[:60]!r}, which has no keys")
        place[name] = value
