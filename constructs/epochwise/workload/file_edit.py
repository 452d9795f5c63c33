"""A workload file with values replaced, which is a legal workload before it is written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from epochwise.declaration.mistake import Mistake
from epochwise.declaration.yaml_edit import UneditableFileError, with_values
from epochwise.declaration.yaml_file import UnreadableFileError, yaml_mapping
from epochwise.workload.model import Workload, WorkloadError


def edited_workload_file(path: Path, values: Mapping[str, Any]) -> bytes:
    """Return what a workload file holds once the values of dotted keys are replaced; nothing is written.

    Comments and order stay. The result is read again and validated, and nothing but those values differs.

    Raises:
        WorkloadError: the file cannot be read or changed in place, or it is no legal workload with these values.
    """
    try:
        before = path.read_bytes()
        was = yaml_mapping(before, path)
        after = with_values(before.decode("utf-8"), values).encode("utf-8")
        becomes = yaml_mapping(after, path)
    except UnreadableFileError as error:
        raise WorkloadError(str(path), [Mistake("", str(error).removeprefix(f"{path}: "))]) from None
    except UneditableFileError as error:
        raise WorkloadError(str(path), [Mistake("", f"{error}; {_by_hand(values)}")]) from None
    except OSError as error:
        raise WorkloadError(str(path), [Mistake("", f"cannot be read: {error.strerror or error}")]) from None
    if _put(was, values) != becomes:
        reason = f"cannot be changed in place, since other values would change with it; {_by_hand(values)}"
        raise WorkloadError(str(path), [Mistake("", reason)])
    Workload.from_mapping(becomes, source=str(path))
    return after


def _by_hand(values: Mapping[str, Any]) -> str:
    """Say what to write instead."""
    return "write it by hand: " + ", ".join(f"{key}: {value}" for key, value in values.items())


def _put(document: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with values replaced."""
    changed = dict(document)
    for key, value in values.items():
        section, dot, rest = key.partition(".")
        changed[section] = _put(changed.get(section) or {}, {rest: value}) if dot else value
    return changed
