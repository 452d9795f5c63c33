"""Remarks about when a file system is maintained and backed up. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding, Level

_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"


def schedule_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about times."""
    yield from maintenance_time_invalid(settings)
    yield from backup_time_invalid(settings)
    yield from backup_time_without_backups(settings)


def maintenance_time_invalid(settings: FileSystemSettings) -> Iterator[Finding]:
    """The weekly maintenance begins on a day, 1 for Monday to 7 for Sunday, at a time in UTC.

    Source: FSx API, WeeklyTime.
    """
    time = settings.weekly_maintenance_start_time
    if time is not None and not re.fullmatch(f"[1-7]:{_TIME}", time):
        yield Finding(
            "MAINTENANCE_TIME_INVALID",
            Level.ERROR,
            f"weekly_maintenance_start_time must be d:HH:MM in UTC, d from 1 (Monday) to 7 (Sunday), got {time!r:.40}",
            "write Sunday at 3 as 7:03:00",
        )


def backup_time_invalid(settings: FileSystemSettings) -> Iterator[Finding]:
    """Daily backups begin at a time in UTC.

    Source: FSx API, DailyTime.
    """
    time = settings.daily_automatic_backup_start_time
    if time is not None and not re.fullmatch(_TIME, time):
        yield Finding(
            "BACKUP_TIME_INVALID",
            Level.ERROR,
            f"daily_automatic_backup_start_time must be HH:MM in UTC, got {time!r:.40}",
            "write three in the morning as 03:00",
        )


def backup_time_without_backups(settings: FileSystemSettings) -> Iterator[Finding]:
    """A time of backups without backups means nothing.

    Source: FSx API, CreateFileSystemLustreConfiguration: retention of 0 days, the default, disables them.
    """
    time = settings.daily_automatic_backup_start_time
    days = "automatic_backup_retention_days"
    if time is not None and days not in settings.unknown and not settings.automatic_backup_retention_days:
        yield Finding(
            "BACKUP_TIME_WITHOUT_BACKUPS",
            Level.ERROR,
            f"daily_automatic_backup_start_time must be absent without {days}, got {time!r:.60}",
            f"nearest legal: {days}=1",
        )
