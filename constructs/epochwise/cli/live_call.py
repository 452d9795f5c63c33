"""What live commands share: a failure of AWS ends in one sentence, and so does Ctrl-C."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from epochwise.cli.output import complain, refuse

EXIT_INTERRUPTED = 130
"""As shells say it: 128 and SIGINT."""


@contextmanager
def asking_aws(subject: str, *, interrupted: str = "nothing was changed") -> Iterator[None]:
    """Refuse in one sentence when AWS does not answer.

    Args:
        subject: what is asked about, the start of the sentence.
        interrupted: what the user is told on Ctrl-C.
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
        complain(f"{subject}: interrupted; {interrupted}")
        raise typer.Exit(EXIT_INTERRUPTED) from None
