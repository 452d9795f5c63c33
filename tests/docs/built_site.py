"""The built documentation site, page by page: its text, its anchors and what it refers to."""

import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

_LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}


@dataclass
class SitePage:
    """What a test asks of one page."""

    text: str = ""
    """All words, each space single."""
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    """Where a reader can go."""
    loads: list[str] = field(default_factory=list)
    """What a browser fetches by itself."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = SitePage()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.page.anchors.add(value)
            if value and tag == "a" and name == "href":
                self.page.links.append(value)
            if value and _LOADING.get(tag) == name:
                self.page.loads.append(value)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@cache
def read_page(file: Path) -> SitePage:
    """Read one page."""
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    reader.page.text = spaced("".join(reader.words))
    return reader.page


def spaced(text: str) -> str:
    """Make each run of spaces one."""
    return " ".join(text.split())


def spoken(text: str) -> str:
    """Return prose as a page shows it: without the marks around code."""
    return spaced(re.sub(r"`([^`]*)`", r"\1", text))
