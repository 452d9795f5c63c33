"""The reference of the command line, from each command's own help."""

from docs.made.command_line import command_names, printed
from docs.made.markdown import block


def command_help() -> str:
    """Write the help of the program and of each command."""
    parts = [block(printed("epochwise --help"), "text")]
    for name in command_names():
        parts += [f"## {name}", block(printed(f"epochwise {name} --help"), "text")]
    return "\n\n".join(parts)
