"""Read one small YAML file that a person wrote, or say in one line why not."""

from pathlib import Path
from typing import Any

import yaml

MAX_FILE_BYTES = 1_000_000
"""A declaration is some dozens of lines; what is larger is another kind of file."""

_HOLDS = "name, dataset, epoch and cluster"


class UnreadableFileError(ValueError):
    """The file is missing, empty, too large, not text or not a YAML mapping."""


class _StrictLoader(yaml.SafeLoader):
    """YAML's safe loader, less silently dropped duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Build a mapping and refuse a key that stands in it twice."""
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is not None and key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key!r} stands here twice", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def read_yaml_mapping(path: Path, *, kind: str = "workload file", holds: str = _HOLDS) -> dict[str, Any]:
    """Return the mapping that a YAML or JSON file holds; messages name the kind of file and the keys that it holds.

    Raises:
        UnreadableFileError: with the path and the reason, in one line.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise UnreadableFileError(f"{str(path)!r}: cannot be read: {error}") from None
    return yaml_mapping(content, path, kind=kind, holds=holds)


def yaml_mapping(content: bytes, path: Path, *, kind: str = "workload file", holds: str = _HOLDS) -> dict[str, Any]:
    """Return the mapping that the content of a file is; `path` names it.

    Raises:
        UnreadableFileError: with the path and the reason, in one line.
    """
    if len(content) > MAX_FILE_BYTES:
        raise UnreadableFileError(f"{path}: is larger than {MAX_FILE_BYTES} bytes, which no {kind} is")
    try:
        text = content.decode("utf-8")
        # JSON is YAML but for tabs, which it has between values only
        text = text.expandtabs() if path.suffix == ".json" else text
        document = yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a subclass of SafeLoader
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"{path}: is not UTF-8 text (byte {error.start})") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UnreadableFileError(f"{path}: is not YAML{where}: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise UnreadableFileError(f"{path}: is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise UnreadableFileError(f"{path}: is nested too deeply for a {kind}") from None
    if document is None:
        raise UnreadableFileError(f"{path}: is empty; a {kind} needs {holds}")
    if not isinstance(document, dict):
        raise UnreadableFileError(f"{path}: must hold a mapping with {holds}, got a {type(document).__name__}")
    return document
