"""How what is known by its place in the app alone stands in a command that looks by hand."""


def in_command(name: str, kind: str) -> str:
    """Return an id as it is, and for the path of a construct, whose id only the deploy knows, what to put there."""
    return f"<{kind}>" if "/" in name else name
