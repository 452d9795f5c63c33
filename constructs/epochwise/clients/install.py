"""Shell that installs the Lustre client which fits an operating system and its running kernel.

Source: FSx User Guide, install-lustre-client. The client is a kernel module: what is installed must be built for the
kernel that runs. Where none is, the script says which kernels have one instead of changing the kernel by itself, which
on an accelerator's image would take the accelerator's driver along.
"""

from epochwise.catalog.lustre_client_versions import KEYS, PACKAGES, ClientOs, client_kernels, os_traits

_APT = "apt-get -o DPkg::Lock::Timeout=600"


def check_os(os: ClientOs) -> str:
    """Return shell that stops on another operating system than the one that was declared."""
    traits = os_traits(os)
    return f"""# shellcheck disable=SC1091
. "$root/etc/os-release"
case "$ID:$VERSION_ID" in
  {traits.os_release_id}:{traits.os_release_version}*) ;;
  *) die "this script is for {traits.name}, got $PRETTY_NAME" ;;
esac"""


def install_client(os: ClientOs) -> str:
    """Return shell that installs the client unless the image has it, and loads it."""
    return f"""if ! modinfo lustre >/dev/null 2>&1 || ! command -v lfs >/dev/null; then
{_indented(_packages(os))}
fi
modprobe lustre || die "the Lustre client does not load into kernel $(uname -r)\""""


def _packages(os: ClientOs) -> str:
    """Return the commands of one operating system."""
    if os is ClientOs.AMAZON_LINUX_2023:
        return "dnf install -y lustre-client"
    if os is ClientOs.AMAZON_LINUX_2:
        return "amazon-linux-extras install -y lustre"
    return _ubuntu() if os.is_ubuntu else _enterprise(os)


def _ubuntu() -> str:
    """Return AWS's package source and the module of the running kernel."""
    keyring = "/usr/share/keyrings/fsx-ubuntu-public-key.gpg"
    return f"""export DEBIAN_FRONTEND=noninteractive
curl -fsSL --retry 5 {KEYS}/fsx-ubuntu-public-key.asc | gpg --dearmor --yes -o "$root{keyring}"
echo "deb [signed-by={keyring}] {PACKAGES}/ubuntu $VERSION_CODENAME main" \\
  >"$root/etc/apt/sources.list.d/fsxlustreclientrepo.list"
{_APT} update
if ! {_APT} install -y "lustre-client-modules-$(uname -r)"; then
  apt-cache search '^lustre-client-modules-' >&2
  die "no Lustre client is built for kernel $(uname -r); those above have one"
fi"""


def _enterprise(os: ClientOs) -> str:
    """Return AWS's package source, pointed at the release of the running kernel."""
    major = os_traits(os).os_release_version
    newest, *older = client_kernels(os)
    repository = '"$root/etc/yum.repos.d/aws-fsx.repo"'
    # the repository of release 10 names its key, so that it is imported with the packages
    key = "" if os in {ClientOs.RHEL_10, ClientOs.ROCKY_10} else f"rpm --import {KEYS}/fsx-rpm-public-key.asc\n"
    releases = "\n".join(
        f"  {kernel.kernel}.*) sed -i 's#{major}#{kernel.release}#' {repository} ;;" for kernel in older
    )
    return f"""{key}curl -fsSL --retry 5 {PACKAGES}/el/{major}/fsx-lustre-client.repo -o {repository}
case "$(uname -r)" in
  {newest.kernel}.*) ;;
{releases}
  *) die "no Lustre client is built for kernel $(uname -r)" ;;
esac
dnf clean all
dnf install -y kmod-lustre-client lustre-client"""


def _indented(text: str) -> str:
    """Indent shell by one step."""
    return "\n".join(f"  {line}" if line else line for line in text.splitlines())
