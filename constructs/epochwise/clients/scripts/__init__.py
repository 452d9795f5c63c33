"""Scripts that run on clients and nodes, each a file beside this one: shell, and Python where PyTorch is needed."""

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
    ALL_REDUCE = "all_reduce"
    """Proves by a training job of its own that nodes reach each other, and over EFA; Python."""


@cache
def script_text(script: Script) -> str:
    """Return the text of a script, ready to be written to a file and run with bash, or python where it is Python."""
    suffix = "py" if script is Script.ALL_REDUCE else "sh"
    return (get_data("epochwise.clients.scripts", f"{script}.{suffix}") or b"").decode()
