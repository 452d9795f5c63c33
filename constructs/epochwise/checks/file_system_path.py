"""Rules about the folder of a file system that a training job mounts."""

from collections.abc import Iterator
from unicodedata import category

from epochwise.checks.finding import Finding, Level

MAX_DIRECTORY_PATH = 4096
"""Characters of a channel's directory, mount name included. Source: botocore 1.44.8, DirectoryPath."""
MAX_MOUNT_NAME = 8
"""Characters of a file system's mount name. Source: FSx API Reference, LustreFileSystemConfiguration."""
_CONTROL = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters and of separators of lines and paragraphs."""
_LONGEST = MAX_DIRECTORY_PATH - len("/") - MAX_MOUNT_NAME


def file_system_path_invalid(name: str, path: str) -> Iterator[Finding]:
    """Refuse a folder that no channel of a training job can name.

    The directory of a channel is the file system's mount name, and this path after it. A path that climbs with `..`
    would leave the mount name. Source: botocore 1.44.8, DirectoryPath; SageMaker API Reference, FileSystemDataSource.
    """
    one_line = "".join(letter for letter in path if category(letter) not in _CONTROL)
    if path.startswith("/") and path == one_line and ".." not in path.split("/") and len(path) <= _LONGEST:
        return
    nearest = ("/" + "/".join(part for part in one_line.split("/") if part not in {"", ".", ".."}))[:_LONGEST]
    yield Finding(
        "FILE_SYSTEM_PATH_INVALID",
        Level.ERROR,
        f"{name} must begin with /, hold neither .. nor line breaks, and take {_LONGEST} characters at most, got "
        f"{path[:60]!r} of {len(path)}",
        f"nearest legal: {nearest if len(nearest) <= 60 else f'its first {len(nearest)} characters'}",
    )


def file_system_path_has_mount_name(path: str, mount_name: str) -> Iterator[Finding]:
    """Warn about a folder that is called as the file system is mounted.

    The request puts the mount name before the path by itself, so that a path which begins with it names a folder of
    that name inside the file system. Source: SageMaker API Reference, FileSystemDataSource.
    """
    rest = path.removeprefix(f"/{mount_name}")
    if rest == path or not f"{rest}/".startswith("/"):
        return
    yield Finding(
        "FILE_SYSTEM_PATH_HAS_MOUNT_NAME",
        Level.WARNING,
        f"file_system_path {path[:60]} begins with the mount name {mount_name}, which is put before it once more",
        f"write {rest[:60] or '/'}, unless the file system has a folder of that name",
    )
