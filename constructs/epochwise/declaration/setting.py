"""One key of a document replaced from the command line: KEY=VALUE."""

from typing import Any

import yaml

from epochwise.declaration.yaml_file import load_yaml


def with_setting(document: dict[str, Any], setting: str) -> dict[str, Any]:
    """Return a document with the dotted KEY of `KEY=VALUE` replaced; VALUE is YAML, missing sections are made.

    Raises:
        ValueError: the setting is malformed, or a section on the way holds a value without keys.

    >>> with_setting({"epoch": {"count": 90}}, "epoch.target=20 s")
    {'epoch': {'count': 90, 'target': '20 s'}}
    """
    key, equals, text = setting.partition("=")
    path = key.split(".")
    if not equals or not all(path):
        raise ValueError(f"must be KEY=VALUE with a dotted KEY, such as epoch.target=60, got {setting[:60]!r}")
    try:
        value = load_yaml(text)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise ValueError(f"{key}: the value is not YAML: {reason}, got {text[:60]!r}") from None
    return with_value(document, key, value)


def with_value(document: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """Return a document with a dotted key replaced; missing sections are made.

    Raises:
        ValueError: a section on the way holds a value without keys.
    """
    path = key.split(".")
    changed = document = dict(document)
    for place, name in enumerate(path[:-1]):
        section = document.get(name)
        if not isinstance(section, dict | None):
            raise ValueError(f"{key}: {'.'.join(path[: place + 1])} holds {str(section)[:60]!r}, which has no keys")
        document[name] = document = dict(section or {})
    document[path[-1]] = value
    return changed
