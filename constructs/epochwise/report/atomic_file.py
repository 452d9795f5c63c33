"""Write a file whole or not at all."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class UnwritableFileError(ValueError):
    """A file that cannot be written, with path and reason in one line."""


def refuse_unwritable(path: Path) -> None:
    """Refuse a place where no file can be written, without writing: what is known before long work is said before it.

    A file or folder that nobody may write, as its mode says, is refused to root as well.

    Raises:
        UnwritableFileError: it is not a file's place, or one that may not be written.
    """
    path = Path(os.path.realpath(path))
    try:
        reason = _why_unwritable(path)
    except OSError as error:
        reason = str(error.strerror)
    if reason is not None:
        raise UnwritableFileError(f"{path}: cannot be written: {reason}")


def _why_unwritable(path: Path) -> str | None:
    """Return why no file can be written there; None where one can."""
    if path.exists() and not path.is_file():
        return "is there and is not a file"
    if not path.parent.is_dir():
        return os.strerror(errno.ENOENT)
    for place, name in ((path, "the file"), (path.parent, "its folder")):
        if place.exists() and not (place.stat().st_mode & _WRITABLE and os.access(place, os.W_OK)):
            return f"{name} is read-only; allow it with chmod u+w"
    return None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, so that no one ever sees half of it.

    A link is followed; what is there and no file, such as a device, is left alone. The file keeps its mode and, where
    that is allowed, its owner.

    Raises:
        UnwritableFileError: the folder is missing or takes no file, or the place is not a file's.
    """
    path = Path(os.path.realpath(path))
    refuse_unwritable(path)
    before = path.stat() if path.exists() else None
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.write_bytes(content)
            if before is not None:
                with suppress(PermissionError):
                    os.chown(beside, before.st_uid, before.st_gid)
                beside.chmod(stat.S_IMODE(before.st_mode))
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UnwritableFileError(f"{path}: cannot be written: {error.strerror}") from None
