"""Remarks about the Lustre version of a file system. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.checks.file_system_settings import LUSTRE_VERSIONS, NEWEST_LUSTRE, FileSystemSettings
from epochwise.checks.finding import Finding, Level

OLDEST = LUSTRE_VERSIONS[0]


def version_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about the version."""
    yield from version_unknown(settings)
    yield from version_too_old(settings)
    yield from version_that_clients_cannot_mount(settings)


def version_unknown(settings: FileSystemSettings) -> Iterator[Finding]:
    """FSx has three versions of Lustre.

    Source: FSx API, CreateFileSystem FileSystemTypeVersion.
    """
    version = settings.lustre_version
    if version is not None and version not in LUSTRE_VERSIONS:
        yield Finding(
            "LUSTRE_VERSION_UNKNOWN",
            Level.ERROR,
            f"lustre_version must be {' or '.join(LUSTRE_VERSIONS)}, got {version!r:.40}",
            f"leave it out for {NEWEST_LUSTRE}",
        )


def version_too_old(settings: FileSystemSettings) -> Iterator[Finding]:
    """PERSISTENT_2 begins with Lustre 2.12, Intelligent-Tiering with 2.15.

    Source: FSx API, CreateFileSystem FileSystemTypeVersion; FSx User Guide, intelligent-tiering-file-systems.
    """
    legal: tuple[str, ...] = LUSTRE_VERSIONS
    if settings.deployment_type is DeploymentType.PERSISTENT_2:
        legal = (NEWEST_LUSTRE,) if settings.is_tiering else LUSTRE_VERSIONS[1:]
    version = settings.lustre_version
    if version in LUSTRE_VERSIONS and version not in legal:
        kind = settings.storage_type if settings.is_tiering else settings.deployment_type
        yield Finding(
            "LUSTRE_VERSION_TOO_OLD",
            Level.ERROR,
            f"lustre_version must be {' or '.join(legal)} for {kind}, got {version}",
            f"nearest legal: {legal[0]}",
        )


def version_that_clients_cannot_mount(settings: FileSystemSettings) -> Iterator[Finding]:
    """Current clients do not mount Lustre 2.10, and it takes no link to a bucket.

    Source: FSx User Guide, lustre-client-matrix: Amazon Linux 2023, Ubuntu 24 and RHEL 9 need 2.12 or 2.15.
    """
    if settings.lustre_version == OLDEST:
        yield Finding(
            "LUSTRE_2_10_CLIENTS",
            Level.WARNING,
            f"lustre_version {OLDEST} cannot be mounted from Amazon Linux 2023, Ubuntu 24 or RHEL 9",
            f"leave it out for {NEWEST_LUSTRE}",
        )
