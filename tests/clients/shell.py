"""A folder of stand-ins for the commands of a client, and scripts that run against them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

LFS = r"""#!/bin/bash
# a file is released while .hsm/<name>.released is there; a restore ends after RESTORE_S seconds
hsm=$HSM; name=$(basename "${@: -1}"); file=${*: -1}
case "$1" in
  hsm_state)
    [ ! -e "$hsm/$name.unreadable" ] || exit 1
    flags=exists
    [ ! -e "$hsm/$name.archived" ] || flags="$flags archived"
    [ ! -e "$hsm/$name.dirty" ] || flags="dirty $flags"
    [ ! -e "$hsm/$name.released" ] || flags="released $flags"
    echo "$file: (0x0000000d) $flags, archive_id:1" ;;
  hsm_action)
    if [ -e "$hsm/$name.running" ]; then echo "$file: RESTORE running (0 bytes moved)"; else echo "$file: NOOP"; fi ;;
  hsm_restore)
    printf '%s\n' "$name" >>"$hsm/asked"
    [ ! -e "$hsm/$name.refused" ] || exit 1
    [ ! -e "$hsm/$name.lost" ] || exit 0
    : >"$hsm/$name.running"
    find "$hsm" -name '*.running' | wc -l >>"$hsm/under_way"
    (sleep "${RESTORE_S:-0.05}"; rm -f "$hsm/$name.released" "$hsm/$name.running") >/dev/null 2>&1 & ;;
  hsm_release) [ ! -e "$hsm/$name.refused" ] || exit 1; : >"$hsm/$name.released" ;;
esac
"""


class Client:
    """A client in a folder: commands of its own come first on PATH."""

    def __init__(self, root: Path) -> None:
        self.commands, self.data, self.hsm = root / "commands", root / "data", root / "hsm"
        for folder in (self.commands, self.data, self.hsm):
            folder.mkdir()
        self.command("lfs", LFS)

    def command(self, name: str, text: str) -> None:
        """Put a command on PATH."""
        file = self.commands / name
        file.write_text(text if text.startswith("#!") else f"#!/bin/bash\n{text}\n", encoding="utf-8")
        file.chmod(0o755)

    def file(self, name: str, *marks: str) -> Path:
        """Create a file with what S3's side of it is: released, archived, dirty, refused, lost, unreadable."""
        file = self.data / name
        file.write_text("data", encoding="utf-8")
        for mark in marks:
            (self.hsm / f"{file.name}.{mark}").touch()
        return file

    def run(
        self, script: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a script with bash."""
        environment = os.environ | {
            "PATH": f"{self.commands}:{os.environ['PATH']}",
            "HSM": str(self.hsm),
            "PRELOAD_POLL_S": "0.02",
            **(variables or {}),
        }
        return subprocess.run(
            ["bash", "-c", script, "script", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
