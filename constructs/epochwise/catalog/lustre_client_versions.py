"""Which Lustre client each operating system has, for which kernels, and which file systems it mounts.

Source: FSx User Guide, lustre-client-matrix; see `data/lustre_client.json` for the other pages, the date and what is
assumed.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from epochwise.catalog.data_file import load

_TABLE = load("lustre_client")


class ClientOs(StrEnum):
    """An operating system that FSx publishes a Lustre client for."""

    AMAZON_LINUX_2023 = "AMAZON_LINUX_2023"
    AMAZON_LINUX_2 = "AMAZON_LINUX_2"
    UBUNTU_22_04 = "UBUNTU_22_04"
    UBUNTU_24_04 = "UBUNTU_24_04"
    RHEL_8 = "RHEL_8"
    RHEL_9 = "RHEL_9"
    RHEL_10 = "RHEL_10"
    ROCKY_8 = "ROCKY_8"
    ROCKY_9 = "ROCKY_9"
    ROCKY_10 = "ROCKY_10"

    @property
    def is_enterprise(self) -> bool:
        """Whether it is a Red Hat Enterprise Linux or a rebuild of it."""
        return self.name.startswith(("RHEL", "ROCKY"))

    @property
    def is_ubuntu(self) -> bool:
        """Whether it is an Ubuntu."""
        return self.name.startswith("UBUNTU")


@dataclass(frozen=True)
class OsTraits:
    """How an operating system calls itself, and what it waits for before it mounts."""

    name: str
    """For a person."""
    os_release_id: str
    """ID of /etc/os-release."""
    os_release_version: str
    """What VERSION_ID of /etc/os-release begins with."""
    network_unit: str
    """Unit that an automatic mount waits for; source: FSx User Guide, mount-fs-auto-mount-onreboot."""


@dataclass(frozen=True)
class ClientKernel:
    """A range of kernels with the client that is built for it."""

    os: ClientOs
    release: str | None
    """Minor release of a Red Hat or Rocky Linux, such as 9.5."""
    kernel: str
    """What `uname -r` begins with."""
    first: str
    """Oldest kernel; * for any of that series."""
    last: str
    """Newest kernel; * for any of that series."""
    client: str
    """Version of the client."""
    file_system_versions: tuple[str, ...]
    """Versions of the file systems that it mounts."""


@dataclass(frozen=True)
class EfaClient:
    """The least release and kernel of an operating system that mounts over EFA; None where any will do."""

    least_release: str | None
    least_kernel: str | None


@cache
def os_traits(os: ClientOs) -> OsTraits:
    """Return the traits of an operating system."""
    return OsTraits(*_TABLE["systems"][os])


@cache
def client_kernels(os: ClientOs) -> tuple[ClientKernel, ...]:
    """Return the kernels of an operating system that have a client, newest first."""
    return tuple(
        ClientKernel(ClientOs(system), release, kernel, first, last, client, tuple(versions))
        for system, release, kernel, first, last, client, versions in _TABLE["kernels"]
        if system == os
    )


@cache
def efa_clients() -> dict[ClientOs, EfaClient]:
    """Return the operating systems whose clients mount over EFA.

    Source: FSx User Guide, configure-efa-clients.
    """
    return {ClientOs(name): EfaClient(**least) for name, least in _TABLE["efa"]["systems"].items()}


FILE_SYSTEM_VERSIONS = ("2.10", "2.12", "2.15")
"""FSx's file system type versions."""
EFA_LEAST_DRIVER: str = _TABLE["efa"]["least_driver"]
"""EFA driver below which the EFA installer is run."""
EFA_INSTALLER: str = _TABLE["efa"]["installer"]
EFA_CLIENT_SETUP: str = _TABLE["efa"]["client_setup"]
"""AWS's package that sets up a client's EFA interfaces; source: FSx User Guide, configure-efa-clients."""
EFA_CLIENT_UNIT: str = _TABLE["efa"]["unit"]
"""Unit that the package leaves behind, so that a restart sets them up again."""
PACKAGES: str = _TABLE["repository"]["packages"]
"""AWS's repository of Lustre clients."""
KEYS: str = _TABLE["repository"]["keys"]
"""Where its signing keys are."""


@dataclass(frozen=True)
class ClientTuning:
    """What AWS recommends for large clients; source: FSx User Guide, performance-tips."""

    cpus_over: int
    """CPUs above which modules and requests in flight are tuned."""
    memory_gib_over: int
    """GiB above which locks are let go earlier."""
    lru_max_age_ms: int
    lru_size_per_cpu: int
    modules: dict[str, str]
    """Option by kernel module, set before the module is loaded."""
    parameters: tuple[str, ...]
    """Set after each mount; they do not survive a restart."""


@cache
def client_tuning() -> ClientTuning:
    """Return the tuning of large clients."""
    return ClientTuning(**{**_TABLE["tuning"], "parameters": tuple(_TABLE["tuning"]["parameters"])})


@cache
def default_layout() -> tuple[tuple[str, int], ...]:
    """Return the progressive layout that FSx gives new files: end of each part as `lfs` takes it, and its stripes.

    Source: FSx User Guide, performance: file systems created since 2023-08-25.
    """
    return tuple((end, stripes) for end, stripes in _TABLE["striping"]["default_layout"])


DEFAULT_LAYOUT_ENDS_MIB: tuple[int, ...] = tuple(_TABLE["striping"]["default_layout_mib"])
"""Ends of the parts of that layout but the last, MiB."""
