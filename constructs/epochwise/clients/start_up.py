"""The script that a client runs at its first start: install, set up EFA, mount with a bound, tune."""

import re

from epochwise.clients.efa_setup import check_efa_os, set_up_efa
from epochwise.clients.install import check_os, install_client
from epochwise.clients.mount import DEFAULT_ATTEMPTS, ClientMount, fstab_line, mount_command
from epochwise.clients.tuning import tune_client, tune_modules

MOUNT_TIMEOUT_S = 120
"""Seconds that one try may take."""
LONGEST_WAIT_S = 30
"""Seconds between tries, at most; up to ten are added by chance, so that nodes that start at once part ways."""

_SCRIPT = "/usr/local/sbin/mount-lustre-"
_HEAD = """#!/bin/bash
set -euo pipefail
# prefix of every file that is written, for a trial run
root=${LUSTRE_CLIENT_ROOT:-}
die() {
  echo "lustre client: $*" >&2
  exit 1
}
at_least() {
  [ "$(printf '%s\\n%s\\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}"""


def start_up_script(
    mount: ClientMount, *, instance_type: str | None = None, attempts: int = DEFAULT_ATTEMPTS, tune: bool = True
) -> str:
    """Return the whole script, to be run by root; a second run changes nothing.

    Args:
        mount: what is mounted where, and how.
        instance_type: says how many EFA interfaces must be there; one is asked for without it.
        attempts: how often a mount is tried.
        tune: whether clients with many CPUs or much memory are tuned; EFA's set-up sets the modules by itself.
    """
    parts = [
        _HEAD,
        check_os(mount.os),
        check_efa_os(mount.os) if mount.efa else "",
        tune_modules() if tune and not mount.efa else "",
        install_client(mount.os),
        set_up_efa(mount.os, instance_type) if mount.efa else "",
        mount_with_bound(mount, attempts),
        mount_after_restart(mount),
        tune_client(mount) if tune else "",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def mount_with_bound(mount: ClientMount, attempts: int = DEFAULT_ATTEMPTS) -> str:
    """Return shell that tries a mount again with growing waits, and fails after so many tries."""
    return f"""mkdir -p {mount.path}
attempt=1
until mountpoint -q {mount.path} || timeout {MOUNT_TIMEOUT_S} {mount_command(mount)}; do
  [ "$attempt" -lt {attempts} ] || die "{mount.path} could not be mounted in {attempts} attempts"
  pause=$((5 * attempt < {LONGEST_WAIT_S} ? 5 * attempt : {LONGEST_WAIT_S}))
  sleep $((pause + RANDOM % 11))
  attempt=$((attempt + 1))
done"""


def mount_after_restart(mount: ClientMount) -> str:
    """Return shell that adds the line of fstab once."""
    return f"""grep -q ' {mount.path} lustre ' "$root/etc/fstab" || cat >>"$root/etc/fstab" <<'FSTAB'
{fstab_line(mount)}
FSTAB"""


def user_data_commands(mount: ClientMount, script: str) -> list[str]:
    """Return commands for user data: they keep the script, run it, and end the start-up when it fails.

    The script is a file of its own: its shell options stay with it, and it can be run again by hand.
    """
    file = f"{_SCRIPT}{mount.slug}"
    return [
        f"cat >{file} <<'MOUNT_LUSTRE'\n{script}MOUNT_LUSTRE",
        f"chmod 0755 {file}",
        f"{file} || exit 1",
    ]


def mounted_paths(text: str) -> list[str]:
    """Return where user data mounts file systems by commands of `user_data_commands`.

    >>> mount = ClientMount("fs-1", "abcdefgh", path="/mnt/data")
    >>> mounted_paths(user_data_commands(mount, start_up_script(mount))[0])
    ['/mnt/data']
    """
    return [f"/{slug.replace(':', '/')}" for slug in re.findall(rf"cat >{_SCRIPT}(\S+) <<", text)]


def systems_of(text: str) -> list[str]:
    """Return the operating systems, by name and once each, that scripts in user data are for.

    >>> systems_of(start_up_script(ClientMount("fs-1", "abcdefgh")))
    ['Amazon Linux 2023']
    """
    return list(dict.fromkeys(re.findall(r'die \\?"this script is for ([^,"]+), got', text)))
