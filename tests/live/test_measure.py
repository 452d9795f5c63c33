"""`epochwise measure` as a process: what it prints and what it writes."""

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.synthetic_bucket import BUCKET
from epochwise.workload import Workload
from tests.live.local_aws import assert_one_sentence, aws_variables, epochwise_live, local_aws, started_live
from tests.live.measured_bucket import FLAT, KEYS, WORKLOAD
from tests.live.synthetic import truth


def test_a_prefix_is_told(led_to_bucket: dict[str, str]) -> None:
    done = epochwise_live("measure", f"s3://{BUCKET}/data", variables=led_to_bucket)
    known = truth(KEYS, "data/")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"s3://{BUCKET}/data/: {known.objects - known.folder_markers} files, ")
    assert f"{known.objects}: {known.objects - known.folder_markers} files and 2 folder markers" in done.stdout
    assert f"bytes       {known.size_bytes}\n" in done.stdout
    assert "of the bytes: below 1 MiB, about what FSx" in done.stdout
    assert "measured    2026-10-09, every key listed" in done.stdout
    assert "warning ARCHIVED_OBJECTS_COUNTED: 6 objects with" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_is_exact(led_to_bucket: dict[str, str]) -> None:
    done = epochwise_live("measure", FLAT, "--json", variables=led_to_bucket)
    known = truth(KEYS, "data/flat/")
    told: dict[str, Any] = json.loads(done.stdout)
    assert (told["source"], told["method"], told["measured_on"], told["written"]) == (
        FLAT,
        "listing",
        "2026-10-09",
        None,
    )
    assert (told["objects"], told["size_bytes"]) == (known.objects, known.size_bytes)
    assert sum(each["files"] for each in told["sizes"]["ranges"]) == told["files"]


def test_the_measurement_goes_into_the_file_and_nothing_else_changes(
    led_to_bucket: dict[str, str], workload_file: Path
) -> None:
    done = epochwise_live("measure", FLAT, "--write", workload_file, variables=led_to_bucket)
    known = truth(KEYS, "data/flat/")
    assert done.returncode == 0, done.stderr
    assert f"dataset.measured_onin{workload_file}" in "".join(done.stdout.split())
    assert workload_file.read_text() == WORKLOAD.replace(
        "  size: 1 GB  # to be measured\n",
        f"  size: {known.size_bytes} # to be measured\n  files: {known.objects}\n  source: {FLAT}\n"
        "  measured_on: 2026-10-09\n",
    )
    assert Workload.from_file(workload_file).dataset.files == known.objects
    assert sorted(path.name for path in workload_file.parent.iterdir()) == [workload_file.name]
    planned = epochwise_live("plan", workload_file, variables={"SOURCE_DATE_EPOCH": "1794225600"})
    assert "MEASUREMENT_OLD: dataset.measured_on is 2026-10-09, 31 days ago" in " ".join(planned.stdout.split())


def test_measuring_again_changes_nothing(led_to_bucket: dict[str, str], workload_file: Path) -> None:
    epochwise_live("measure", FLAT, "--write", workload_file, variables=led_to_bucket)
    first = workload_file.read_text()
    epochwise_live("measure", FLAT, "--write", workload_file, variables=led_to_bucket)
    assert workload_file.read_text() == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((f"s3://{BUCKET}/data/none/",), "holds no objects; look at the prefix"),
        (("s3://absent-bucket/",), "s3://absent-bucket/: ListObjectsV2 finds nothing of that name"),
        (("bucket/prefix",), "S3_URI must be an address such as s3://bucket/prefix/, got 'bucket/prefix'"),
        ((FLAT, "--inventory", "manifest.json"), "--inventory must be an address such as"),
        ((FLAT, "--inventory", "s3://reports/x/"), "--inventory must be the address of a report's manifest.json"),
        ((FLAT, "--estimate"), f"no prefix, got {FLAT}; estimate s3://{BUCKET}/, give an S3 Inventory"),
        ((FLAT, "--write", "absent.yaml"), "absent.yaml: cannot be read: No such file or directory"),
        ((FLAT, "--write", "README.md"), "README.md: "),
        ((FLAT, "--write", "package.json"), "package.json: "),
    ],
)
def test_a_call_that_cannot_be_answered_is_refused(
    arguments: tuple[str, ...], said: str, led_to_bucket: dict[str, str]
) -> None:
    done = epochwise_live("measure", *arguments, variables=led_to_bucket)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_sees_progress_and_a_pipe_does_not(led_to_bucket: dict[str, str]) -> None:
    mine, theirs = pty.openpty()
    led = led_to_bucket | {"TERM": "xterm-256color", "COLUMNS": "80"}
    running = started_live("measure", FLAT, "--json", variables=led, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    output, _ = running.communicate(timeout=60)
    shown = os.read(mine, 1 << 20).decode()
    os.close(mine)
    assert json.loads(output)["objects"] == truth(KEYS, "data/flat/").objects
    assert "objects" in shown
    assert FLAT[:20] in shown


def test_an_inventory_and_metrics_are_measured_too(tmp_path: Path, workload_file: Path) -> None:
    import gzip
    from datetime import UTC, datetime

    import boto3
    from botocore.config import Config

    with local_aws() as address:
        led = aws_variables(address, tmp_path)
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        s3 = session.client("s3", endpoint_url=address, config=Config(s3={"addressing_style": "path"}))
        s3.create_bucket(Bucket="reports")
        s3.put_object(Bucket="reports", Key="0.csv.gz", Body=gzip.compress(b'"data/a","5"\n"data/b","6"\n"x","7"\n'))
        manifest = {
            "sourceBucket": "training",
            "fileFormat": "CSV",
            "fileSchema": "Key, Size",
            "creationTimestamp": "1791075600000",
            "files": [{"key": "0.csv.gz"}],
        }
        s3.put_object(Bucket="reports", Key="manifest.json", Body=json.dumps(manifest).encode())
        at = ("--inventory", "s3://reports/manifest.json")
        told = json.loads(epochwise_live("measure", "s3://training/data/", *at, "--json", variables=led).stdout)
        assert (told["method"], told["files"], told["size_bytes"]) == ("inventory", 2, 11)
        assert told["measured_on"] == "2026-10-04"
        s3.put_object(Bucket="reports", Key="manifest.json", Body=json.dumps(manifest | {"fileFormat": "ORC"}).encode())
        done = epochwise_live("measure", "s3://training/data/", *at, variables=led)
        assert "set the inventory's format to CSV" in assert_one_sentence(done)
        cloudwatch = session.client("cloudwatch", endpoint_url=address)
        for metric, storage_type, value in (
            ("BucketSizeBytes", "StandardStorage", 123e9),
            ("NumberOfObjects", "AllStorageTypes", 42),
        ):
            dimensions = [{"Name": "BucketName", "Value": "training"}, {"Name": "StorageType", "Value": storage_type}]
            data = {
                "MetricName": metric,
                "Dimensions": dimensions,
                "Value": value,
                "Timestamp": datetime(2026, 10, 8, tzinfo=UTC),
            }
            cloudwatch.put_metric_data(Namespace="AWS/S3", MetricData=[data])
        done = epochwise_live("measure", "s3://training", "--estimate", "--write", workload_file, variables=led)
        assert done.returncode == 0, done.stderr
        assert "info ESTIMATE_COUNTS_VERSIONS: estimated from the bucket's daily metrics" in done.stdout
        assert yaml.safe_load(workload_file.read_text())["dataset"]["files"] == 42
        done = epochwise_live("measure", "s3://other", "--estimate", variables=led)
        assert "CloudWatch has no daily metrics of the bucket other" in assert_one_sentence(done)


def test_help_says_what_it_does(led_to_bucket: dict[str, str]) -> None:
    done = epochwise_live("measure", "--help", variables=led_to_bucket)
    assert done.returncode == 0
    for option in ("--write", "--estimate", "--inventory", "--region", "--json"):
        assert option in done.stdout
