"""A measurement as it is read: what a bucket holds, and how large its files are."""

from collections.abc import Iterator

from epochwise.declaration.quantity_text import counted_text, size_text
from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Row, Table, Tone, content
from epochwise.sizing.measurement import Measurement, Method
from epochwise.sizing.size_distribution import SMALL_FILE_BYTES, SizeDistribution, SizeRange

_BINARY = ["B", "KiB", "MiB", "GiB", "TiB"]
_METHODS = {
    Method.LISTING: "every key listed",
    Method.INVENTORY: "every line of an S3 Inventory report read",
    Method.METRICS: "the bucket's daily metrics in CloudWatch read",
}


def measurement_content(measured: Measurement, written: str | None = None) -> Content:
    """Return what a measurement says, and into which workload file it was put."""
    return content(
        measured.source,
        f"{counted_text(measured.files, 'file')}, {size_text(measured.size_bytes)}",
        Facts((*_facts(measured), *_written(measured, written))),
        Table("sizes", ("", "files", "share", "bytes", "share"), tuple(_rows(measured))),
        Remarks(
            "findings",
            tuple(
                Remark(finding.id, f"{finding.message}; {finding.fix}", Tone(str(finding.level)))
                for finding in measured.findings()
            ),
        ),
    )


def _facts(measured: Measurement) -> Iterator[Fact]:
    """Yield the facts of a measurement."""
    markers = measured.folder_markers
    apart = f" and {counted_text(markers, 'folder marker')}: zero bytes, and a name that ends in /" if markers else ""
    yield Fact("objects", f"{measured.objects}: {counted_text(measured.files, 'file')}{apart}")
    yield Fact("bytes", f"{measured.size_bytes}")
    if measured.sizes is not None:
        sizes = measured.sizes
        yield Fact(
            "a file",
            f"{size_text(sizes.smallest_bytes)} to {size_text(sizes.largest_bytes)}, {size_text(sizes.mean_bytes)} in "
            "the mean",
        )
        yield Fact("small", small_text(sizes))
    classes = ", ".join(
        f"{name} {size_text(held.size_bytes)}" for name, held in sorted(measured.storage_classes.items())
    )
    if classes:
        yield Fact("kept in", classes)
    yield Fact("measured", f"{measured.measured_on}, {_METHODS[measured.method]}")


def _written(measured: Measurement, written: str | None) -> Iterator[Fact]:
    """Yield what was put into a workload file."""
    if written is not None:
        yield Fact("written", f"{', '.join(measured.declared())} in {written}")


def small_text(sizes: SizeDistribution) -> str:
    """Say how many files are small, what that means and why."""
    files, held = sizes.small
    return (
        f"{_share(files, sizes.files)} of the files, {_share(held, sizes.size_bytes)} of the bytes: below "
        f"{binary_text(SMALL_FILE_BYTES)}, about what FSx reads for each file open that it allows at its fastest, so "
        "that opens bind before MB/s"
    )


def _rows(measured: Measurement) -> Iterator[Row]:
    """Yield a line for each power of two that holds files."""
    if measured.sizes is None:
        return
    for each in measured.sizes.ranges:
        shares = _share(each.files, measured.sizes.files), _share(each.size_bytes, measured.sizes.size_bytes)
        yield Row((_range_text(each), str(each.files), shares[0], size_text(each.size_bytes), shares[1]))


def _range_text(each: SizeRange) -> str:
    """Say which sizes a range holds."""
    return f"{binary_text(each.from_bytes)} to below {binary_text(each.below_bytes)}" if each.from_bytes else "empty"


def binary_text(size_bytes: int) -> str:
    """Render a power of two.

    >>> binary_text(512), binary_text(1 << 20), binary_text(1 << 49)
    ('512 B', '1 MiB', '512 TiB')
    """
    unit = 0
    while size_bytes >= 1024 and unit < len(_BINARY) - 1:
        size_bytes //= 1024
        unit += 1
    return f"{size_bytes} {_BINARY[unit]}"


def _share(part: int, whole: int) -> str:
    """Render a share in per cent, with a decimal; nothing and everything are only what they say.

    >>> _share(1, 3), _share(0, 0), _share(1, 10_000), _share(9_999, 10_000)
    ('33.3%', '0.0%', '<0.1%', '>99.9%')
    """
    share = part / whole if whole else 0.0
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{share:.1%}"
