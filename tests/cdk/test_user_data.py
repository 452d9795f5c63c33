"""User data that a mount can be added to, and what it must not be."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import Fn, Stack
from aws_cdk import aws_ec2 as ec2

from tests.cdk.watched import AnyFileSystem


def archive(*parts: ec2.UserData, default: bool = True) -> ec2.MultipartUserData:
    """Return multipart user data whose first part is the default one, if any."""
    found = ec2.MultipartUserData()
    for place, part in enumerate(parts):
        found.add_user_data_part(part, ec2.MultipartBody.SHELL_SCRIPT, default and place == 0)
    return found


LINUX = ec2.UserData.for_linux
TAKEN: dict[str, Callable[[], ec2.UserData]] = {
    "bash": LINUX,
    "sh": lambda: LINUX(shebang="#!/bin/sh -e"),
    "env": lambda: LINUX(shebang="#!/usr/bin/env bash"),
    "written": lambda: ec2.UserData.custom("#!/bin/bash\necho"),
    "of the deploy": lambda: ec2.UserData.custom(Fn.import_value("Script")),
    "multipart": lambda: archive(LINUX(), ec2.UserData.custom("#cloud-config")),
}
REFUSED: dict[str, tuple[Callable[[], ec2.UserData], str]] = {
    "Windows": (ec2.UserData.for_windows, "begins with '<powershell>"),
    "cloud-config": (lambda: ec2.UserData.custom("#cloud-config\npackages: []"), "begins with '#cloud-config'"),
    "Python": (lambda: LINUX(shebang="#!/usr/bin/python3"), "begins with '#!/usr/bin/python3'"),
    "csh": (lambda: LINUX(shebang="#!/bin/csh"), "begins with '#!/bin/csh'"),
    "nothing": (lambda: ec2.UserData.custom(""), "got an empty text"),
    "multipart without parts": (ec2.MultipartUserData, "got a MultipartUserData without a default part"),
    "multipart without a default": (lambda: archive(LINUX(), default=False), "without a default part"),
    "multipart of Windows": (lambda: archive(ec2.UserData.for_windows()), "begins with '<powershell>"),
}


@pytest.mark.parametrize("kind", list(TAKEN))
def test_what_runs_a_shell_takes_file_systems_at_different_paths_on_one_system(stack: Stack, kind: str) -> None:
    user_data, file_system = TAKEN[kind](), AnyFileSystem(stack)
    file_system.add_to_user_data(user_data, path="/mnt/one")
    before = stack.resolve(user_data.render())
    again: list[tuple[dict[str, Any], str]] = [
        ({"path": "/mnt/one"}, r"got '/mnt/one', where a file system is mounted; .*\[MOUNT_PATH_TAKEN\]"),
        ({"path": "/o", "os": "RHEL_9"}, r"must be Amazon Linux 2023, .*Linux 9; .*\[USER_DATA_OF_OTHER_OS\]"),
    ]
    for settings, says in again:
        with pytest.raises(ValueError, match=says):
            file_system.add_to_user_data(user_data, **settings)
    assert stack.resolve(user_data.render()) == before
    file_system.add_to_user_data(user_data, path="/mnt/other")
    assert "mount-lustre-mnt:other" in str(stack.resolve(user_data.render()))


@pytest.mark.parametrize("kind", list(REFUSED))
def test_what_runs_no_shell_is_refused_and_left_as_it_was(stack: Stack, kind: str) -> None:
    make, says = REFUSED[kind]
    user_data = make()
    before = stack.resolve(user_data.render())
    with pytest.raises(ValueError, match=rf"user_data must be a shell script of Linux, .*{says}.*USER_DATA_NOT_SHELL"):
        AnyFileSystem(stack).add_to_user_data(user_data)
    assert stack.resolve(user_data.render()) == before


@pytest.mark.parametrize("make", [LINUX, lambda: archive(LINUX())])
def test_more_than_ec2_takes_is_not_added(stack: Stack, make: Callable[[], ec2.UserData]) -> None:
    user_data, file_system = make(), AnyFileSystem(stack)
    file_system.add_to_user_data(user_data, path="/mnt/0")
    user_data.add_commands("#" * 12_000)
    with pytest.raises(ValueError, match=r"16384 bytes or fewer, got \d{5}; .*\[USER_DATA_TOO_LARGE\]"):
        file_system.add_to_user_data(user_data, path="/mnt/1")
    assert "mount-lustre-mnt:1 " not in str(stack.resolve(user_data.render()))


@pytest.mark.parametrize("path", ["/proc", "/etc", "/sys", "/dev", "/etc/lustre", "/usr"])
def test_a_folder_of_the_instance_itself_is_no_place_for_a_mount(stack: Stack, path: str) -> None:
    file_system = AnyFileSystem(stack)
    for ask in (file_system.mount_command, file_system.fstab_line, lambda path: file_system.user_data(path=path)):
        with pytest.raises(ValueError, match=rf"got '{path}'; .*\[MOUNT_PATH_OF_SYSTEM\]"):
            ask(path)
