"""Remarks about the user data that a client's start-up is added to. One rule, one function, one id."""

from collections.abc import Collection, Iterator

from epochwise.checks.finding import Finding, Level

MOST_BYTES = 16 * 1024
"""User data of an instance before it is encoded (EC2 User Guide, instancedata-add-user-data)."""


def user_data_findings(
    *, begins: str, shell: bool, path: str, paths: Collection[str], os: str, systems: Collection[str], size_bytes: int
) -> Iterator[Finding]:
    """Yield every remark about user data that a mount is to be added to.

    Args:
        begins: its first line, or what it is.
        shell: whether a shell runs what is added.
        path: where the file system is to be mounted.
        paths: where others are mounted by the same user data.
        os: the client's operating system, by its name.
        systems: operating systems of what is there already.
        size_bytes: of all together, as far as it is known.
    """
    refused = [*user_data_not_shell(begins, shell=shell)]
    yield from refused
    if refused:
        return
    yield from mount_path_taken(path, paths)
    yield from user_data_of_other_os(os, systems)
    yield from user_data_too_large(size_bytes)


def user_data_not_shell(begins: str, *, shell: bool) -> Iterator[Finding]:
    """What mounts is shell of Linux: PowerShell, cloud-config and a multipart archive by itself run none.

    Source: EC2 User Guide, user-data (shell scripts and cloud-init directives); cloud-init, user-data formats.
    """
    if not shell:
        yield Finding(
            "USER_DATA_NOT_SHELL",
            Level.ERROR,
            f"user_data must be a shell script of Linux, or a multipart one with such a default part, got {begins}",
            "pass ec2.UserData.for_linux(), for other formats as a part of ec2.MultipartUserData: "
            "add_user_data_part(linux, ec2.MultipartBody.SHELL_SCRIPT, True)",
        )


def mount_path_taken(path: str, paths: Collection[str]) -> Iterator[Finding]:
    """Each file system of an instance has its own folder: one that is mounted over another hides it.

    Source: mount(8).
    """
    if path in paths:
        yield Finding(
            "MOUNT_PATH_TAKEN",
            Level.ERROR,
            f"path must be one that the user data mounts nothing at, got {path!r:.80}, where a file system is mounted",
            f"give each file system its own, such as {path}-2",
        )


def user_data_of_other_os(os: str, systems: Collection[str]) -> Iterator[Finding]:
    """An instance has one operating system, and the scripts of two stop on it one way or the other.

    Source: the start-up script compares /etc/os-release with what was declared.
    """
    others = [each for each in systems if each != os]
    if others:
        yield Finding(
            "USER_DATA_OF_OTHER_OS",
            Level.ERROR,
            f"os must be {' and '.join(others)}, as what the user data mounts already, got {os}",
            "mount all file systems of an instance with the os of its image",
        )


def user_data_too_large(size_bytes: int) -> Iterator[Finding]:
    """EC2 takes 16 KB of user data, counted before it is encoded.

    Source: EC2 User Guide, instancedata-add-user-data.
    """
    if size_bytes > MOST_BYTES:
        yield Finding(
            "USER_DATA_TOO_LARGE",
            Level.ERROR,
            f"user_data must have {MOST_BYTES} bytes or fewer, got {size_bytes}",
            "mount with tune=False, or load long scripts from S3 instead of writing them into user data",
        )
