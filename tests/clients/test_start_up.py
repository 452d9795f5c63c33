"""The start-up script, as text and run against stand-ins."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.catalog.lustre_client_versions import ClientOs, client_kernels, efa_clients, os_traits
from epochwise.checks.lustre_client import mount_path_invalid
from epochwise.clients.mount import ClientMount, fstab_line, mount_command
from epochwise.clients.start_up import start_up_script, user_data_commands
from tests.clients.shell import Client

SOURCE = ("fs-1.fsx.us-east-1.amazonaws.com", "abcdefgh")
UNZIP = """
folder="${@: -1}/configure-efa-fsx-lustre-client"
mkdir -p "$folder"
printf '#!/bin/bash\\n' >"$folder/setup.sh"
chmod +x "$folder/setup.sh"
"""
QUIET = (
    "dnf",
    "modprobe",
    "lctl",
    "systemctl",
    "lustre_rmmod",
    "amazon-linux-extras",
    "rpm",
    "curl",
    "gpg",
    "apt-cache",
)


def mount(**settings: object) -> ClientMount:
    return ClientMount(*SOURCE, **settings)  # type: ignore[arg-type]


@pytest.fixture
def node(client: Client, tmp_path: Path) -> Client:
    """Return a client whose root is a folder, with commands that only write down how they were called."""
    for name in QUIET:
        client.command(name, f'echo "{name} $*" >>"{tmp_path}/calls"')
    client.command("modinfo", "exit 1")
    client.command("nproc", "echo 4")
    client.command("sleep", f'echo "$1" >>"{tmp_path}/pauses"')
    client.command("mountpoint", f'[ -e "{tmp_path}/mounted" ]')
    client.command("mount", f'echo "mount $*" >>"{tmp_path}/calls"; : >"{tmp_path}/mounted"')
    for folder in ("etc/modprobe.d", "etc/systemd/system", "usr/local/sbin", "etc/yum.repos.d"):
        (tmp_path / "root" / folder).mkdir(parents=True)
    (tmp_path / "root/etc/fstab").touch()
    return client


def start(node: Client, tmp_path: Path, script: str, *, os_id: str = "amzn", version: str = "2023") -> str:
    """Run a script on the node; return what it said when it failed."""
    release = f'ID={os_id}\nVERSION_ID="{version}"\nPRETTY_NAME="{os_id} {version}"\nVERSION_CODENAME=jammy\n'
    (tmp_path / "root/etc/os-release").write_text(release, encoding="utf-8")
    done = node.run(script, variables={"LUSTRE_CLIENT_ROOT": str(tmp_path / "root")})
    return done.stderr if done.returncode else ""


def calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("os", ClientOs)
@pytest.mark.parametrize("efa", [False, True])
def test_every_script_parses_and_fits_into_user_data(os: ClientOs, efa: bool) -> None:
    if efa and os not in efa_clients():
        return
    script = start_up_script(mount(os=os, efa=efa), instance_type="p5.48xlarge")
    subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=True)
    assert len("\n".join(user_data_commands(mount(os=os, efa=efa), script))) < 8 * 1024


@pytest.mark.parametrize(
    ("os", "command"),
    [
        (ClientOs.AMAZON_LINUX_2023, "dnf install -y lustre-client"),
        (ClientOs.AMAZON_LINUX_2, "amazon-linux-extras install -y lustre"),
        (ClientOs.UBUNTU_22_04, 'install -y "lustre-client-modules-$(uname -r)"'),
        (ClientOs.UBUNTU_24_04, 'install -y "lustre-client-modules-$(uname -r)"'),
        (ClientOs.RHEL_8, "dnf install -y kmod-lustre-client lustre-client"),
        (ClientOs.ROCKY_9, "dnf install -y kmod-lustre-client lustre-client"),
        (ClientOs.RHEL_10, "/el/10/fsx-lustre-client.repo"),
    ],
)
def test_f120_each_system_installs_the_client_that_is_built_for_its_kernel(os: ClientOs, command: str) -> None:
    assert command in start_up_script(mount(os=os))


@pytest.mark.parametrize(
    "os", [ClientOs.RHEL_8, ClientOs.RHEL_9, ClientOs.RHEL_10, ClientOs.ROCKY_8, ClientOs.ROCKY_9, ClientOs.ROCKY_10]
)
def test_f120_an_older_kernel_gets_the_packages_of_its_own_release(node: Client, tmp_path: Path, os: ClientOs) -> None:
    traits, repository = os_traits(os), tmp_path / "root/etc/yum.repos.d/aws-fsx.repo"
    for kernel in client_kernels(os):
        repository.write_text(f"baseurl=https://host/el/{traits.os_release_version}/$basearch\n", encoding="utf-8")
        node.command("uname", f"echo {kernel.kernel}.1.1.el.x86_64")
        (tmp_path / "mounted").unlink(missing_ok=True)
        version = kernel.release or ""
        script = start_up_script(mount(os=os, path=str(tmp_path / "fsx")))
        assert not start(node, tmp_path, script, os_id=traits.os_release_id, version=version)
        newest = kernel == client_kernels(os)[0]
        expected = traits.os_release_version if newest else kernel.release
        assert f"/el/{expected}/" in repository.read_text(encoding="utf-8")


def test_f120_a_kernel_without_a_client_is_named_and_left_as_it_is(node: Client, tmp_path: Path) -> None:
    node.command("uname", "echo 6.99.0-1-aws")
    node.command("apt-get", 'case "$*" in *install*) exit 100 ;; esac')
    (tmp_path / "root/usr/share/keyrings").mkdir(parents=True)
    (tmp_path / "root/etc/apt/sources.list.d").mkdir(parents=True)
    script = start_up_script(mount(os=ClientOs.UBUNTU_22_04))
    said = start(node, tmp_path, script, os_id="ubuntu", version="22.04")
    assert "no Lustre client is built for kernel 6.99.0-1-aws" in said
    assert not [call for call in calls(tmp_path) if call.startswith("mount ")]
    assert any("apt-cache search" in call for call in calls(tmp_path))


def test_another_system_than_was_declared_is_refused(node: Client, tmp_path: Path) -> None:
    said = start(node, tmp_path, start_up_script(mount()), os_id="ubuntu", version="24.04")
    assert "this script is for Amazon Linux 2023, got ubuntu 24.04" in said


def test_an_image_that_has_the_client_keeps_it(node: Client, tmp_path: Path) -> None:
    node.command("modinfo", "echo 2.15.6")
    assert not start(node, tmp_path, start_up_script(mount(path=str(tmp_path / "fsx"))))
    assert not [call for call in calls(tmp_path) if call.startswith("dnf")]


def test_f34c_a_mount_that_fails_is_tried_again_with_growing_pauses(node: Client, tmp_path: Path) -> None:
    path = tmp_path / "fsx"
    node.command(
        "mount", f'echo x >>"{tmp_path}/tries"; [ "$(wc -l <"{tmp_path}/tries")" -ge 4 ] && : >"{tmp_path}/mounted"'
    )
    assert not start(node, tmp_path, start_up_script(mount(path=str(path)), attempts=5))
    pauses = [int(pause) for pause in (tmp_path / "pauses").read_text().split()]
    assert len(pauses) == 3
    assert all(5 * n <= pause <= 5 * n + 10 for n, pause in enumerate(pauses, start=1))


@pytest.mark.parametrize("attempts", [1, 3])
def test_f34c_tries_are_bounded_and_the_start_up_then_fails(node: Client, tmp_path: Path, attempts: int) -> None:
    node.command("mount", f'echo x >>"{tmp_path}/tries"; exit 5')
    said = start(node, tmp_path, start_up_script(mount(path=str(tmp_path / "fsx")), attempts=attempts))
    assert f"could not be mounted in {attempts} attempts" in said
    assert len((tmp_path / "tries").read_text().split()) == attempts
    assert (tmp_path / "root/etc/fstab").read_text() == ""


def test_a_second_run_changes_nothing(node: Client, tmp_path: Path) -> None:
    there = mount(path=str(tmp_path / "fsx"))
    for _ in range(2):
        assert not start(node, tmp_path, start_up_script(there))
    assert (tmp_path / "root/etc/fstab").read_text() == fstab_line(there) + "\n"
    assert len([call for call in calls(tmp_path) if call.startswith("mount ")]) == 1


@pytest.mark.parametrize(("cpus", "tuned"), [(64, False), (65, True)])
def test_f121_clients_with_many_cpus_are_tuned_before_and_after_the_mount(
    node: Client, tmp_path: Path, cpus: int, tuned: bool
) -> None:
    node.command("nproc", f"echo {cpus}")
    assert not start(node, tmp_path, start_up_script(mount(path=str(tmp_path / "fsx"))))
    modules = tmp_path / "root/etc/modprobe.d/lustre-large-client.conf"
    assert modules.exists() is tuned
    tuning = (tmp_path / "root/usr/local/sbin/tune-lustre-client").read_text()
    (tmp_path / "calls").write_text("")
    assert node.run(tuning).returncode == 0
    said = "\n".join(calls(tmp_path))
    assert ("mdc.*.max_mod_rpcs_in_flight=50" in said) is tuned
    assert ("osc.*OST*.max_rpcs_in_flight=32" in said) is tuned
    if tuned:
        assert modules.read_text() == "options ptlrpc ptlrpcd_per_cpt_max=32\noptions ksocklnd credits=2560\n"
        assert said.index("mdc.*.max_rpcs_in_flight") < said.index("mdc.*.max_mod_rpcs_in_flight")


def test_f121_tuning_is_done_again_after_a_restart(node: Client, tmp_path: Path) -> None:
    assert not start(node, tmp_path, start_up_script(mount(path=str(tmp_path / "fsx"))))
    [unit] = (tmp_path / "root/etc/systemd/system").iterdir()
    assert f"RequiresMountsFor={tmp_path}/fsx\n" in unit.read_text()
    assert f"systemctl enable --now {unit.name}" in calls(tmp_path)


@pytest.mark.parametrize(("interfaces", "instance_type", "fails"), [(8, "p5.48xlarge", False), (7, "p5.48xlarge", True),
    (1, None, False), (0, None, True)])  # fmt: skip
def test_f104_too_few_efa_interfaces_stop_the_start_up_since_lustre_would_fall_back_unseen(
    node: Client, tmp_path: Path, interfaces: int, instance_type: str | None, fails: bool
) -> None:
    node.command("lnetctl", f"for i in $(seq {interfaces}); do echo nid: 1.$i@efa; done")
    node.command("modinfo", "echo 2.13.0g")
    node.command("unzip", UNZIP)
    script = start_up_script(mount(path=str(tmp_path / "fsx"), efa=True), instance_type=instance_type)
    said = start(node, tmp_path, script)
    assert bool(said) is fails, said
    if fails:
        assert f"Lustre has {interfaces} EFA interfaces" in said


@pytest.mark.parametrize(("version", "kernel", "says"), [("22.04", "6.8.0-1017-aws", ""), ("22.04", "6.5.0-1024-aws",
    "EFA needs kernel 6.8 or later, got 6.5.0-1024-aws"), ("22.04", "6.10.0-1-aws", "")])  # fmt: skip
def test_efa_on_too_old_a_kernel_is_refused_at_start_up(
    node: Client, tmp_path: Path, version: str, kernel: str, says: str
) -> None:
    node.command("uname", f"echo {kernel}")
    node.command("lnetctl", "echo nid: 1.1@efa")
    node.command("modinfo", "echo 2.15")
    script = start_up_script(mount(os=ClientOs.UBUNTU_22_04, efa=True, path=str(tmp_path / "fsx")))
    said = start(node, tmp_path, script, os_id="ubuntu", version=version)
    assert says in said if says else not said


@pytest.mark.parametrize(
    ("settings", "holds", "lacks"),
    [
        ({}, "systemd-networkd-wait-online.service", "network.service"),
        ({"os": ClientOs.UBUNTU_22_04}, "systemd-networkd-wait-online.service", "network.service"),
        ({"os": ClientOs.AMAZON_LINUX_2}, "x-systemd.requires=network.service", "wait-online"),
        ({"os": ClientOs.RHEL_9}, "x-systemd.requires=network.service", "wait-online"),
        ({"efa": True}, "x-systemd.after=configure-efa-fsx-lustre-client.service", "network"),
        ({"noatime": True}, "noatime", "relatime"),
        ({"read_only": True}, ",ro,", "noatime"),
        ({"nofail": False}, "_netdev", "nofail"),
    ],
)
def test_fstab_waits_for_what_the_system_has(settings: dict[str, object], holds: str, lacks: str) -> None:
    line = fstab_line(mount(**settings))
    assert holds in line
    assert "_netdev" in line
    assert lacks not in line.replace("systemd-networkd", "").replace("_netdev", "")


PATHS = st.lists(st.from_regex(r"\A[A-Za-z0-9_][A-Za-z0-9._-]{0,6}\Z"), min_size=1, max_size=3).map(
    lambda parts: "/" + "/".join(parts)
)


@given(PATHS, PATHS)
def test_paths_that_are_taken_need_no_quoting_and_never_share_a_name(one: str, other: str) -> None:
    assert not list(mount_path_invalid(one))
    assert len(fstab_line(mount(path=one)).split()) == 6
    assert mount_command(mount(path=one)).endswith(f" {one}")
    assert (mount(path=one).slug == mount(path=other).slug) is (one == other)


@given(st.text(max_size=20))
def test_any_other_path_is_refused_or_harmless(text: str) -> None:
    if not list(mount_path_invalid(text)):
        assert text.startswith("/")
        assert not set(text) & set(" \t\n\\'\"$`;&|<>(){}*?!#:~")
        assert ".." not in text.split("/")
