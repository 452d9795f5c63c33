"""The mount of a file system on a client: its command and its line in fstab.

Source: FSx User Guide, mounting-ec2-instance and mount-fs-auto-mount-onreboot.
"""

from dataclasses import dataclass

from epochwise.catalog.lustre_client_versions import EFA_CLIENT_UNIT, ClientOs, os_traits

DEFAULT_PATH = "/fsx"
"""Folder that AWS's own examples mount at."""
DEFAULT_ATTEMPTS = 20
"""Tries of a mount at start-up, which take about ten minutes when all fail."""


@dataclass(frozen=True, slots=True)
class ClientMount:
    """One mount on one kind of client."""

    dns_name: str
    mount_name: str
    os: ClientOs = ClientOs.AMAZON_LINUX_2023
    path: str = DEFAULT_PATH
    efa: bool = False
    """Whether data goes over EFA. The command is the same: EFA is set up below it."""
    noatime: bool = False
    """Whether access times are left alone: a little faster, but nothing can then be released by age."""
    read_only: bool = False
    nofail: bool = True
    """Whether the instance still starts, and can be logged into, when an automatic mount fails."""

    @property
    def source(self) -> str:
        """What is mounted. An EFA-enabled file system is named by its TCP address too."""
        return f"{self.dns_name}@tcp:/{self.mount_name}"

    @property
    def slug(self) -> str:
        """A name for files and units of this mount, different for each path.

        >>> ClientMount("fs", "m", path="/mnt/data").slug
        'mnt:data'
        """
        return self.path.strip("/").replace("/", ":")

    @property
    def options(self) -> tuple[str, ...]:
        """Options that the command and fstab share; flock lets locks hold across clients."""
        times = "noatime" if self.noatime else "relatime"
        return (times, "flock", "ro") if self.read_only else (times, "flock")


def mount_command(mount: ClientMount) -> str:
    """Return the command that root mounts with.

    >>> mount_command(ClientMount("fs-1.fsx.us-east-1.amazonaws.com", "abcdefgh"))
    'mount -t lustre -o relatime,flock fs-1.fsx.us-east-1.amazonaws.com@tcp:/abcdefgh /fsx'
    """
    return f"mount -t lustre -o {','.join(mount.options)} {mount.source} {mount.path}"


def fstab_line(mount: ClientMount) -> str:
    """Return the line of /etc/fstab that mounts again after a restart, once the network or EFA is there.

    >>> fstab_line(ClientMount("fs-1", "abcdefgh", nofail=False)).split()[3]
    'defaults,relatime,flock,_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service'
    """
    waits = (
        (f"x-systemd.requires={EFA_CLIENT_UNIT}", f"x-systemd.after={EFA_CLIENT_UNIT}")
        if mount.efa
        else (f"x-systemd.requires={os_traits(mount.os).network_unit}",)
    )
    options = ["defaults", *mount.options, "_netdev", *(["nofail"] if mount.nofail else []), "x-systemd.automount"]
    return f"{mount.source} {mount.path} lustre {','.join([*options, *waits])} 0 0"
