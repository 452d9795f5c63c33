"""Templates on a disk: whole, and without what an earlier run left."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from epochwise.report.atomic_file import UnwritableFileError, write_whole
from stacks.pipeline_manifest import MANIFEST


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder's files, the manifest last, and remove what its last manifest names and this one does not.

    What is in the folder otherwise is its owner's.

    Raises:
        UnwritableFileError: the folder cannot be made, or a file not be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFileError(f"{folder}: cannot be made: {error.strerror}") from None
    stale = _listed(folder / MANIFEST) - set(files)
    for name in sorted(files, key=lambda name: name == MANIFEST):
        write_whole(folder / name, files[name])
    for name in stale:
        with suppress(OSError):
            (folder / name).unlink()


def _listed(manifest: Path) -> set[str]:
    """Return the plain names of files that a manifest of ours lists; none where it is another's or cannot be read."""
    try:
        document = json.loads(manifest.read_bytes())
    except (OSError, ValueError):
        return set()
    match document:
        case {"format": int(), "epochwise": str(), "files": dict() as files}:
            return {name for name in files if Path(name).name == name}
        case _:
            return set()
