"""Boundaries of what is said about the folder of a file system that a job mounts."""

from functools import partial

from epochwise.checks.file_system_path import file_system_path_has_mount_name, file_system_path_invalid
from tests.checks.boundaries import Row

LONGEST = 4087
"""4096 less a slash and the eight characters of a mount name."""
LEGAL = ["/", "/data", "/data/", "/data//train", "/a b", "/Straße", "/..data/x..", "/" + "x" * (LONGEST - 1)]
ILLEGAL = [
    ("", "got '' of 0"),
    ("data", "got 'data' of 4"),
    ("/data/../..", "got '/data/../..' of 11"),
    ("/a\nb", "got '/a\\nb' of 4"),
    ("/a\u2028b", "of 4"),
    ("/a\x00", "of 3"),
    ("/" + "x" * LONGEST, f"of {LONGEST + 1}"),
]

ROWS = (
    *(Row("FILE_SYSTEM_PATH_INVALID", partial(file_system_path_invalid, "path", path), None) for path in LEGAL),
    *(Row("FILE_SYSTEM_PATH_INVALID", partial(file_system_path_invalid, "path", path), says) for path, says in ILLEGAL),
    *(
        Row("FILE_SYSTEM_PATH_HAS_MOUNT_NAME", partial(file_system_path_has_mount_name, path, "abcdefgh"), says)
        for path, says in [
            ("/abcdefgh/data", "begins with the mount name abcdefgh"),
            ("/abcdefgh", "begins with the mount name abcdefgh"),
            ("/abcdefghi/data", None),
            ("/data/abcdefgh", None),
            ("/", None),
        ]
    ),
)
