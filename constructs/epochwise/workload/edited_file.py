"""A workload file with keys replaced: the text that may be written, or why not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from epochwise.declaration.mistake import Mistake
from epochwise.declaration.setting import with_value
from epochwise.declaration.yaml_edit import UneditableFileError, edited_yaml
from epochwise.declaration.yaml_file import UnreadableFileError, file_bytes, yaml_mapping
from epochwise.workload.model import Workload, WorkloadError

_KIND, _HOLDS = "workload file", "name, dataset, epoch and cluster"


def edited_workload(path: str | Path, changes: Mapping[str, object]) -> bytes:
    """Return the content of a workload file with dotted keys set: valid, and otherwise as it was.

    Comments, order and quotes stay. Nothing is written.

    Raises:
        WorkloadError: the file is no workload, would be none with the changes, or cannot be edited.
    """
    path = Path(path)
    try:
        content = file_bytes(path, kind=_KIND)
        wanted = yaml_mapping(content, path, kind=_KIND, holds=_HOLDS)
    except UnreadableFileError as error:
        source, _, reason = str(error).partition(": ")
        raise WorkloadError(source, [Mistake("", reason)]) from None
    try:
        for key, value in changes.items():
            wanted = with_value(wanted, key, value)
    except ValueError as error:
        raise WorkloadError(str(path), [Mistake("", str(error))]) from None
    Workload.from_mapping(wanted, source=str(path))
    if path.suffix == ".json":
        return _json(wanted)
    try:
        edited = edited_yaml(content.decode("utf-8"), changes).encode("utf-8")
        if yaml_mapping(edited, path, kind=_KIND, holds=_HOLDS) == wanted:
            return edited
        reason = "cannot be edited without changing something else"
    except (UneditableFileError, UnreadableFileError) as error:
        reason = str(error).removeprefix(f"{path}: ")
    by_hand = ", ".join(f"{key}: {value}" for key, value in changes.items())
    raise WorkloadError(str(path), [Mistake("", f"{reason}; write by hand: {by_hand}")])


def _json(document: dict[str, Any]) -> bytes:
    """Return a document as JSON, whose keys keep their order."""
    return (json.dumps(document, indent=2, ensure_ascii=False, default=str) + "\n").encode("utf-8")
