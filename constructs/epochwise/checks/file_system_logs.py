"""Remarks about what a file system logs. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.file_system_settings import FileSystemSettings, LogLevel
from epochwise.checks.finding import Finding, Level

LOG_GROUP_PREFIX = "/aws/fsx/"
"""What the name of a log group begins with (FSx API, LustreLogCreateConfiguration)."""


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
            f"log_group must have a name that begins with {LOG_GROUP_PREFIX}, got {name!r:.80}",
            f"nearest legal: {LOG_GROUP_PREFIX}{name.strip('/').rpartition('/')[2]:.80}, or leave it out",
        )


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
