"""Boundaries of what is said about clients of a file system."""

from functools import partial
from typing import Any

from epochwise.catalog.lustre_client_versions import ClientOs
from epochwise.checks.finding import Finding
from epochwise.checks.lustre_client import client_findings, stripe_size_not_positive
from tests.checks.boundaries import Row


def _client(**changes: Any) -> list[Finding]:
    client: dict[str, Any] = {
        "os": ClientOs.AMAZON_LINUX_2023,
        "path": "/fsx",
        "efa": False,
        "efa_enabled": False,
        "lustre_version": "2.15",
    }
    return list(client_findings(**client | changes))


EFA: dict[str, Any] = {"efa": True, "efa_enabled": True}
_CLIENTS: list[tuple[str, dict[str, Any], str | None]] = [
    ("MOUNT_PATH_INVALID", {"path": "/"}, "got '/'"),
    ("MOUNT_PATH_INVALID", {"path": "fsx"}, "got 'fsx'"),
    ("MOUNT_PATH_INVALID", {"path": "/my data"}, "got '/my data'"),
    ("MOUNT_PATH_INVALID", {"path": "/mnt/../etc"}, "got '/mnt/../etc'"),
    ("MOUNT_PATH_INVALID", {"path": "/mnt/data-1.0"}, None),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/proc"}, "got '/proc'"),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/dev/lustre"}, "got '/dev/lustre'"),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/etc"}, "got '/etc'"),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/usr/local"}, "got '/usr/local'"),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/usr/local/data"}, None),
    ("MOUNT_PATH_OF_SYSTEM", {"path": "/devices"}, None),
    ("MOUNT_ATTEMPTS_OUT_OF_RANGE", {"attempts": 0}, "got 0"),
    ("MOUNT_ATTEMPTS_OUT_OF_RANGE", {"attempts": 101}, "got 101"),
    ("MOUNT_ATTEMPTS_OUT_OF_RANGE", {"attempts": 1}, None),
    ("MOUNT_ATTEMPTS_OUT_OF_RANGE", {"attempts": 100}, None),
    ("OS_RELEASE_UNKNOWN", {"os": ClientOs.RHEL_9, "os_release": "9.2"}, "got '9.2'"),
    ("OS_RELEASE_UNKNOWN", {"os_release": "2023.6"}, "must be absent"),
    ("OS_RELEASE_UNKNOWN", {"os": ClientOs.RHEL_9, "os_release": "9.4"}, None),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"lustre_version": "2.10"}, "got a file system of 2.10"),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"os": ClientOs.RHEL_10, "lustre_version": "2.12"}, "of 2.12"),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"os": ClientOs.UBUNTU_24_04, "lustre_version": "2.10"}, "of 2.10"),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"os": ClientOs.ROCKY_9, "lustre_version": "2.10"}, "of 2.10"),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"lustre_version": "2.12"}, None),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"lustre_version": None}, None),
    ("LUSTRE_CLIENT_VERSION_UNSUPPORTED", {"os": ClientOs.AMAZON_LINUX_2, "lustre_version": "2.10"}, None),
    ("LUSTRE_CLIENT_NEEDS_KERNEL", {"os": ClientOs.UBUNTU_22_04, "lustre_version": "2.10"}, "5.15.0"),
    ("LUSTRE_CLIENT_NEEDS_KERNEL", {"os": ClientOs.UBUNTU_22_04, "lustre_version": "2.12"}, None),
    ("EFA_MOUNT_NEEDS_EFA_FILE_SYSTEM", {"efa": True}, "got True"),
    ("EFA_MOUNT_NEEDS_EFA_FILE_SYSTEM", EFA, None),
    ("EFA_CLIENT_OS_UNSUPPORTED", EFA | {"os": ClientOs.AMAZON_LINUX_2}, "got Amazon Linux 2"),
    ("EFA_CLIENT_OS_UNSUPPORTED", EFA | {"os": ClientOs.ROCKY_9}, "got Rocky Linux 9"),
    ("EFA_CLIENT_OS_UNSUPPORTED", EFA | {"os": ClientOs.RHEL_9, "os_release": "9.4"}, "in its release 9.4"),
    ("EFA_CLIENT_OS_UNSUPPORTED", EFA | {"os": ClientOs.RHEL_9, "os_release": "9.5"}, None),
    ("EFA_CLIENT_OS_UNSUPPORTED", EFA | {"os": ClientOs.RHEL_9}, None),
    ("EFA_CLIENT_OS_UNSUPPORTED", {"os": ClientOs.AMAZON_LINUX_2}, None),
    ("EFA_CLIENT_INSTANCE_UNABLE", EFA | {"instance_type": "trn2.48xlarge"}, "got trn2.48xlarge"),
    ("EFA_CLIENT_INSTANCE_UNABLE", EFA | {"instance_type": "p4d.24xlarge"}, "got p4d.24xlarge"),
    ("EFA_CLIENT_INSTANCE_UNABLE", EFA | {"instance_type": "m7i.large"}, "has no EFA"),
    ("EFA_CLIENT_INSTANCE_UNABLE", EFA | {"instance_type": "p5.48xlarge"}, None),
    ("EFA_CLIENT_INSTANCE_UNABLE", {"instance_type": "m7i.large"}, None),
    ("EFA_NOT_MOUNTED", {"efa_enabled": True}, "efa is False"),
    ("EFA_NOT_MOUNTED", EFA, None),
]
ROWS = (
    *(Row(finding_id, partial(_client, **changes), says) for finding_id, changes, says in _CLIENTS),
    Row("STRIPE_SIZE_NOT_POSITIVE", partial(stripe_size_not_positive, 0, "file_size_bytes"), "got 0"),
    Row("STRIPE_SIZE_NOT_POSITIVE", partial(stripe_size_not_positive, 1, "file_size_bytes"), None),
)
