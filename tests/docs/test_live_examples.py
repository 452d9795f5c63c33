"""What the README shows of commands that ask AWS is what they print for such an answer."""

import re
from datetime import date
from pathlib import Path

from epochwise.report.measurement_text import measurement_content
from epochwise.report.plain_text import plain_text
from epochwise.sizing.measurement import Held, Measurement, Method
from epochwise.sizing.size_distribution import SizeDistribution, SizeRange

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
SIZES = SizeDistribution(
    (
        SizeRange(1 << 15, 1 << 16, 214_112, 10_702_211_904),
        SizeRange(1 << 16, 1 << 17, 431_004, 42_093_870_112),
        SizeRange(1 << 17, 1 << 18, 205_871, 37_184_302_080),
        SizeRange(1 << 18, 1 << 19, 30_102, 9_592_417_344),
        SizeRange(1 << 20, 1 << 21, 298, 427_198_560),
    ),
    smallest_bytes=33_114,
    largest_bytes=1_903_276,
)
EXAMPLE = Measurement(
    source="s3://example-training-data/guide/",
    method=Method.LISTING,
    measured_on=date(2026, 10, 9),
    objects=SIZES.files + 1000,
    folder_markers=1000,
    size_bytes=SIZES.size_bytes,
    sizes=SIZES,
    storage_classes={"STANDARD": Held(SIZES.files + 1000, SIZES.size_bytes)},
)


def test_the_measurement_in_the_readme_is_what_is_printed() -> None:
    [shown] = re.findall(r"^```text\n\$ epochwise measure [^\n]*\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    assert shown == plain_text(measurement_content(EXAMPLE, "workloads/guide.yaml"))
