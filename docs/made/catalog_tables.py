"""Tables of what the catalog knows: prices, and what an update does to a file system."""

from docs.made.markdown import code, prose, table
from epochwise.catalog.data_file import load
from epochwise.catalog.prices import Price
from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM, Effect, update_rules

_EFFECTS = {
    Effect.REPLACES: "replaces it: **data is left behind**",
    Effect.FAILS: "can only fail",
    Effect.IN_PLACE: "in place",
}


def every_price() -> tuple[Price, ...]:
    """Return the prices that ship, in the catalog's order."""
    return tuple(Price(**row) for row in load("prices")["rows"])


def prices_table() -> str:
    """Write a table of all prices, each with its day and source."""
    rows = (
        (
            price.region,
            code(price.item),
            f"{price.usd:g}",
            price.unit,
            price.date,
            "yes" if price.verified else "no",
            prose(price.source),
        )
        for price in every_price()
    )
    return table(("Region", "item", "USD", "unit", "day", "verified", "source"), rows, right=[2])


def updates_table() -> str:
    """Write tables of what an update of each property does, for file systems and for their links."""
    parts = []
    for title, kind in (("A file system", FILE_SYSTEM), ("A link to S3", BUCKET_LINK)):
        rules = sorted(update_rules(kind).values(), key=lambda rule: list(Effect).index(rule.verdict))
        rows = (
            (
                code(rule.name),
                _EFFECTS[rule.verdict],
                prose(rule.note),
                f"{rule.trust}{'; sources disagree' if rule.disagreement else ''}",
            )
            for rule in rules
        )
        parts += [f"### {title}", code(kind), table(("property", "update", "note", "trust"), rows)]
    return "\n\n".join(parts)
