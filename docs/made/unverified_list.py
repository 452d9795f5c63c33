"""What is assumed or unverified, collected from where it says so: catalog, checks and docstrings."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from docs.made.catalog_tables import every_price
from docs.made.command_line import ROOT
from docs.made.markdown import code, prose, table
from epochwise.catalog.data_file import load
from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM, update_rules
from epochwise.checks.registry import every_check

PACKAGE = ROOT / "constructs" / "epochwise"
_SAYS_SO = re.compile(
    r"\b(assum\w+|unverified|untried|as remembered|publish\w* (?:no|nothing|neither)\b)", re.IGNORECASE
)


def unverified_list() -> str:
    """Write the lists, by where it is said."""
    unsure = sum(not price.verified for price in every_price())
    parts = [
        "## Prices",
        f"{unsure} of {len(every_price())} prices were not read from AWS's own price list: see [Cost](cost.md).",
        "## Catalog",
        table(("data file", "where", "says"), _catalog()),
        "## Updates",
        "No deploy has shown what an update of these properties does; [Upgrading](upgrading.md) says what is taken.",
        table(("resource", "property"), _updates()),
        "## Checks",
        table(("check", "says"), _checks()),
        "## In the code",
        table(("module", "says"), _docstrings()),
    ]
    return "\n\n".join(parts)


def _catalog() -> Iterator[tuple[str, str, str]]:
    """Yield what the data files mark, but for prices and updates."""
    for file in sorted((PACKAGE / "catalog" / "data").glob("*.json")):
        if file.stem in {"prices", "replacement"}:
            continue
        for path, text in _marked(load(file.stem), ()):
            yield code(file.stem), code(".".join(part for part in path if part not in _MARKS) or "all"), prose(text)


_MARKS = {"meta", "assumed", "unverified", "status", "source"}
"""Keys that say nothing of what is meant."""


def _marked(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what stands below the keys `assumed` and `unverified`, and sentences that say so themselves."""
    match value:
        case {"status": str(status), "source": str(source)}:
            yield path, f"{status}; {source}"
        case dict():
            for key, inner in value.items():
                if key in {"assumed", "unverified"} and isinstance(inner, list):
                    yield (*path, key), "; ".join(map(str, inner))
                else:
                    yield from _marked(inner, (*path, str(key)))
        case list():
            # rules that are marked one by one are told by what marks them all
            for inner in value:
                if not (isinstance(inner, dict) and inner.get("verified") is False):
                    yield from _marked(inner, path)
        case str() if _SAYS_SO.search(value) and path[-1] != "unverified_source":
            yield path, value


def _updates() -> Iterator[tuple[str, str]]:
    """Yield the properties whose update no deploy has shown."""
    for kind in (FILE_SYSTEM, BUCKET_LINK):
        yield from ((code(kind), code(rule.name)) for rule in update_rules(kind).values() if rule.trust == "unverified")


def _checks() -> Iterator[tuple[str, str]]:
    """Yield the checks that say so in title, reason, source or message."""
    for check in every_check():
        said = [*_sentences(check.title), *_sentences(check.why), *_sentences(check.source), *check.messages]
        unsure = [text.rstrip(".") for text in said if _SAYS_SO.search(text)]
        if unsure:
            yield code(check.id), prose("; ".join(dict.fromkeys(unsure)))


def _docstrings() -> Iterator[tuple[str, str]]:
    """Yield sentences of docstrings outside the room of checks."""
    for file in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
        if name.startswith("checks."):
            continue
        texts = (
            node.value.value
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        # a sentence that only refers to a data file adds nothing to what the file says
        unsure = [
            sentence
            for text in texts
            for sentence in _sentences(text)
            if _SAYS_SO.search(sentence) and "`data/" not in sentence
        ]
        yield from ((code(name), prose(sentence)) for sentence in dict.fromkeys(unsure))


def _sentences(text: str) -> list[str]:
    """Split text into sentences.

    >>> _sentences("One thing. Another, such as a.b: so.")
    ['One thing.', 'Another, such as a.b: so.']
    """
    # an argument's description is a sentence of its own
    lines = re.split(r"\n\s*(?:Args|Returns|Raises):\n|\n\s+(?=\w+: )", text)
    return [part for line in lines for part in re.split(r"(?<=\.)\s+(?=[A-Z`])", " ".join(line.split())) if part]
