"""Read a CloudFormation template, JSON or YAML with its short forms, or say in one line why not."""

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

MAX_TEMPLATE_BYTES = 1_048_576
"""Most that CloudFormation takes (CloudFormation User Guide, quotas: 1 MB from S3)."""


class UnreadableTemplateError(ValueError):
    """There is no template to be had: the message says where and why, in one line."""


class _TemplateLoader(yaml.SafeLoader):
    """YAML as CloudFormation reads it: short forms of its functions, no aliases, dates as they stand, no twins."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, which CloudFormation does not support."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="aliases are not supported by CloudFormation", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Build a mapping and refuse a key that stands in it twice."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key.value!r} stands here twice", problem_mark=key.start_mark
                )
            seen.add(str(key.value))
        return super().construct_mapping(node, deep=deep)

    def short_form(self, name: str, node: yaml.Node) -> dict[str, Any]:
        """Build the long form of a function, such as {"Fn::GetAtt": ["Id", "Attribute"]} of !GetAtt Id.Attribute."""
        match node:
            case yaml.ScalarNode():
                value: Any = self.construct_scalar(node)
            case yaml.SequenceNode():
                value = self.construct_sequence(node, deep=True)
            case _:
                value = self.construct_mapping(node, deep=True)  # type: ignore[arg-type]
        return {name if name in {"Ref", "Condition"} else f"Fn::{name}": value}

    def text(self, node: yaml.ScalarNode) -> str:
        """Keep a scalar as it is written."""
        return self.construct_scalar(node)


_TemplateLoader.add_multi_constructor("!", _TemplateLoader.short_form)
_TemplateLoader.add_constructor("tag:yaml.org,2002:timestamp", _TemplateLoader.text)


def read_template(path: Path | str) -> dict[str, Any]:
    """Return the template that a file holds, with the functions in their long form.

    Raises:
        UnreadableTemplateError: with the path and the reason, in one line.
    """
    if not str(path).strip():
        raise UnreadableTemplateError(f"a template must be named by its file, got {str(path)!r}")
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_TEMPLATE_BYTES + 1)
    except OSError as error:
        raise UnreadableTemplateError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise UnreadableTemplateError(f"{str(path)!r}: cannot be read: {error}") from None
    if len(content) > MAX_TEMPLATE_BYTES:
        raise UnreadableTemplateError(f"{path}: is larger than the {MAX_TEMPLATE_BYTES} bytes CloudFormation takes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableTemplateError(f"{path}: is not UTF-8 text (byte {error.start})") from None
    return parse_template(text, str(path))


def parse_template(text: str, origin: str) -> dict[str, Any]:
    """Return the template in a text; `origin` says in messages where the text comes from.

    Raises:
        UnreadableTemplateError: with the origin and the reason, in one line.
    """
    try:
        document = json.loads(text) if text.lstrip().startswith("{") else _yaml(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UnreadableTemplateError(f"{origin}: is not JSON in {where}: {error.msg.lower()}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UnreadableTemplateError(f"{origin}: is not YAML{place}: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, OverflowError, TypeError) as error:
        raise UnreadableTemplateError(f"{origin}: is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise UnreadableTemplateError(f"{origin}: is nested too deeply for a template") from None
    return as_template(document, origin)


def as_template(document: object, origin: str) -> dict[str, Any]:
    """Return a document that is a template.

    Raises:
        UnreadableTemplateError: it holds no resources.
    """
    resources = document.get("Resources") if isinstance(document, dict) else None
    if isinstance(document, dict) and isinstance(resources, dict) and resources:
        for logical_id, resource in resources.items():
            _judge_resource(str(logical_id), resource, origin)
        return document
    must = "must be a CloudFormation template with Resources"
    match document:
        case {"Resources": {}}:
            raise UnreadableTemplateError(f"{origin}: {must}, got Resources without any")
        case {"Resources": _}:
            raise UnreadableTemplateError(
                f"{origin}: {must}, each by its logical id, got {_kind(resources)} for Resources"
            )
        case {}:
            keys = ", ".join(map(str, list(document)[:5]))
            raise UnreadableTemplateError(f"{origin}: {must}, got {f'keys {keys}' if keys else 'an empty mapping'}")
    raise UnreadableTemplateError(f"{origin}: {must}, got {_kind(document)}")


def _judge_resource(logical_id: str, resource: object, origin: str) -> None:
    """Refuse what is no resource; loops of CloudFormation's language extensions are left alone.

    Raises:
        UnreadableTemplateError: the resource has no type, or properties that are no mapping.
    """
    if logical_id.startswith("Fn::"):
        return
    where = f"{origin}: resource {logical_id:.80} must be"
    if not isinstance(resource, dict):
        raise UnreadableTemplateError(f"{where} a mapping with a Type, got {_kind(resource)}")
    if not isinstance(resource.get("Type"), str):
        raise UnreadableTemplateError(f"{where} of a Type in text, got {_kind(resource.get('Type'))}")
    properties = resource.get("Properties")
    if properties is not None and not isinstance(properties, dict):
        raise UnreadableTemplateError(f"{where} one whose Properties are a mapping, got {_kind(properties)}")


def _kind(value: object) -> str:
    """Write what a value of a template is.

    >>> [_kind(value) for value in (None, [1], "a", 3)]
    ['nothing', 'a list', 'text', 'a number']
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return "text"
        case int() | float():
            return "a number"
    return "a list" if isinstance(value, list) else "a mapping"


def _yaml(text: str) -> Any:
    """Parse YAML with CloudFormation's short forms."""
    return yaml.load(text, Loader=_TemplateLoader)  # noqa: S506 - a subclass of SafeLoader
