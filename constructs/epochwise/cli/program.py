"""The program: the commands hang on `app`, and `run` runs it."""

import gc
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup


class _InterruptedError(BaseException):
    """The user pressed Ctrl-C, and typer, which ends without a word then, is not to know."""


@contextmanager
def _passing_on() -> Iterator[None]:
    """Let Ctrl-C pass through typer."""
    try:
        yield
    except KeyboardInterrupt:
        raise _InterruptedError from None


class _Commands(TyperGroup):
    """The commands, through which Ctrl-C passes to whoever runs them."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        """Read what is asked for."""
        with _passing_on():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is asked for."""
        with _passing_on():
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    name="epochwise",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Size FSx for Lustre for a declared training workload, and deploy it.",
)

EXIT_NOTHING_FEASIBLE = 1
EXIT_BAD_DECLARATION = 2


def run(program: typer.Typer = app) -> None:
    """Run the command line, or another program of the same manners.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C where no command says what that leaves behind.
    """
    # a command ends before garbage matters, and collecting while modules load costs a twentieth of its time
    gc.disable()
    # pydantic looks through every installed distribution for plugins, of which this program uses none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that lacks a letter shows a question mark
            stream.reconfigure(errors="replace")
    try:
        program(standalone_mode=True)
    except _InterruptedError:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        raise
    except OSError as error:
        # what is printed has nowhere to go: say so once, and let nothing be flushed at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"cannot print: {error.strerror or error}\n")
        sys.exit(EXIT_BAD_DECLARATION)
