"""Remarks about the older link to S3, which is part of the file system itself. One rule, one function, one id.

Links made with `link_bucket` (data repository associations) replace it everywhere but on SCRATCH_1.
"""

import re
from collections.abc import Iterator

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding, Level

LONGEST_PATH = 900
"""Characters of a path (CDK and CloudFormation, AWS::FSx::FileSystem ImportPath)."""
CHUNK_SIZES_MIB = range(1, 512_001)
"""ImportedFileChunkSize that FSx takes, MiB."""
_S3_PATH = r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[^\x00\x85\u2028\u2029\r\n\ud800-\udfff]*)?"


def import_path_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about the older link."""
    yield from import_path_unsupported(settings)
    yield from import_settings_without_path(settings)
    yield from s3_path_invalid(settings)
    yield from export_path_elsewhere(settings)
    yield from chunk_size_out_of_range(settings.imported_file_chunk_size_mib)
    yield from backups_exclude_import_path(settings)


def import_path_unsupported(settings: FileSystemSettings) -> Iterator[Finding]:
    """PERSISTENT_2 has no import path.

    Source: FSx User Guide, older-deployment-types.
    """
    if settings.deployment_type is DeploymentType.PERSISTENT_2 and settings.gives("import_path"):
        yield Finding(
            "IMPORT_PATH_UNSUPPORTED",
            Level.ERROR,
            f"import_path must be absent for PERSISTENT_2, got {_shown(settings.import_path)}",
            "link the bucket with link_bucket",
        )


def import_settings_without_path(settings: FileSystemSettings) -> Iterator[Finding]:
    """What is said about importing and exporting needs a path to import from.

    Source: FSx API, CreateFileSystemLustreConfiguration.
    """
    if settings.gives("import_path"):
        return
    for name in ("export_path", "auto_import_policy", "imported_file_chunk_size_mib"):
        if settings.gives(name):
            yield Finding(
                "IMPORT_SETTING_WITHOUT_PATH",
                Level.ERROR,
                f"{name} must be absent without import_path, got {_shown(getattr(settings, name))}",
                "link the bucket with link_bucket, whose import_events and export_events say the same",
            )


def s3_path_invalid(settings: FileSystemSettings) -> Iterator[Finding]:
    """A path in S3 names a bucket and perhaps a prefix.

    Source: FSx API, ArchivePath; CloudFormation, AWS::FSx::FileSystem.
    """
    for name, path in (("import_path", settings.import_path), ("export_path", settings.export_path)):
        if path is not None and (len(path) > LONGEST_PATH or not re.fullmatch(_S3_PATH, path)):
            yield Finding(
                "S3_PATH_INVALID",
                Level.ERROR,
                f"{name} must be s3://bucket/prefix of up to {LONGEST_PATH} characters, got {path!r:.80}",
                "write it as s3://example-data/train",
            )


def export_path_elsewhere(settings: FileSystemSettings) -> Iterator[Finding]:
    """An import path is exported to its own bucket.

    Source: FSx API, CreateFileSystemLustreConfiguration ExportPath.
    """
    imported, exported = settings.import_path, settings.export_path
    if imported is not None and exported is not None and imported.split("/")[2:3] != exported.split("/")[2:3]:
        yield Finding(
            "EXPORT_PATH_ELSEWHERE",
            Level.ERROR,
            f"export_path must be in the bucket of import_path {imported!r:.80}, got {exported!r:.80}",
            f"nearest legal: {imported.rstrip('/')!r:.80}",
        )


def chunk_size_out_of_range(mib: int | None) -> Iterator[Finding]:
    """An imported file is striped in chunks of 1 to 512000 MiB.

    Source: FSx API, Megabytes.
    """
    if mib is not None and mib not in CHUNK_SIZES_MIB:
        yield Finding(
            "CHUNK_SIZE_OUT_OF_RANGE",
            Level.ERROR,
            f"imported_file_chunk_size_mib must be 1 to {CHUNK_SIZES_MIB[-1]}, got {mib}",
            f"nearest legal: {min(max(mib, 1), CHUNK_SIZES_MIB[-1])}",
        )


def backups_exclude_import_path(settings: FileSystemSettings) -> Iterator[Finding]:
    """A file system that is linked to S3 has no backups.

    Source: FSx User Guide, using-backups-fsx.
    """
    if settings.automatic_backup_retention_days and settings.gives("import_path"):
        yield Finding(
            "BACKUPS_EXCLUDE_IMPORT_PATH",
            Level.ERROR,
            "automatic_backup_retention_days must be absent with import_path, "
            f"got {settings.automatic_backup_retention_days}",
            "leave it out: what is linked lives in the bucket",
        )


def _shown(value: object) -> str:
    """Write a setting that is given, be it with a value that only the deploy knows."""
    if value is None:
        return "one"
    return f"{str(value)!r:.80}" if isinstance(value, str) else f"{value!r:.80}"
