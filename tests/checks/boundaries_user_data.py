"""Boundaries of what is said about the user data that mounts file systems."""

from functools import partial
from typing import Any

from epochwise.checks.finding import Finding
from epochwise.checks.user_data import user_data_findings
from tests.checks.boundaries import Row


def _data(changes: dict[str, Any]) -> list[Finding]:
    given: dict[str, Any] = {
        "begins": "text that begins with '#!/bin/bash'",
        "shell": True,
        "path": "/fsx",
        "paths": [],
        "os": "Amazon Linux 2023",
        "systems": [],
        "size_bytes": 4000,
    }
    return list(user_data_findings(**given | changes))


_CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("USER_DATA_NOT_SHELL", {"shell": False, "begins": "text that begins with '<powershell>'"}, "'<powershell>'"),
    ("USER_DATA_NOT_SHELL", {}, None),
    ("MOUNT_PATH_TAKEN", {"paths": ["/fsx"]}, "got '/fsx'"),
    ("MOUNT_PATH_TAKEN", {"paths": ["/fsx/data", "/fs"]}, None),
    ("USER_DATA_OF_OTHER_OS", {"systems": ["Rocky Linux 9"]}, "got Amazon Linux 2023"),
    ("USER_DATA_OF_OTHER_OS", {"systems": ["Amazon Linux 2023"]}, None),
    ("USER_DATA_TOO_LARGE", {"size_bytes": 16_385}, "got 16385"),
    ("USER_DATA_TOO_LARGE", {"size_bytes": 16_384}, None),
]
ROWS = tuple(Row(finding_id, partial(_data, changes), says) for finding_id, changes, says in _CASES)
