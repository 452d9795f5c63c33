"""Remarks about what a file system logs. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.file_system_settings import FileSystemSettings, LogLevel
from epochwise.checks.finding import Finding, Level

LOG_GROUP_PREFIX = "/aws/fsx/"
"""What the name of a log group begins with (FSx API, LustreLogCreateConfiguration)."""
GENERATED_NAME = "a generated name"
"""Stands for the name of a log group that CloudFormation names; no log group can be called so."""
_NAME = re.compile(r"[A-Za-z0-9_.#-]+")
"""Part of a log group's name (CloudWatch Logs API, CreateLogGroup)."""


def log_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about logs."""
    yield from log_group_name_illegal(settings)
    yield from log_group_without_logs(settings)


def log_group_name_illegal(settings: FileSystemSettings) -> Iterator[Finding]:
    """FSx writes to log groups under /aws/fsx/ only.

    Source: FSx API, LustreLogCreateConfiguration Destination.
    """
    name = settings.log_group_name
    if name is not None and not name.startswith(LOG_GROUP_PREFIX):
        yield Finding(
            "LOG_GROUP_NAME_ILLEGAL",
            Level.ERROR,
            f"log_group must have a name that begins with {LOG_GROUP_PREFIX}, got {_shown(name)}",
            f"{_nearest(name)}, or leave log_group out",
        )


def _shown(name: str) -> str:
    """Write a name for the message."""
    return "one without a name, which CloudFormation makes up" if name == GENERATED_NAME else f"{name!r:.80}"


def _nearest(name: str) -> str:
    """Say which name is nearest to one that FSx does not write to.

    >>> [_nearest(name) for name in ("/mine/logs", "", "a b")]
    ['nearest legal: /aws/fsx/logs', 'name it /aws/fsx/lustre', 'name it /aws/fsx/lustre']
    """
    last = "" if name == GENERATED_NAME else name.strip("/").rpartition("/")[2]
    if not _NAME.fullmatch(last):
        return f"name it {LOG_GROUP_PREFIX}lustre"
    return f"nearest legal: {LOG_GROUP_PREFIX}{last:.80}"


def log_group_without_logs(settings: FileSystemSettings) -> Iterator[Finding]:
    """Where nothing is logged there is no log group.

    Source: FSx API, LustreLogCreateConfiguration Destination.
    """
    if settings.log_level is LogLevel.DISABLED and settings.gives("log_group_name"):
        yield Finding(
            "LOG_GROUP_WITHOUT_LOGS",
            Level.ERROR,
            f"log_group must be absent with log_level DISABLED, got {settings.log_group_name or 'one'}",
            "leave out either",
        )
