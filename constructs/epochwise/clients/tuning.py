"""Shell that tunes clients with many CPUs or much memory as AWS recommends.

Source: FSx User Guide, performance-tips. What is set on modules counts when they are loaded; what is set with `lctl`
is lost at a restart, so a unit sets it again.
"""

from epochwise.catalog.lustre_client_versions import client_tuning
from epochwise.clients.mount import ClientMount

_SCRIPT = "/usr/local/sbin/tune-lustre-client"


def tune_modules() -> str:
    """Return shell for before Lustre is loaded; what an image has loaded is loaded anew, unless it is mounted."""
    tuning = client_tuning()
    options = " ".join(f"'options {module} {option}'" for module, option in tuning.modules.items())
    return f"""if [ "$(nproc)" -gt {tuning.cpus_over} ]; then
  printf '%s\\n' {options} >"$root/etc/modprobe.d/lustre-large-client.conf"
  lustre_rmmod >/dev/null 2>&1 || true
fi"""


def tune_client(mount: ClientMount) -> str:
    """Return shell for after the mount: a script that tunes, and a unit that runs it after each restart."""
    tuning = client_tuning()
    parameters = "\n".join(f"  lctl set_param '{parameter}'" for parameter in tuning.parameters)
    unit = f"tune-lustre-client-{mount.slug}.service"
    return f"""cat >"$root{_SCRIPT}" <<'TUNE'
#!/bin/bash
set -euo pipefail
if [ "$(awk '/^MemTotal:/ {{print int($2 / 1048576)}}' /proc/meminfo)" -gt {tuning.memory_gib_over} ]; then
  lctl set_param 'ldlm.namespaces.*.lru_max_age={tuning.lru_max_age_ms}'
  lctl set_param "ldlm.namespaces.*.lru_size=$(({tuning.lru_size_per_cpu} * $(nproc)))"
fi
if [ "$(nproc)" -gt {tuning.cpus_over} ]; then
{parameters}
fi
TUNE
chmod 0755 "$root{_SCRIPT}"
cat >"$root/etc/systemd/system/{unit}" <<'UNIT'
[Unit]
Description=Tune the Lustre client of {mount.path}
RequiresMountsFor={mount.path}
After=remote-fs.target
[Service]
Type=oneshot
ExecStart={_SCRIPT}
[Install]
WantedBy=multi-user.target
UNIT
systemctl enable --now {unit}"""
