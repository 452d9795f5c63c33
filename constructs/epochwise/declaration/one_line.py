"""Somebody else's words in one line: an answer of AWS must neither break a line nor steer a terminal."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
"""Control characters other than white space."""


def without_controls(text: str) -> str:
    r"""Return a text without the characters that steer a terminal; white space stays.

    >>> without_controls("\x1b[31mred\n")
    '[31mred\n'
    """
    return _CONTROL.sub("", text)


def one_line(text: str) -> str:
    r"""Return a text in one line, without characters that steer a terminal.

    >>> one_line("Traceback:\n  \x1b[31mred")
    'Traceback: [31mred'
    """
    return without_controls(" ".join(text.split()))
