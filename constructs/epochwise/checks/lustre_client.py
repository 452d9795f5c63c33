"""Remarks about how clients mount and use a file system. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.catalog.lustre_client_versions import (
    FILE_SYSTEM_VERSIONS,
    ClientOs,
    client_kernels,
    efa_clients,
    os_traits,
)
from epochwise.catalog.lustre_clients import efa_mount as efa_mount_of
from epochwise.checks.finding import Finding, Level
from epochwise.checks.network import instance_type_unknown

MOUNT_ATTEMPTS = range(1, 101)
"""How often a mount may be tried: enough for hundreds of nodes that start at once, and bounded."""
_SYSTEM_FOLDERS = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/sys")
"""Folders that an instance cannot do without, with all that is in them."""
_SYSTEM_ROOTS = (
    *("/root", "/usr", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/local", "/usr/local/bin"),
    *("/usr/local/sbin", "/usr/sbin", "/usr/share", "/var", "/var/lib", "/var/log"),
)
"""Likewise, but folders of one's own may be made in them."""
_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9._-]*)+")


def client_findings(
    *,
    os: ClientOs,
    path: str,
    efa: bool,
    efa_enabled: bool,
    lustre_version: str | None,
    os_release: str | None = None,
    instance_type: str | None = None,
    attempts: int = 1,
) -> Iterator[Finding]:
    """Yield every remark about a client that mounts a file system; None for what is not known."""
    yield from mount_path_findings(path)
    yield from mount_attempts_out_of_range(attempts)
    yield from os_release_unknown(os, os_release)
    yield from client_version_unsupported(os, lustre_version)
    yield from client_version_needs_kernel(os, lustre_version)
    yield from efa_mount_needs_efa_file_system(efa=efa, efa_enabled=efa_enabled)
    yield from efa_client_os_unsupported(os, os_release, efa=efa)
    if instance_type is not None:
        yield from instance_type_unknown(instance_type)
    yield from efa_client_instance_unable(instance_type, efa=efa)
    yield from efa_not_mounted(efa=efa, efa_enabled=efa_enabled)


def mount_path_findings(path: str, name: str = "path") -> Iterator[Finding]:
    """Yield every remark about the folder that a file system is mounted at, or one on it."""
    yield from mount_path_invalid(path, name)
    yield from mount_path_of_system(path, name)


def mount_path_invalid(path: str, name: str = "path") -> Iterator[Finding]:
    """A path is absolute, is not the root, and needs no quoting in a shell, in fstab and in a unit's name.

    Source: fstab(5) splits fields at white space; the root is taken by the instance itself.
    """
    if not _PATH.fullmatch(path):
        yield Finding(
            "MOUNT_PATH_INVALID",
            Level.ERROR,
            f"{name} must be absolute and below /, of letters, digits, _ . and - after each /, got {path!r:.80}",
            "write a path such as /fsx or /mnt/data",
        )


def mount_path_of_system(path: str, name: str = "path") -> Iterator[Finding]:
    """What is mounted over a folder hides it, and the instance needs its own.

    Source: Filesystem Hierarchy Standard 3.0; mount(8).
    """
    if path in _SYSTEM_ROOTS or f"{path}/".startswith(tuple(f"{each}/" for each in _SYSTEM_FOLDERS)):
        yield Finding(
            "MOUNT_PATH_OF_SYSTEM",
            Level.ERROR,
            f"{name} must be a folder that the instance itself does not need, got {path!r:.80}",
            "write a path such as /fsx or /mnt/data",
        )


def mount_attempts_out_of_range(attempts: int) -> Iterator[Finding]:
    """A mount is tried again, and not for ever.

    Source: hundreds of nodes that mount at once run into each other; a node that never mounts must say so.
    """
    if attempts not in MOUNT_ATTEMPTS:
        yield Finding(
            "MOUNT_ATTEMPTS_OUT_OF_RANGE",
            Level.ERROR,
            f"attempts must be {MOUNT_ATTEMPTS[0]} to {MOUNT_ATTEMPTS[-1]}, got {attempts}",
            f"nearest legal: {min(max(attempts, MOUNT_ATTEMPTS[0]), MOUNT_ATTEMPTS[-1])}",
        )


def os_release_unknown(os: ClientOs, os_release: str | None) -> Iterator[Finding]:
    """A minor release is one that FSx builds a client for.

    Source: FSx User Guide, lustre-client-matrix.
    """
    if os_release is None:
        return
    releases = [kernel.release for kernel in client_kernels(os) if kernel.release is not None]
    if os_release not in releases:
        allowed = f"one of {', '.join(releases)}" if releases else "absent"
        yield Finding(
            "OS_RELEASE_UNKNOWN",
            Level.ERROR,
            f"os_release must be {allowed} for {os_traits(os).name}, got {os_release!r:.60}",
            f"use {releases[0]}" if releases else "leave it out",
        )


def client_version_unsupported(os: ClientOs, lustre_version: str | None) -> Iterator[Finding]:
    """Some client of the operating system mounts file systems of this version.

    Source: FSx User Guide, lustre-client-matrix.
    """
    if lustre_version is None:
        return
    mounted = {version for kernel in client_kernels(os) for version in kernel.file_system_versions}
    if lustre_version not in mounted:
        able = [
            os_traits(other).name
            for other in ClientOs
            if any(lustre_version in kernel.file_system_versions for kernel in client_kernels(other))
        ]
        others = f", or clients on {', '.join(able)}" if able else ""
        yield Finding(
            "LUSTRE_CLIENT_VERSION_UNSUPPORTED",
            Level.ERROR,
            f"{os_traits(os).name} mounts Lustre {' and '.join(sorted(mounted))}, "
            f"got a file system of {lustre_version}",
            f"use a file system of {max(mounted)}{others}",
        )


def client_version_needs_kernel(os: ClientOs, lustre_version: str | None) -> Iterator[Finding]:
    """Some clients mount an older file system on some of their kernels only.

    Source: FSx User Guide, lustre-client-matrix.
    """
    kernels = client_kernels(os)
    able = [kernel.kernel for kernel in kernels if lustre_version in kernel.file_system_versions]
    if able and len(able) < len(kernels):
        yield Finding(
            "LUSTRE_CLIENT_NEEDS_KERNEL",
            Level.WARNING,
            f"{os_traits(os).name} mounts Lustre {lustre_version} on kernel {' or '.join(able)} only",
            f"use an image with that kernel, or a file system of {FILE_SYSTEM_VERSIONS[-1]}",
        )


def efa_mount_needs_efa_file_system(*, efa: bool, efa_enabled: bool) -> Iterator[Finding]:
    """A file system is mounted over EFA only if it was created with EFA.

    Source: FSx User Guide, efa-file-systems.
    """
    if efa and not efa_enabled:
        yield Finding(
            "EFA_MOUNT_NEEDS_EFA_FILE_SYSTEM",
            Level.ERROR,
            "efa must be False, the file system is not EFA-enabled, got True",
            "create the file system with efa_enabled=True: it cannot be added later",
        )


def efa_client_os_unsupported(os: ClientOs, os_release: str | None, *, efa: bool) -> Iterator[Finding]:
    """Clients mount over EFA on some operating systems only.

    Source: FSx User Guide, configure-efa-clients.
    """
    if not efa:
        return
    least = efa_clients().get(os)
    if least is not None and (
        os_release is None or least.least_release is None or _numbers(os_release) >= _numbers(least.least_release)
    ):
        return
    allowed = [
        " ".join(
            part
            for part in (
                os_traits(able).name,
                need.least_release and f"from {need.least_release}",
                need.least_kernel and f"with kernel {need.least_kernel} or later",
            )
            if part
        )
        for able, need in efa_clients().items()
    ]
    got = os_traits(os).name if os_release is None else f"{os_traits(os).name} in its release {os_release}"
    yield Finding(
        "EFA_CLIENT_OS_UNSUPPORTED",
        Level.ERROR,
        f"os must be {', '.join(allowed)} for an EFA mount, got {got}",
        f"use {os_traits(ClientOs.AMAZON_LINUX_2023).name}, or mount with efa=False",
    )


def efa_client_instance_unable(instance_type: str | None, *, efa: bool) -> Iterator[Finding]:
    """The instance type can mount over EFA.

    Source: FSx User Guide, efa-file-systems: Nitro v4 or later with EFA, except trn2.
    """
    instance = None if instance_type is None else catalog_row(instance_type)
    if not efa or instance is None:
        return
    able = efa_mount_of(instance, sagemaker=False)
    if not able.possible:
        yield Finding(
            "EFA_CLIENT_INSTANCE_UNABLE",
            Level.ERROR,
            f"instance_type must be one that mounts over EFA, got {instance_type}: {able.reason}",
            "use p5.48xlarge or another type on Nitro v4 or later with EFA, or mount with efa=False",
        )


def efa_not_mounted(*, efa: bool, efa_enabled: bool) -> Iterator[Finding]:
    """A client without EFA gets little of each server, and an EFA-enabled file system has few servers.

    Source: FSx User Guide, performance: 5 Gbps between one client and one server.
    """
    if efa_enabled and not efa:
        yield Finding(
            "EFA_NOT_MOUNTED",
            Level.WARNING,
            "efa is False for an EFA-enabled file system: one client gets 625 MB/s from each server at most",
            "mount with efa=True where the instances can",
        )


def stripe_size_not_positive(value: float, name: str) -> Iterator[Finding]:
    """A file that is striped has a size, and lies on servers.

    Source: lfs-setstripe(1).
    """
    if not value > 0:
        yield Finding(
            "STRIPE_SIZE_NOT_POSITIVE",
            Level.ERROR,
            f"{name} must be above 0, got {value:g}",
            "pass the size of one file in bytes, and the number of storage targets",
        )


def _numbers(release: str) -> tuple[int, ...]:
    """Return a release as it is compared: 9.10 is above 9.5."""
    return tuple(int(part) for part in release.split("."))
