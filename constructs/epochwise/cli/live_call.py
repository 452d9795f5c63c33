"""What live commands share: a failure of AWS ends in one sentence, and so does Ctrl-C."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from epochwise.cli import EXIT_INTERRUPTED
from epochwise.cli.output import complain, refuse


@contextmanager
def asking_aws(subject: str, *, interrupted: str | Callable[[], str] = "nothing was changed") -> Iterator[None]:
    """Refuse in one sentence when AWS does not answer.

    Args:
        subject: what is asked about, the start of the sentence.
        interrupted: what the user is told on Ctrl-C, or what returns it where that changes on the way.
    """
    from epochwise.live.failure import AwsError

    # the program does without, but what asks AWS may run for hours
    gc.enable()
    try:
        yield
    except AwsError as error:
        refuse(f"{subject}: {error}")
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        complain(f"{subject}: interrupted; {interrupted if isinstance(interrupted, str) else interrupted()}")
        raise typer.Exit(EXIT_INTERRUPTED) from None
