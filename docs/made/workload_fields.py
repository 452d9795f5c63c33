"""Every field of a workload file: key, what it takes, default, and what its docstring says."""

from collections.abc import Iterator
from inspect import isclass
from typing import Any, get_args

import griffe
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from docs.made.command_line import ROOT
from docs.made.markdown import code, prose, table
from epochwise import Workload

_SMALLEST = 1e-6
"""Lower bounds below it only keep figures finite, and are told as above 0."""


def workload_fields() -> str:
    """Write the tables, one for each section of the file."""
    return "\n\n".join(_section("", Workload))


def field_paths() -> tuple[str, ...]:
    """Return the key of every field, such as `cluster.nodes`."""
    return tuple(_paths("", Workload))


def _paths(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    """Yield the keys of a section and of those below it."""
    for name, field in model.model_fields.items():
        below = _model_of(field)
        path = f"{prefix}{name}"
        yield path
        if below is not None:
            yield from _paths(f"{path}{'.NAME' if _is_mapping(field) else ''}.", below)


def _section(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    """Yield heading, description and table of a section, then those below it."""
    schema = Workload.model_json_schema()
    properties = (schema if model is Workload else schema["$defs"][model.__name__])["properties"]
    said = _docstrings(model)
    rows, below = [], []
    for name, field in model.model_fields.items():
        inner = _model_of(field)
        if inner is not None:
            below.append((f"{prefix}{name}{'.NAME' if _is_mapping(field) else ''}.", inner))
        takes = "a section, below" if inner is not None else _takes(properties[name], schema["$defs"])
        rows.append((code(f"{prefix}{name}"), takes, _default(field), prose(said.get(name) or _described(inner))))
    if prefix:
        yield f"### {prefix.rstrip('.')}"
        yield prose(_described(model))
    yield table(("key", "takes", "default", "says"), rows)
    for path, inner in below:
        yield from _section(path, inner)


def _model_of(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section that a field holds, alone or by name; None for a plain value."""
    waiting: list[Any] = [field.annotation]
    while waiting:
        part = waiting.pop()
        if isclass(part) and issubclass(part, BaseModel):
            return part
        waiting += get_args(part)
    return None


def _is_mapping(field: FieldInfo) -> bool:
    """Tell whether a field holds sections by name."""
    return getattr(field.annotation, "__origin__", None) is dict


def _described(model: type[BaseModel] | None) -> str:
    """Return a section's docstring, less what stands below the first paragraph."""
    return "" if model is None or not model.__doc__ else model.__doc__.partition("\n\n")[0]


def _default(field: FieldInfo) -> str:
    """Write what is taken where the key is absent."""
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value in ((), {}, "") or isinstance(value, BaseModel):
        return ""
    members = value if isinstance(value, tuple) else (value,)
    return ", ".join(code(_written(member)) for member in members)


def _written(value: object) -> str:
    """Write a value as YAML does.

    >>> _written(True), _written(2.0), _written("none")
    ('true', '2', 'none')
    """
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _takes(schema: dict[str, Any], defs: dict[str, Any]) -> str:
    """Write what a JSON Schema lets through, for a person."""
    match schema:
        case {"$ref": reference}:
            text = _takes(defs[reference.rpartition("/")[2]], defs)
        case {"title": "Size" | "Duration" as title, "examples": [example, *_]}:
            text = f"{title.lower()}, such as {code(example)}"
        case {"anyOf": parts}:
            text = " or ".join(dict.fromkeys(_takes(part, defs) for part in parts if part.get("type") != "null"))
        case {"enum": values}:
            text = ", ".join(code(str(value)) for value in values)
        case {"type": "array", "items": items}:
            text = f"list of {_takes(items, defs)}"
        case {"type": "object", "additionalProperties": dict(inner)} if inner:
            text = f"mapping of {_takes(inner, defs)}"
        case {"type": kind}:
            text = _plain(kind, schema)
        case _:
            text = "any value"
    return text


def _plain(kind: str, schema: dict[str, Any]) -> str:
    """Write what a schema of one plain kind lets through."""
    match kind, schema:
        case "string", {"format": "date"}:
            return "day, `YYYY-MM-DD`"
        case "string", {"pattern": str(pattern)} if pattern.startswith("^s3:"):
            return "`s3://` address"
        case "string", {"maxLength": longest}:
            return f"text of at most {longest}"
        case (("integer" | "number"), _):
            return f"{'whole number' if kind == 'integer' else 'number'}{_range(schema)}"
    return {"boolean": "`true`, `false`", "string": "text", "object": "mapping"}.get(kind, kind)


def _range(schema: dict[str, Any]) -> str:
    """Write the bounds of a number, where they are narrower than what anyone trains on."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None:
        above = ""
    elif "exclusiveMinimum" in schema or 0 < low < _SMALLEST:
        above = " above 0"
    else:
        above = f" from {low:g}"
    return f"{above} to {high:,.10g}".replace(",", " ") if high is not None and high < 10**9 else above


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstring of each field, read from the source."""
    file = ROOT / "constructs" / f"{model.__module__.replace('.', '/')}.py"
    module = griffe.visit(model.__module__, filepath=file, code=file.read_text(encoding="utf-8"))
    members = module.members[model.__name__].members
    return {name: member.docstring.value for name, member in members.items() if member.docstring is not None}
