"""Shell that sets up a client's EFA interfaces for Lustre, and stops when they are not there.

Source: FSx User Guide, configure-efa-clients. Without them Lustre falls back to TCP and nobody is told, so the script
counts what was set up.
"""

from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.catalog.lustre_client_versions import (
    EFA_CLIENT_SETUP,
    EFA_INSTALLER,
    EFA_LEAST_DRIVER,
    ClientOs,
    efa_clients,
)
from epochwise.catalog.lustre_clients import efa_connections_per_client


def expected_interfaces(instance_type: str | None) -> int:
    """Return how many EFA interfaces AWS's set-up configures on an instance type; 1 where the type is not known."""
    instance = None if instance_type is None else catalog_row(instance_type)
    return 1 if instance is None else efa_connections_per_client(instance)


def check_efa_os(os: ClientOs) -> str:
    """Return shell that stops where the release or the kernel is too old for EFA; empty where any will do."""
    need = efa_clients()[os]
    checks = [
        f'at_least "{running}" {least} || die "EFA needs {what} {least} or later, got {running}"'
        for what, running, least in (
            ("release", "$VERSION_ID", need.least_release),
            ("kernel", "$(uname -r)", need.least_kernel),
        )
        if least is not None
    ]
    return "\n".join(checks)


def set_up_efa(os: ClientOs, instance_type: str | None) -> str:
    """Return shell that installs the EFA software where it lacks, sets up the interfaces and counts them.

    AWS's package sets how many partitions the CPUs have, which counts only when the module is loaded: what an image
    loaded at its start is unloaded first. An instance that is set up already is left as it is, since a file system may
    be mounted.
    """
    unzip = "apt-get -o DPkg::Lock::Timeout=600 install -y unzip" if os.is_ubuntu else "dnf install -y unzip"
    return f"""efa_interfaces() {{
  lnetctl net show --net efa 2>/dev/null | grep -c '@efa' || true
}}
if [ "$(efa_interfaces)" -lt {expected_interfaces(instance_type)} ]; then
  work=$(mktemp -d)
  driver=$(modinfo -F version efa 2>/dev/null || true)
  if [ -z "$driver" ] || ! at_least "${{driver%%[!0-9.]*}}" {EFA_LEAST_DRIVER}; then
    curl -fsSL --retry 5 {EFA_INSTALLER} | tar -xz -C "$work"
    (cd "$work/aws-efa-installer" && ./efa_installer.sh -y)
  fi
  command -v unzip >/dev/null || {unzip}
  curl -fsSL --retry 5 {EFA_CLIENT_SETUP} -o "$work/client.zip"
  unzip -q -o "$work/client.zip" -d "$work"
  lnetctl lnet unconfigure >/dev/null 2>&1 || true
  lustre_rmmod || true
  (cd "$work/configure-efa-fsx-lustre-client" && ./setup.sh)
  rm -rf "$work"
fi
if [ "$(efa_interfaces)" -lt {expected_interfaces(instance_type)} ]; then
  die "Lustre has $(efa_interfaces) EFA interfaces, {expected_interfaces(instance_type)} or more are expected"
fi"""
