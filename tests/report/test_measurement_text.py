"""What a measurement says, in words."""

from datetime import date

from epochwise.report.measurement_text import measurement_content
from epochwise.report.plain_text import plain_text
from epochwise.sizing.measurement import Held, Measurement, Method
from epochwise.sizing.object_tally import ObjectTally

DAY = date(2026, 10, 9)
WHOLE = """\
s3://bucket/x/: 4 files, 4.2 MB

  objects     5: 4 files and 1 folder marker: zero bytes, and a name that ends
              in /
  bytes       4195304
  a file      0 B to 3.15 MB, 1.05 MB in the mean
  small       50.0% of the files, <0.1% of the bytes: below 1 MiB, about what
              FSx reads for each file open that it allows at its fastest, so
              that opens bind before MB/s
  kept in     STANDARD 4.2 MB
  measured    2026-10-09, every key listed
  written     dataset.size, dataset.files, dataset.source, dataset.measured_on
              in w.yaml

sizes                   files  share    bytes  share
  empty                     1  25.0%      0 B   0.0%
  512 B to below 1 KiB      1  25.0%     1 kB  <0.1%
  1 MiB to below 2 MiB      1  25.0%  1.05 MB  25.0%
  2 MiB to below 4 MiB      1  25.0%  3.15 MB  75.0%
"""


def listed(*sizes: int, marker: bool = False) -> Measurement:
    """Return a measurement of objects of these sizes."""
    tally = ObjectTally()
    tally.add(["a"] * len(sizes), sizes, ["STANDARD"] * len(sizes))
    if marker:
        tally.add(["folder/"], [0], ["STANDARD"])
    return tally.measurement("s3://bucket/x/", Method.LISTING, DAY)


def text(measured: Measurement, written: str | None = None) -> str:
    return plain_text(measurement_content(measured, written))


def test_a_listing_says_everything() -> None:
    assert text(listed(0, 1000, 2**20, 3 * 2**20, marker=True), "w.yaml") == WHOLE


def test_totals_say_no_more_than_they_know() -> None:
    held = {"StandardStorage": Held(None, 10**9), "GlacierStorage": Held(None, 10**6)}
    said = text(Measurement("s3://bucket/", Method.METRICS, DAY, 42, 0, 10**9 + 10**6, None, held))
    assert "sizes" not in said.splitlines()
    assert "in the mean" not in said
    assert "kept in     GlacierStorage 1 MB, StandardStorage 1 GB" in said
    assert "measured    2026-10-09, the bucket's daily metrics in CloudWatch read" in said
    assert "warning ARCHIVED_OBJECTS_COUNTED: 1 MB are archived (GlacierStorage)" in said
    assert "info ESTIMATE_COUNTS_VERSIONS" in said


def test_one_file_is_one_file() -> None:
    assert text(listed(5)).startswith("s3://bucket/x/: 1 file, 5 B\n\n  objects     1: 1 file\n")
