"""The command line's own output, printed while the site is built."""

import os
import shlex
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

from typer.main import get_command
from typer.testing import CliRunner

from docs.made.markdown import block
from epochwise.cli.every_command import app

ROOT = Path(__file__).resolve().parents[2]


def printed(command: str) -> str:
    """Return what a command prints on standard output, called from the project's root.

    Raises:
        RuntimeError: it refused.
    """
    program, *arguments = shlex.split(command)
    with chdir(ROOT), patch.dict(os.environ, {"COLUMNS": "80", "TERM": "dumb"}):
        done = CliRunner().invoke(app, arguments, prog_name=program)
    if done.stderr or not isinstance(done.exception, SystemExit | None):
        raise RuntimeError(f"`{command}` ended with {done.exception!r}: {done.stderr}")
    return done.stdout


def console(command: str) -> str:
    """Return a block with a command and what it prints."""
    return block(f"$ {command}\n{printed(command)}", "console")


def first_line(command: str) -> str:
    """Return a block with a command and the first line of what it prints."""
    return block(f"$ {command}\n{printed(command).splitlines()[0]}\n…", "console")


def command_names() -> tuple[str, ...]:
    """Return the names of all commands, in the order of the help."""
    group = get_command(app)
    return tuple(getattr(group, "commands", {}))
