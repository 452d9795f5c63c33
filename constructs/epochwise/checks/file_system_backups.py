"""Remarks about what protects the data of a file system: keys, backups and removal. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding, Level

BACKUP_RETENTION_DAYS = range(91)
"""AutomaticBackupRetentionDays that FSx takes."""


def backup_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about keys and backups."""
    yield from key_needs_persistent(settings)
    yield from backups_need_persistent(settings)
    yield from backup_retention_out_of_range(settings)
    yield from copied_tags_need_backups(settings)
    yield from backup_id_invalid(settings)
    yield from restored_as_it_was(settings)


def key_needs_persistent(settings: FileSystemSettings) -> Iterator[Finding]:
    """Scratch file systems are encrypted with a key of the service.

    Source: FSx API, CreateFileSystem KmsKeyId.
    """
    if settings.customer_key and settings.deployment_type.is_scratch:
        yield Finding(
            "KEY_NEEDS_PERSISTENT",
            Level.ERROR,
            f"encryption_key must be absent for {settings.deployment_type}, which FSx encrypts with its own",
            "leave it out, or use PERSISTENT_2",
        )


def backups_need_persistent(settings: FileSystemSettings) -> Iterator[Finding]:
    """Scratch file systems have no backups, and are not restored from one.

    Source: FSx User Guide, using-backups-fsx.
    """
    if not settings.deployment_type.is_scratch:
        return
    asked: list[tuple[str, object]] = [
        ("automatic_backup_retention_days", settings.automatic_backup_retention_days),
        ("copy_tags_to_backups", settings.copy_tags_to_backups),
        ("backup_id", settings.backup_id),
    ]
    for name, value in asked:
        if value:
            yield Finding(
                "BACKUPS_NEED_PERSISTENT",
                Level.ERROR,
                f"{name} must be absent for {settings.deployment_type}, got {value!r:.60}",
                "leave it out, or use PERSISTENT_2",
            )


def backup_retention_out_of_range(settings: FileSystemSettings) -> Iterator[Finding]:
    """Automatic backups are kept for 0 (none) to 90 days.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    days = settings.automatic_backup_retention_days
    if days is not None and days not in BACKUP_RETENTION_DAYS:
        yield Finding(
            "BACKUP_RETENTION_OUT_OF_RANGE",
            Level.ERROR,
            f"automatic_backup_retention_days must be 0 to {BACKUP_RETENTION_DAYS[-1]}, got {days}",
            f"nearest legal: {min(max(days, 0), BACKUP_RETENTION_DAYS[-1])}",
        )


def copied_tags_need_backups(settings: FileSystemSettings) -> Iterator[Finding]:
    """Tags are copied to backups, which a file system that is linked to S3 does not have.

    Source: FSx API, CreateFileSystemLustreConfiguration CopyTagsToBackups.
    """
    if settings.copy_tags_to_backups and settings.gives("import_path"):
        yield Finding(
            "COPIED_TAGS_NEED_BACKUPS",
            Level.ERROR,
            f"copy_tags_to_backups must be False beside import_path {settings.import_path}, got True",
            "leave it out: what is linked to S3 has no backups",
        )


def backup_id_invalid(settings: FileSystemSettings) -> Iterator[Finding]:
    """A backup has an id of FSx.

    Source: FSx API, BackupId.
    """
    backup = settings.backup_id
    if backup is not None and not re.fullmatch(r"backup-[0-9a-f]{8,121}", backup):
        yield Finding(
            "BACKUP_ID_INVALID",
            Level.ERROR,
            f"backup_id must be backup- and 8 or more of 0-9 a-f, got {backup!r:.60}",
            "take it from `aws fsx describe-backups`",
        )


def restored_as_it_was(settings: FileSystemSettings) -> Iterator[Finding]:
    """A file system restored from a backup keeps what the backup's had.

    Source: FSx API, CreateFileSystemFromBackup: the storage capacity is the backup's. User Guide,
    managing-metadata-performance: a metadata configuration cannot be added to a backup that has none.
    """
    if settings.gives("backup_id"):
        yield Finding(
            "RESTORED_AS_IT_WAS",
            Level.WARNING,
            f"backup_id {settings.backup_id or 'of the deploy'} decides capacity and metadata configuration, and "
            "nothing is known of it before the deploy",
            "give the settings that the backup's file system had",
        )


def removal_policy_unsupported(policy: str) -> Iterator[Finding]:
    """A file system is destroyed or retained; CloudFormation makes no snapshot of one.

    Source: CloudFormation, DeletionPolicy attribute.
    """
    if policy not in {"DESTROY", "RETAIN", "RETAIN_ON_UPDATE_OR_DELETE"}:
        yield Finding(
            "REMOVAL_POLICY_UNSUPPORTED",
            Level.ERROR,
            f"removal_policy must be RETAIN or DESTROY, got {policy:.60}",
            "use RETAIN and back the file system up yourself",
        )


def destroy_not_allowed() -> Finding:
    """A persistent file system is destroyed only when the app says so as well as the construct."""
    return Finding(
        "DESTROY_NOT_ALLOWED",
        Level.WARNING,
        "removal_policy DESTROY of a persistent file system is not followed, it will be retained",
        "set the context epochwise:allow-destroy to true as well",
    )
