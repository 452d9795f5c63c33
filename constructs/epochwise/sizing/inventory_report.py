"""An S3 Inventory report: what its manifest says, and what its lines count for.

Source: S3 User Guide, storage-inventory and storage-inventory-location: keys are URL-encoded in CSV, the columns stand
in the manifest, and a report of all versions marks the latest ones and the delete markers.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any
from urllib.parse import unquote_plus

from epochwise.catalog.s3_storage import ARCHIVED_CLASSES, INTELLIGENT_TIERING
from epochwise.sizing.object_tally import ObjectTally

_ROWS_AT_ONCE = 1000


class UnusableInventoryError(ValueError):
    """A report that cannot be counted: why, and what to do."""


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One file of a report."""

    key: str
    md5: str
    """Of its content, in hexadecimal; empty where the manifest has none."""
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a report says of itself."""

    source_bucket: str
    columns: tuple[str, ...]
    files: tuple[ReportFile, ...]
    created_on: date
    """The day on which its making began."""


def manifest_of(document: Any) -> Manifest:
    """Read a parsed manifest.json.

    Raises:
        UnusableInventoryError: it is none, or its report is in a form that cannot be counted.
    """
    try:
        form = str(document["fileFormat"])
        columns = tuple(column.strip() for column in document["fileSchema"].split(","))
        created = datetime.fromtimestamp(int(document["creationTimestamp"]) / 1000, tz=UTC)
        files = tuple(
            ReportFile(str(each["key"]), str(each.get("MD5checksum", "")), whole_number(str(each.get("size", 0))))
            for each in document["files"]
        )
        source = str(document["sourceBucket"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError, RecursionError):
        raise UnusableInventoryError(
            "is no manifest of an S3 Inventory report; give the manifest.json of one report"
        ) from None
    if not files:
        raise UnusableInventoryError(
            "names no files, so that there is nothing to count; give the manifest.json of another report"
        )
    if form != "CSV":
        raise UnusableInventoryError(
            f"is a report in {form[:20]}, which is not read; set the inventory's format to CSV, or list the bucket"
        )
    lacking = [column for column in ("Key", "Size") if column not in columns]
    if lacking:
        raise UnusableInventoryError(
            f"lacks the column {lacking[0]}, has {', '.join(columns)}; add it to the inventory's optional fields"
        )
    return Manifest(source, columns, files, created.date())


def count_rows(lines: Iterable[str], manifest: Manifest, prefix: str, tally: ObjectTally) -> None:
    """Count the objects in the lines of a report whose key has a prefix, each once, whatever versions it has.

    Raises:
        UnusableInventoryError: a line is not as the manifest says.
    """
    counted = _counted(lines, manifest, prefix)
    while rows := [*islice(counted, _ROWS_AT_ONCE)]:
        keys, sizes, classes = zip(*rows, strict=True)
        tally.add(keys, sizes, classes)


def _counted(lines: Iterable[str], manifest: Manifest, prefix: str) -> Iterator[tuple[str, int, str]]:
    """Yield key, size and storage class of each object that counts."""
    place = {column: number for number, column in enumerate(manifest.columns)}
    key_at, size_at = place["Key"], place["Size"]
    latest_at, marker_at = place.get("IsLatest"), place.get("IsDeleteMarker")
    class_at, tier_at = place.get("StorageClass"), place.get("IntelligentTieringAccessTier")
    rows = csv.reader(lines)
    try:
        for row in rows:
            if latest_at is not None and row[latest_at].lower() == "false":
                continue
            if marker_at is not None and row[marker_at].lower() == "true":
                continue
            key = unquote_plus(row[key_at])
            if key.startswith(prefix):
                name = row[class_at] if class_at is not None else "unknown"
                tier = row[tier_at] if tier_at is not None else ""
                yield key, whole_number(row[size_at]), _storage_class(name, tier)
    except UnicodeDecodeError:
        raise
    except (IndexError, ValueError, csv.Error):
        raise UnusableInventoryError(f"has a line {rows.line_num} that is not as the manifest says") from None


def whole_number(text: str) -> int:
    """Read a number of bytes as S3 writes it: decimal digits, and nothing else.

    Raises:
        ValueError: it is none.

    >>> whole_number("1024")
    1024
    >>> whole_number("-1")
    Traceback (most recent call last):
        ...
    ValueError: must be a number of bytes, got '-1'
    """
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"must be a number of bytes, got {text[:40]!r}")
    return int(text)


def _storage_class(name: str, tier: str) -> str:
    """Name a storage class, with the access tier where that is an archive.

    >>> _storage_class("INTELLIGENT_TIERING", "DEEP_ARCHIVE"), _storage_class("INTELLIGENT_TIERING", "FREQUENT")
    ('INTELLIGENT_TIERING DEEP_ARCHIVE', 'INTELLIGENT_TIERING')
    """
    whole = f"{name} {tier}"
    return whole if name == INTELLIGENT_TIERING and whole in ARCHIVED_CLASSES else name
