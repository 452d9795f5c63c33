"""Replace keys in the text of a file that a person wrote, and leave everything else as it stands."""

from collections.abc import Mapping
from copy import copy
from io import StringIO
from typing import Any

_WIDTH = 10_000
"""Columns before a line is broken: none of theirs is."""


class UneditableFileError(ValueError):
    """The text cannot be edited without changing something else; says what to do."""


def edited_yaml(text: str, changes: Mapping[str, object]) -> str:
    """Return YAML or JSON text with dotted keys set; comments, order and quotes stay, missing sections are made.

    Raises:
        UneditableFileError: the editor is not installed, or cannot read the text.
    """
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.comments import CommentedMap
        from ruamel.yaml.error import YAMLError
        from ruamel.yaml.util import load_yaml_guess_indent
    except ImportError:
        raise UneditableFileError("ruamel.yaml is not installed; install epochwise[live]") from None
    # the editor keeps the end of a line with its comment, and would be given a second one
    lines = text.replace("\r\n", "\n")
    editor = YAML()
    editor.preserve_quotes = True
    editor.width = _WIDTH
    editor.explicit_start = text.startswith("---")
    _, sequence_indent, sequence_offset = load_yaml_guess_indent(lines)
    editor.indent(mapping=_mapping_indent(lines), sequence=sequence_indent or 4, offset=sequence_offset or 0)
    try:
        document = editor.load(lines)
    except YAMLError as error:
        raise UneditableFileError(f"cannot be edited: {' '.join(str(error).split())[:200]}") from None
    for dotted, value in changes.items():
        *sections, key = dotted.split(".")
        section: Any = document
        for name in sections:
            if section.get(name) is None:
                section[name] = CommentedMap()
            section = section[name]
        if key in section:
            section[key] = value
        else:
            _append(section, key, value)
    edited = StringIO(newline="")
    editor.dump(document, edited)
    return edited.getvalue().replace("\n", "\r\n") if "\r\n" in text else edited.getvalue()


def _append(section: Any, key: str, value: object) -> None:
    """Add a key at the end of a section, but before what stands between it and the next one.

    The editor keeps blank lines and comments with the value that they follow.
    """
    last = next(reversed(section), None)
    if last is not None and hasattr(section[last], "ca"):
        # what follows belongs to something within the last value, and stays there
        section.insert(len(section) - 1, key, value)
        return
    section[key] = value
    following = section.ca.items.get(last)
    if following is not None and following[2] is not None:
        own, newline, rest = following[2].value.partition("\n")
        if rest:
            following[2].value = own + newline
            moved = copy(following[2])
            moved.value = newline + rest
            section.ca.items[key] = [None, None, moved, None]


def _mapping_indent(text: str) -> int:
    r"""Return by how many columns a section's keys are indented: as many as the first indented line.

    >>> _mapping_indent("dataset:\n    size: 1\n")
    4
    """
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if indent and line.strip() and not line.lstrip().startswith(("#", "-")):
            return indent
    return 2
