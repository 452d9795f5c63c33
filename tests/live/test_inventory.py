"""An S3 Inventory report is counted line by line: each object once, whatever versions it has."""

import gzip
import json
from datetime import date
from hashlib import md5
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import boto3
import pytest
from botocore.config import Config

from benchmarks.synthetic_bucket import Stored, synthetic_objects
from epochwise.live.failure import AwsError, NotFoundError, UnwellError
from epochwise.live.inventory import inventoried
from epochwise.sizing.inventory_report import UnusableInventoryError
from epochwise.sizing.measurement import Measurement
from epochwise.workload.s3_address import S3Address
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.synthetic import truth_measured, truth_of

BUCKET = "reports"
SOURCE = S3Address("training", "data/")
AT = S3Address(BUCKET, "training/weekly/2026-10-04T01-00Z/manifest.json")
SCHEMA = "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, StorageClass"
MANIFEST: dict[str, Any] = {
    "sourceBucket": "training",
    "destinationBucket": f"arn:aws:s3:::{BUCKET}",
    "version": "2016-11-30",
    # 2026-10-04, 01:00
    "creationTimestamp": "1791075600000",
    "fileFormat": "CSV",
    "fileSchema": SCHEMA,
    "files": [],
}

pytestmark = pytest.mark.usefixtures("here")


def line(
    key: str, size: int | str, storage_class: str = "STANDARD", latest: str = "true", marker: str = "false"
) -> str:
    """Return a line as S3 writes it; the key is encoded already."""
    fields = ["training", key, "v1", latest, marker, str(size), "2026-10-01T00:00:00.000Z", storage_class]
    return ",".join(f'"{field}"' for field in fields) + "\n"


@pytest.fixture
def s3(here: None) -> Any:
    """Return a client of the bucket of reports."""
    client = boto3.client("s3", config=Config(s3={"addressing_style": "path"}))
    client.create_bucket(Bucket=BUCKET)
    return client


def report(s3: Any, *files: str, packed: bytes | None = None, **changes: Any) -> None:
    """Store a report."""
    entries = []
    for place, text in enumerate(files):
        content = gzip.compress(text.encode()) if packed is None else packed
        key = f"training/weekly/data/{place}.csv.gz"
        s3.put_object(Bucket=BUCKET, Key=key, Body=content)
        entries.append(
            {"key": key, "size": len(content), "MD5checksum": md5(content, usedforsecurity=False).hexdigest()}
        )
    s3.put_object(Bucket=BUCKET, Key=AT.prefix, Body=json.dumps(MANIFEST | {"files": entries} | changes).encode())


def counted(address: S3Address = SOURCE) -> Measurement:
    return inventoried(address, AT)


def counted_or_why_not() -> Measurement | str:
    """Count the report, or return the sentence with which that ends."""
    try:
        return counted()
    except AwsError as error:
        return str(error)


def test_each_object_is_counted_once_in_all_files(s3: Any) -> None:
    stored = [*synthetic_objects(5000), Stored("other/x", 7), Stored("data", 9)]
    lines = [line(quote(each.key), each.size, each.storage_class) for each in stored]
    report(s3, "".join(lines[:3000]), "".join(lines[3000:]), "")
    found = counted()
    assert truth_measured(found) == truth_of(stored[:5000])
    assert (found.source, found.measured_on) == ("s3://training/data/", date(2026, 10, 4))
    assert counted(S3Address("training", "")).objects == 5002


def test_older_versions_and_delete_markers_are_not_counted(s3: Any) -> None:
    report(
        s3,
        line("data/a", 5)
        + line("data/a", 3, latest="false")
        + line("data/gone", "", latest="true", marker="true")
        + line("data/gone", 100, latest="false"),
    )
    assert (counted().objects, counted().size_bytes) == (1, 5)


def test_a_report_of_current_versions_has_no_such_columns(s3: Any) -> None:
    report(s3, '"training","data/a%2Bb+c","5"\n"training","data/d/","0"\n', fileSchema="Bucket, Key, Size")
    found = counted()
    assert (found.files, found.folder_markers, found.size_bytes) == (1, 1, 5)
    assert [*found.storage_classes] == ["unknown"]


def test_archive_tiers_are_archived(s3: Any) -> None:
    rows = [
        ("data/a", "5", "INTELLIGENT_TIERING", "ARCHIVE"),
        ("data/b", "7", "INTELLIGENT_TIERING", "FREQUENT"),
        ("data/c", "1", "GLACIER", ""),
    ]
    report(
        s3,
        "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows),
        fileSchema="Key, Size, StorageClass, IntelligentTieringAccessTier",
    )
    found = counted()
    assert found.archived == {"GLACIER": (1, 1), "INTELLIGENT_TIERING ARCHIVE": (1, 5)}
    [finding] = found.findings()
    assert (finding.id, finding.message.split(" are")[0]) == ("ARCHIVED_OBJECTS_COUNTED", "2 objects with 6 B")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"fileFormat": "Parquet"}, "is a report in Parquet, which is not read; set the inventory's format to CSV"),
        ({"fileFormat": "ORC"}, "is a report in ORC"),
        ({"fileSchema": "Bucket, Key"}, "lacks the column Size, has Bucket, Key; add it to the inventory's optional"),
        ({"sourceBucket": "another"}, "is of the bucket another, not of training"),
        ({"files": None}, "is no manifest of an S3 Inventory report; give the manifest.json of one report"),
        ({"creationTimestamp": "soon"}, "is no manifest"),
        ({"files": []}, "names no files, so that there is nothing to count"),
        ({"files": [{"key": "data/0.csv.gz", "size": -1}]}, "is no manifest"),
        ({"files": [{"key": "data/0.csv.gz", "size": "²"}]}, "is no manifest"),
    ],
)
def test_a_report_that_is_not_read_is_refused_with_what_to_do(s3: Any, changes: dict[str, Any], said: str) -> None:
    report(s3, line("data/a", 5), **changes)
    with pytest.raises(UnusableInventoryError) as caught:
        counted()
    assert said in str(caught.value)
    assert str(caught.value).startswith(AT.uri)


@pytest.mark.parametrize("content", [b"", b"[1]", b"not json", b"\xff\xfe", b'{"files":' + b"[" * 100_000], ids=len)
def test_what_is_no_manifest_is_refused(s3: Any, content: bytes) -> None:
    s3.put_object(Bucket=BUCKET, Key=AT.prefix, Body=content)
    with pytest.raises(UnusableInventoryError, match="is no manifest"):
        counted()


@pytest.mark.parametrize(
    "text",
    [
        line("data/a", 5) + '"training","data/b"\n',
        *(line("data/a", size) for size in ("many", "-5", "+5", "²", "٥", "1_000", " 5", "")),
    ],
)
def test_a_line_that_is_not_as_the_manifest_says_is_told_with_its_place(s3: Any, text: str) -> None:
    report(s3, text)
    with pytest.raises(UnusableInventoryError, match=r"0\.csv\.gz has a line [12] that is not as the manifest says"):
        counted()


@pytest.mark.parametrize(
    "packed",
    [b"no gzip at all", gzip.compress(line("data/a", 5).encode())[:-9], gzip.compress(b"\xff\xfe,")],
    ids=["no gzip", "cut", "no text"],
)
def test_a_damaged_file_is_told(s3: Any, packed: bytes) -> None:
    report(s3, "", packed=packed)
    with pytest.raises(UnwellError, match="is damaged, or broke off"):
        counted()


def test_a_file_that_is_another_than_the_manifest_says_is_told(s3: Any) -> None:
    report(s3, line("data/a", 5))
    s3.put_object(Bucket=BUCKET, Key="training/weekly/data/0.csv.gz", Body=gzip.compress(line("data/b", 6).encode()))
    with pytest.raises(UnwellError, match="its MD5 differs"):
        counted()


def test_a_file_of_the_report_that_is_not_there_is_named(s3: Any) -> None:
    report(s3, line("data/a", 5))
    s3.delete_object(Bucket=BUCKET, Key="training/weekly/data/0.csv.gz")
    with pytest.raises(NotFoundError, match=r"data/0\.csv\.gz, which the manifest names, is not there: "):
        counted()


def test_a_manifest_that_is_not_there_is_told(s3: Any) -> None:
    s3.delete_object(Bucket=BUCKET, Key=AT.prefix)
    with pytest.raises(NotFoundError):
        counted()


@pytest.mark.parametrize("seed", range(12))
def test_faults_change_no_figure(seed: int, s3: Any, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    stored = [*synthetic_objects(3000)]
    lines = [line(each.key.replace("%", "%25").replace("+", "%2B"), each.size, each.storage_class) for each in stored]
    report(s3, *("".join(lines[start : start + 600]) for start in range(0, 3000, 600)))
    passing = (Fault.FAULT, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.CUT_WITHIN, Fault.DELAY)
    with fault_proxy(endpoint, Faults(at_random(seed, 0.3, passing))) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        found = counted_or_why_not()
    if isinstance(found, str):
        assert "\n" not in found
    else:
        assert truth_measured(found) == truth_of(stored)
