"""Shell scripts that run on clients, each a file beside this one."""

from enum import StrEnum
from functools import cache
from pkgutil import get_data


class Script(StrEnum):
    """A script by the name of its file."""

    PRELOAD = "preload"
    """Brings onto the file system what is in S3 only."""
    RELEASE = "release"
    """Frees the space of files whose data is in S3 too."""
    EFA_TRAFFIC = "efa_traffic"
    """Proves by counters that Lustre's data goes over EFA."""
    NCCL_EFA = "nccl_efa"
    """Proves from a log that NCCL's traffic goes over EFA."""


@cache
def script_text(script: Script) -> str:
    """Return the text of a script, ready to be written to a file and run with bash."""
    return (get_data("epochwise.clients.scripts", f"{script}.sh") or b"").decode()
