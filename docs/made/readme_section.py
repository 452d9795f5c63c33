"""Sections of the README, which has tests of its own, shown on the site instead of written twice."""

import re

from docs.made.command_line import ROOT


def readme_section(heading: str) -> str:
    """Return what stands below a heading of the README.

    Raises:
        KeyError: the README has no such heading.
    """
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if heading not in sections:
        raise KeyError(f"README.md has no section {heading!r}; it has {', '.join(sections)}")
    return sections[heading].strip()
