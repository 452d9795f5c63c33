"""Break a shell command into lines that can be pasted as they stand."""

from collections.abc import Iterator

from epochwise.report.content import WIDTH

_MORE = " \\"
_THEN = "  "


def shell_lines(command: str, *, indent: int = 0, width: int = WIDTH) -> list[str]:
    r"""Return a command in lines that a shell joins again, broken before options and never within a value.

    A line is longer than the width where a value is.

    Args:
        command: in one line.
        indent: columns that stand before each line.
        width: columns of the screen.

    >>> print("\n".join(shell_lines("aws ec2 describe-vpcs --region us-east-1 --vpc-ids vpc-1", width=44)))
    aws ec2 describe-vpcs --region us-east-1 \
      --vpc-ids vpc-1
    """
    lines: list[str] = []
    line = ""
    for part in _parts(command):
        longer = f"{line} {part}" if line else part
        if line and len(longer) + indent + len(_MORE) > width:
            lines.append(line + _MORE)
            longer = _THEN + part
        line = longer
    return [*lines, line]


def _parts(command: str) -> Iterator[str]:
    """Yield a command's parts: what comes before the first option, and each option with its values."""
    start = 0
    within: list[str] = []
    for place, letter in enumerate(command):
        inner = within[-1] if within else ""
        if letter == inner:
            within.pop()
        elif inner == "'":
            continue
        elif command.startswith("$(", place):
            within.append(")")
        elif letter == '"' or (letter == "'" and inner != '"'):
            within.append(letter)
        elif not within and command.startswith(" --", place):
            yield command[start:place]
            start = place + 1
    yield command[start:]
