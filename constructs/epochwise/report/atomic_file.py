"""Write a file whole or not at all."""

import os
from pathlib import Path


class UnwritableFileError(ValueError):
    """A file that cannot be written, with path and reason in one line."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, so that no one ever sees half of it.

    A link is followed; what is there and no file, such as a device, is left alone.

    Raises:
        UnwritableFileError: the folder is missing or takes no file, or the place is not a file's.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise UnwritableFileError(f"{path}: cannot be written: is there and is not a file")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.write_bytes(content)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UnwritableFileError(f"{path}: cannot be written: {error.strerror}") from None
