"""Mistakes in a declaration, in the user's terms: key path, value, what is allowed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from reprlib import Repr
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_SHORT.maxlevel, _SHORT.maxdict, _SHORT.maxlist = 2, 3, 4
_NO_VALUE = object()
_ID = re.compile(r" \[(?P<id>[A-Z][A-Z0-9_]+)\]$")
"""Ends the words of a validator whose rule has an id."""
_KINDS_OF_JSON = frozenset({"bool", "dict", "float", "int", "list", "none", "str"})
"""What pydantic puts into a location for the kind of a JSON value."""


@dataclass(frozen=True)
class Mistake:
    """One mistake."""

    path: str
    """Dotted key path, such as dataset.size; empty for the document itself."""
    message: str
    """What is allowed, and where it helps, what to write instead."""
    value: Any = _NO_VALUE
    id: str = ""
    """Of the check that says the same of an argument; empty where none does."""

    def __str__(self) -> str:
        """Render as one line."""
        got = "" if self.value is _NO_VALUE or (self.id and ", got " in self.message) else f", got {shown(self.value)}"
        got += f" [{self.id}]" if self.id else ""
        return f"{self.path}: {self.message}{got}" if self.path else f"{self.message}{got}"


def shown(value: object) -> str:
    r"""Render a value for a message, shortened, on one line.

    >>> shown("a\nb"), len(shown("x" * 500))
    ("'a\\nb'", 60)
    """
    return " ".join(_SHORT.repr(str(value) if isinstance(value, StrEnum) else value).split())


def mistakes(error: ValidationError, model: type[BaseModel], document: object) -> list[Mistake]:
    """Translate pydantic's errors about a document into mistakes, in the order of the document."""
    return [_mistake(detail, model, document) for detail in error.errors(include_url=False)]


def _mistake(detail: ErrorDetails, model: type[BaseModel], document: object) -> Mistake:
    """Translate one error."""
    location = _location(detail["loc"], document)
    path = ".".join(location)
    match detail["type"]:
        case "missing":
            return Mistake(path, "is required and missing")
        case "extra_forbidden":
            allowed = _keys(model, location[:-1])
            near = get_close_matches(location[-1], allowed, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            return Mistake(path, f"unknown key, allowed here: {', '.join(allowed)}{meant}")
        case "model_type" | "model_attributes_type" | "dict_type":
            return Mistake(path, "must be a mapping of keys", detail["input"])
        case "tuple_type":
            return Mistake(path, "must be a list", detail["input"])
        case _:
            message = detail["msg"].removeprefix("Value error, ")
            message = message.replace("Input should be", "must be").replace("String should", "must")
            # a rule about several keys of a section says itself which values it got
            value = _NO_VALUE if isinstance(detail["input"], Mapping) else detail["input"]
            named = _ID.search(message)
            message = message[: named.start()] if named else message
            return Mistake(path, message[:1].lower() + message[1:], value, named["id"] if named else "")


def _location(parts: Iterable[int | str], document: object) -> list[str]:
    """Return the keys on the way to an error, without what pydantic adds for kinds.

    >>> _location(("training", "hyperparameters", "lr", "list", 1, "float"), {"training": {"hyperparameters": {}}})
    ['training', 'hyperparameters', 'lr', '1']
    """
    here: Any = document
    location: list[str] = []
    for part in parts:
        there = isinstance(here, Mapping) and part in here
        if part == "[key]" or (part in _KINDS_OF_JSON and not there):
            continue
        location.append(str(part))
        listed = isinstance(here, list) and isinstance(part, int) and part < len(here)
        here = here[part] if there or listed else None
    return location


def _keys(model: type[BaseModel], location: Iterable[str]) -> list[str]:
    """Return the keys that the section at a location allows."""
    for part in location:
        field = model.model_fields.get(part)
        nested = None if field is None else next(_models(field.annotation), None)
        if nested is None:
            break
        model = nested
    return list(model.model_fields)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models inside an annotation such as `Section | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def valid_sections(model: type[BaseModel], document: Mapping[str, Any], broken: Iterable[str]) -> dict[str, Any]:
    """Validate the top-level sections that are not broken, each on its own, absent ones by their default.

    Rules that look at several sections can then run although another section is broken, so that one reading tells all
    mistakes.
    """
    left_out = set(broken)
    sections: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name in left_out:
            continue
        if name in document:
            sections[name] = TypeAdapter(field.rebuild_annotation()).validate_python(document[name])
        elif not field.is_required():
            sections[name] = field.get_default(call_default_factory=True)
    return sections
