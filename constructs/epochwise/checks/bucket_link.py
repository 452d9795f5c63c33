"""Remarks about the links of a file system to S3 (data repository associations). One rule, one function, one id."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.checks.file_system_settings import LUSTRE_VERSIONS, NEWEST_LUSTRE
from epochwise.checks.finding import Finding, Level
from epochwise.checks.import_path import chunk_size_out_of_range

MOST_LINKS = 8
"""Data repository associations of one file system (FSx User Guide, create-dra-linked-data-repo)."""
LINK_EVENTS = ("NEW", "CHANGED", "DELETED")
"""What can be imported or exported automatically."""
LONGEST_PATH = 4096
"""Characters of a path on the file system (FSx API, Namespace)."""
LONGEST_S3_PATH = 4357
"""Characters of a path in S3, s3:// and the bucket's name included (FSx API, ArchivePath)."""
_FORBIDDEN = frozenset("\x00\x85\u2028\u2029\r\n")


@dataclass(frozen=True, slots=True)
class BucketLink:
    """One link: a folder of the file system and a prefix of a bucket, both normalised."""

    bucket: str
    prefix: str
    """Ends with a slash, or is empty for the whole bucket."""
    file_system_path: str
    """Begins with a slash and does not end with one, but for the root."""
    import_events: tuple[str, ...]
    export_events: tuple[str, ...]
    imported_file_chunk_size_mib: int | None = None


def normalised_path(path: str) -> str:
    """Return a folder of the file system as FSx compares it.

    >>> [normalised_path(path) for path in ("", "/", "data", "/data//train/")]
    ['/', '/', '/data', '/data/train']
    """
    return "/" + "/".join(part for part in path.split("/") if part)


def normalised_prefix(prefix: str) -> str:
    """Return a prefix of a bucket as FSx compares it: no slash in front, one at the end.

    >>> [normalised_prefix(prefix) for prefix in ("", "/", "guide", "/guide/train/")]
    ['', '', 'guide/', 'guide/train/']
    """
    stripped = prefix.strip("/")
    return f"{stripped}/" if stripped else ""


def bucket_link_findings(
    link: BucketLink,
    *,
    existing: Sequence[BucketLink],
    deployment_type: DeploymentType,
    automatic_backup_retention_days: int | None,
    storage_type: StorageType = StorageType.SSD,
    lustre_version: str | None = NEWEST_LUSTRE,
    copy_tags_to_backups: bool = False,
    import_path: str | None = None,
) -> Iterator[Finding]:
    """Yield every remark about adding a link to those that exist."""
    yield from links_not_supported(deployment_type, storage_type, lustre_version)
    yield from import_path_excludes_links(import_path)
    yield from too_many_links(existing)
    yield from link_path_invalid(link)
    yield from link_events_unknown(link)
    yield from chunk_size_out_of_range(link.imported_file_chunk_size_mib)
    yield from links_overlap(link, existing)
    yield from backups_exclude_links(automatic_backup_retention_days)
    yield from copied_tags_exclude_links(copy_tags_to_backups)
    yield from export_deletes_objects(link)


def links_not_supported(
    deployment_type: DeploymentType, storage_type: StorageType, lustre_version: str | None
) -> Iterator[Finding]:
    """SCRATCH_1, Intelligent-Tiering and Lustre 2.10 have no data repository associations.

    Source: FSx API, DataRepositoryAssociation.
    """
    got, near = "", ""
    if deployment_type is DeploymentType.SCRATCH_1:
        got, near = deployment_type, "SCRATCH_2, or import_path of SCRATCH_1"
    elif storage_type is StorageType.INTELLIGENT_TIERING:
        got, near = storage_type, "PERSISTENT_2 with SSD"
    elif lustre_version == LUSTRE_VERSIONS[0]:
        got, near = f"lustre_version {lustre_version}", f"lustre_version {NEWEST_LUSTRE}"
    if got:
        yield Finding(
            "BUCKET_LINK_UNSUPPORTED",
            Level.ERROR,
            "a bucket can be linked to SCRATCH_2, PERSISTENT_1 or PERSISTENT_2 with SSD or HDD and Lustre 2.12 or "
            f"later, got {got}",
            f"nearest legal: {near}",
        )


def import_path_excludes_links(import_path: str | None) -> Iterator[Finding]:
    """A file system with an import path takes no data repository association.

    Source: FSx API, CreateFileSystemLustreConfiguration ImportPath.
    """
    if import_path is not None:
        yield Finding(
            "IMPORT_PATH_EXCLUDES_BUCKET_LINKS",
            Level.ERROR,
            f"import_path must be absent with a bucket link, got {import_path!r:.80}",
            "leave it out and link that bucket as well",
        )


def too_many_links(existing: Sequence[BucketLink]) -> Iterator[Finding]:
    """A file system takes eight links.

    Source: FSx User Guide, create-dra-linked-data-repo.
    """
    if len(existing) >= MOST_LINKS:
        yield Finding(
            "TOO_MANY_BUCKET_LINKS",
            Level.ERROR,
            f"a file system must have {MOST_LINKS} bucket links or fewer, got {len(existing) + 1}",
            "link a common prefix instead",
        )


def link_path_invalid(link: BucketLink) -> Iterator[Finding]:
    """A path names one folder, without steps up or down, in characters that FSx takes.

    Source: FSx API, Namespace and ArchivePath.
    """
    longest = LONGEST_S3_PATH - len(f"s3://{link.bucket}/")
    for setting, path, most in (
        ("file_system_path", link.file_system_path, LONGEST_PATH),
        ("prefix", link.prefix, longest),
    ):
        stepping = any(part in {".", ".."} for part in path.split("/")) or "//" in path
        if stepping or len(path) > most or any(_is_forbidden(character) for character in path):
            yield Finding(
                "BUCKET_LINK_PATH_INVALID",
                Level.ERROR,
                f"{setting} must not hold empty parts, line breaks, . or .. nor more than {most} characters, "
                f"got {path!r:.80}",
                "write the whole path, such as /data",
            )


def _is_forbidden(character: str) -> bool:
    """Tell whether FSx takes a character in no path; halves of surrogate pairs are no text."""
    return character in _FORBIDDEN or "\ud800" <= character <= "\udfff"


def link_events_unknown(link: BucketLink) -> Iterator[Finding]:
    """Events are those that FSx knows.

    Source: FSx API, EventType.
    """
    unknown = [repr(event) for event in sorted({*link.import_events, *link.export_events} - set(LINK_EVENTS))]
    if unknown:
        yield Finding(
            "BUCKET_LINK_EVENTS_UNKNOWN",
            Level.ERROR,
            f"import_events and export_events must be of {', '.join(LINK_EVENTS)}, got {', '.join(unknown):.80}",
            "leave export_events empty for a dataset",
        )


def links_overlap(link: BucketLink, existing: Iterable[BucketLink]) -> Iterator[Finding]:
    """No link lies inside another, on the file system or in the bucket; the root takes a single link.

    Source: FSx API, CreateDataRepositoryAssociation; FSx User Guide, create-dra-linked-data-repo.
    """
    for other in existing:
        if _overlap(_folder(link.file_system_path), _folder(other.file_system_path)):
            yield Finding(
                "BUCKET_LINKS_OVERLAP",
                Level.ERROR,
                f"file_system_path {link.file_system_path} overlaps with {other.file_system_path}, which is linked",
                "link folders side by side, such as /train and /validation",
            )
        if link.bucket == other.bucket and _overlap(link.prefix, other.prefix):
            yield Finding(
                "BUCKET_LINKS_OVERLAP",
                Level.ERROR,
                f"prefix {link.prefix or '/'} overlaps with {other.prefix or '/'} of the same bucket, which is linked",
                "link prefixes side by side",
            )


def _folder(path: str) -> str:
    """Return a path with a slash at its end, so that /data is no part of /database."""
    return path if path.endswith("/") else f"{path}/"


def _overlap(one: str, other: str) -> bool:
    """Tell whether one folder lies inside the other."""
    return one.startswith(other) or other.startswith(one)


def backups_exclude_links(automatic_backup_retention_days: int | None) -> Iterator[Finding]:
    """A file system that is linked to S3 has no backups.

    Source: FSx User Guide, using-backups-fsx.
    """
    if automatic_backup_retention_days:
        yield Finding(
            "BACKUPS_EXCLUDE_BUCKET_LINKS",
            Level.ERROR,
            f"automatic_backup_retention_days must be absent with a bucket link, got {automatic_backup_retention_days}",
            "leave it out: what is linked lives in the bucket",
        )


def copied_tags_exclude_links(copy_tags_to_backups: bool) -> Iterator[Finding]:
    """Tags are copied to backups, which a file system that is linked to S3 does not have.

    Source: FSx API, CreateFileSystemLustreConfiguration CopyTagsToBackups.
    """
    if copy_tags_to_backups:
        yield Finding(
            "COPIED_TAGS_EXCLUDE_BUCKET_LINKS",
            Level.ERROR,
            "copy_tags_to_backups must be False with a bucket link, got True",
            "leave it out: what is linked to S3 has no backups",
        )


def export_deletes_objects(link: BucketLink) -> Iterator[Finding]:
    """Exporting deletions lets an rm on a node delete the objects in S3.

    Source: FSx User Guide, autoexport-data-repo-dra.
    """
    if "DELETED" in link.export_events:
        yield Finding(
            "EXPORT_DELETES_OBJECTS",
            Level.WARNING,
            f"removing a file below {link.file_system_path} deletes its object below {link.prefix or '/'} in S3",
            "leave DELETED out of export_events, or export to a prefix of its own with versions kept",
        )
