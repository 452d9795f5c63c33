"""Patterns of a Choice state's StringMatches."""

import re


def matches(pattern: str, text: str) -> bool:
    r"""Tell whether a text is of a pattern, in which `*` stands for anything and a backslash makes it literal.

    Source: Amazon States Language, StringMatches.

    >>> matches("a\\**", "a*b"), matches("a\\**", "ab"), matches("*?*", "ab")
    (True, False, False)
    """
    parts = re.findall(r"\\[\\*]|.", pattern, re.DOTALL)
    whole = "".join(".*" if part == "*" else re.escape(part[-1]) for part in parts)
    return re.fullmatch(whole, text, re.DOTALL) is not None
