"""Read one small YAML file that a person wrote, or say in one line why not."""

from pathlib import Path
from typing import Any

import yaml

MAX_FILE_BYTES = 1_000_000
"""A declaration is some dozens of lines; what is larger is another kind of file."""


class UnreadableFileError(ValueError):
    """The file is missing, empty, too large, not text or not a YAML mapping."""


class _StrictLoader(yaml.SafeLoader):
    """YAML's safe loader, less silently dropped duplicate keys; what it cannot build is told with its place."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Build a value, and refuse a number or day that there is none of."""
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, OverflowError) as error:
            raise yaml.MarkedYAMLError(problem=_cannot_be(node, error), problem_mark=node.start_mark) from None

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


def load_yaml(text: str) -> Any:
    """Return what a text of YAML holds.

    Raises:
        yaml.YAMLError: it is not YAML, or holds a number or day that there is none of.
        ValueError: it holds characters that YAML does not.
        RecursionError: it is nested too deeply.
    """
    return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a subclass of SafeLoader


def _cannot_be(node: yaml.Node, error: Exception) -> str:
    """Say what a scalar looks like and cannot be."""
    text = str(node.value)
    if node.tag.endswith(":int"):
        return f"a whole number of {len(text)} digits is longer than any value takes"
    return f"{text[:60]!r} looks like a day or a number and is none: {' '.join(str(error).split())}"


def read_yaml_mapping(
    path: Path, *, kind: str = "workload file", holds: str = "name, dataset, epoch and cluster"
) -> dict[str, Any]:
    """Return the mapping that a YAML or JSON file holds; messages name the kind of file and the keys that it holds.

    Raises:
        UnreadableFileError: with the path and the reason, in one line.
    """
    return yaml_mapping(file_bytes(path, kind=kind), path, kind=kind, holds=holds)


def file_bytes(path: Path, *, kind: str) -> bytes:
    """Return what a file holds that a person wrote.

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
    if len(content) > MAX_FILE_BYTES:
        raise UnreadableFileError(f"{path}: is larger than {MAX_FILE_BYTES} bytes, which no {kind} is")
    return content


def yaml_mapping(content: bytes, path: Path, *, kind: str, holds: str) -> dict[str, Any]:
    """Return the mapping in the content of a file; the path tells JSON from YAML.

    Raises:
        UnreadableFileError: with the path and the reason, in one line.
    """
    try:
        text = content.decode("utf-8")
        # JSON is YAML but for tabs, which it has between values only
        text = text.expandtabs() if path.suffix == ".json" else text
        document = load_yaml(text)
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
