"""Remarks about the metadata configuration of a file system. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    MetadataMode,
    automatic_metadata_iops,
    provisioned_metadata_iops,
)
from epochwise.catalog.intelligent_tiering import tiering_metadata_iops
from epochwise.checks.file_system_settings import NEWEST_LUSTRE, FileSystemSettings
from epochwise.checks.finding import Finding, Level


def metadata_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about metadata."""
    yield from metadata_needs_persistent_2(settings)
    yield from metadata_needs_newest_lustre(settings)
    yield from efa_needs_metadata(settings)
    yield from metadata_left_out(settings)
    yield from metadata_mode_contradicts_iops(settings)
    yield from metadata_mode_of_tiering(settings)
    yield from metadata_iops_illegal(settings)
    yield from metadata_iops_below_automatic(settings)


def metadata_needs_persistent_2(settings: FileSystemSettings) -> Iterator[Finding]:
    """Only PERSISTENT_2 has a metadata configuration.

    Source: FSx User Guide, managing-metadata-performance.
    """
    if settings.deployment_type is DeploymentType.PERSISTENT_2:
        return
    for name in ("metadata_iops", "metadata_mode"):
        if settings.gives(name):
            yield Finding(
                "METADATA_NEEDS_PERSISTENT_2",
                Level.ERROR,
                f"{name} must be absent for {settings.deployment_type}, got {getattr(settings, name)}",
                "leave it out, or use PERSISTENT_2",
            )


def metadata_needs_newest_lustre(settings: FileSystemSettings) -> Iterator[Finding]:
    """A metadata configuration exists with Lustre 2.15 only.

    Source: FSx User Guide, managing-metadata-performance.
    """
    persistent_2 = settings.deployment_type is DeploymentType.PERSISTENT_2
    asked = settings.gives("metadata_iops") or settings.gives("metadata_mode")
    if persistent_2 and asked and not settings.has_metadata_configuration:
        yield Finding(
            "METADATA_NEEDS_LUSTRE_2_15",
            Level.ERROR,
            f"lustre_version must be {NEWEST_LUSTRE} with a metadata configuration, got {settings.lustre_version}",
            f"nearest legal: {NEWEST_LUSTRE}",
        )


def efa_needs_metadata(settings: FileSystemSettings) -> Iterator[Finding]:
    """An EFA-enabled file system has a metadata configuration, and so Lustre 2.15.

    Source: FSx User Guide, efa-file-systems.
    """
    persistent_2 = settings.deployment_type is DeploymentType.PERSISTENT_2
    if persistent_2 and settings.efa_enabled and not settings.has_metadata_configuration:
        yield Finding(
            "EFA_NEEDS_METADATA",
            Level.ERROR,
            f"efa_enabled needs a metadata configuration, which lustre_version {settings.lustre_version} does not have",
            f"nearest legal: lustre_version {NEWEST_LUSTRE}",
        )


def metadata_left_out(settings: FileSystemSettings) -> Iterator[Finding]:
    """A metadata configuration that is not there at creation can never be added.

    Source: FSx User Guide, managing-metadata-performance.
    """
    persistent_2 = settings.deployment_type is DeploymentType.PERSISTENT_2
    if persistent_2 and not settings.has_metadata_configuration and not settings.is_tiering:
        yield Finding(
            "METADATA_LEFT_OUT",
            Level.WARNING,
            f"lustre_version {settings.lustre_version} has no metadata configuration, and none can be added later",
            f"use lustre_version {NEWEST_LUSTRE} unless a client cannot mount it",
        )


def metadata_mode_contradicts_iops(settings: FileSystemSettings) -> Iterator[Finding]:
    """USER_PROVISIONED comes with IOPS and AUTOMATIC without.

    Source: FSx API, CreateFileSystemLustreMetadataConfiguration.
    """
    mode, iops = settings.metadata_mode, settings.gives("metadata_iops")
    if mode is MetadataMode.AUTOMATIC and iops:
        yield Finding(
            "METADATA_MODE_CONTRADICTS_IOPS",
            Level.ERROR,
            f"metadata_iops must be absent with metadata_mode AUTOMATIC, got {settings.metadata_iops}",
            "leave out either",
        )
    if mode is MetadataMode.USER_PROVISIONED and not iops:
        yield Finding(
            "METADATA_MODE_CONTRADICTS_IOPS",
            Level.ERROR,
            "metadata_iops must be given with metadata_mode USER_PROVISIONED, got None",
            "pass it; metadata_mode can then be left out",
        )


def metadata_mode_of_tiering(settings: FileSystemSettings) -> Iterator[Finding]:
    """Intelligent-Tiering has no automatic mode.

    Source: FSx User Guide, managing-metadata-performance; newer API text names one, without saying what it gives.
    """
    if settings.is_tiering and settings.metadata_mode is MetadataMode.AUTOMATIC:
        yield Finding(
            "METADATA_MODE_OF_TIERING",
            Level.ERROR,
            "metadata_mode must be USER_PROVISIONED with INTELLIGENT_TIERING, got AUTOMATIC",
            f"leave it out for {tiering_metadata_iops()[0]} metadata IOPS",
        )


def metadata_iops_illegal(settings: FileSystemSettings) -> Iterator[Finding]:
    """Metadata IOPS come in steps.

    Source: FSx API, CreateFileSystemLustreMetadataConfiguration; FSx User Guide for Intelligent-Tiering.
    """
    iops = settings.metadata_iops if settings.deployment_type is DeploymentType.PERSISTENT_2 else None
    legal = tiering_metadata_iops() if settings.is_tiering else provisioned_metadata_iops()
    if iops is not None and iops not in legal:
        below = [value for value in legal if value < iops][-1:]
        above = [value for value in legal if value > iops][:1]
        steps = " or ".join(map(str, legal))
        if not settings.is_tiering:
            steps = f"1500, 3000, 6000 or a multiple of 12000 up to {legal[-1]}"
        yield Finding(
            "METADATA_IOPS_ILLEGAL",
            Level.ERROR,
            f"metadata_iops must be {steps}, got {iops}",
            f"nearest legal: {' or '.join(str(value) for value in below + above)}",
        )


def metadata_iops_below_automatic(settings: FileSystemSettings) -> Iterator[Finding]:
    """Nobody can provision fewer metadata IOPS than automatic mode includes.

    Source: FSx API, CreateFileSystemLustreMetadataConfiguration; FSx User Guide, performance.
    """
    persistent_2 = settings.deployment_type is DeploymentType.PERSISTENT_2
    if not persistent_2 or settings.metadata_iops is None or settings.storage_capacity_gib is None:
        return
    included = automatic_metadata_iops(settings.storage_capacity_gib)
    if settings.metadata_iops < included:
        yield Finding(
            "METADATA_IOPS_BELOW_AUTOMATIC",
            Level.ERROR,
            f"metadata_iops must be {included} or more at {settings.storage_capacity_gib} GiB, "
            f"got {settings.metadata_iops}",
            "leave it out: automatic mode includes them at no charge",
        )
