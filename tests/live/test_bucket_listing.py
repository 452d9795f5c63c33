"""A bucket is listed side by side: figures are exact, faults or not, and memory is bounded."""

import gc
import os
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import boto3
import pytest
from botocore.config import Config

from benchmarks.synthetic_bucket import BUCKET, Stored, synthetic_objects
from epochwise.live import bucket_listing
from epochwise.live.bucket_listing import listed
from epochwise.live.failure import AwsError, NotAllowedError, NotFoundError
from epochwise.sizing.measurement import Measurement, Method
from epochwise.workload.s3_address import S3Address, s3_folder
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import aws_variables, local_aws
from tests.live.synthetic import truth, truth_measured, truth_of
from tests.sizing.test_object_tally import DAY

KEYS = 100_000
MILLION = 1_000_000
PASSING = (Fault.FAULT, Fault.THROTTLED, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.CUT_WITHIN, Fault.DELAY)


@pytest.fixture(scope="module")
def synthetic() -> Iterator[str]:
    """Serve a bucket of a hundred thousand keys."""
    with local_aws("benchmarks.synthetic_bucket", "-n", str(KEYS)) as address:
        yield address


@pytest.fixture
def led(synthetic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lead boto3 of this process to the synthetic bucket."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in aws_variables(synthetic, tmp_path).items():
        monkeypatch.setenv(name, value)
    # who waits before a call is repeated is botocore, and nothing else is tested by it
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    return synthetic


def measured(uri: str) -> Measurement:
    """List an address."""
    return listed(s3_folder(uri)).measurement(uri, Method.LISTING, DAY)


def measured_or_why_not(uri: str) -> Measurement | str:
    """List an address, or return the sentence with which that ends."""
    try:
        return measured(uri)
    except AwsError as error:
        return str(error)


@pytest.mark.usefixtures("led")
@pytest.mark.parametrize(
    "prefix", ["", "data/", "data/flat/", "data/folders/", "data/odd/", "data/odd/3/", "data/folders/class-000002/"]
)
def test_every_key_is_counted_once(prefix: str) -> None:
    assert truth_measured(measured(f"s3://{BUCKET}/{prefix}")) == truth(KEYS, prefix)


@pytest.mark.usefixtures("led")
def test_a_million_keys_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    with local_aws("benchmarks.synthetic_bucket", "-n", str(MILLION)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        assert truth_measured(measured(f"s3://{BUCKET}/data/")) == truth(MILLION, "data/")


@pytest.mark.usefixtures("led")
@pytest.mark.parametrize("workers", [1, 3, 40])
def test_figures_do_not_depend_on_how_many_list(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_listing, "WORKERS", workers)
    assert truth_measured(measured(f"s3://{BUCKET}/data/odd/")) == truth(KEYS, "data/odd/")


@pytest.mark.usefixtures("led")
def test_progress_goes_up_to_the_end() -> None:
    seen: list[tuple[int, float]] = []
    listed(s3_folder(f"s3://{BUCKET}/data/flat/"), progress=lambda objects, share: seen.append((objects, share)))
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    assert seen[-1][0] <= truth(KEYS, "data/flat/").objects


@pytest.mark.parametrize("seed", range(15))
def test_faults_change_no_figure_and_end_in_one_sentence(seed: int, led: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = ["data/folders/class-000011/", "data/odd/5/", "data/odd/2/"][seed % 3]
    faults = Faults(at_random(seed, 0.25, PASSING))
    with fault_proxy(led, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        found = measured_or_why_not(f"s3://{BUCKET}/{prefix}")
    if isinstance(found, str):
        assert "\n" not in found
    else:
        assert truth_measured(found) == truth(KEYS, prefix)


def test_a_missing_permission_ends_the_listing_for_all(led: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = Faults(lambda _: Fault.DENIED if len(faults.struck) > 12 else Fault.NONE)
    with fault_proxy(led, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(NotAllowedError, match="s3:ListBucket"):
            measured(f"s3://{BUCKET}/data/")
    assert len(faults.struck) < 12 + 2 * bucket_listing.WORKERS


@pytest.mark.usefixtures("led")
def test_a_bucket_that_is_not_there_is_told() -> None:
    with pytest.raises(NotFoundError, match="NoSuchBucket"):
        measured("s3://absent-bucket/")


@pytest.mark.usefixtures("led")
def test_no_key_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_listing, "WORKERS", 1)
    held: list[int] = []

    def look(_objects: int, _share: float) -> None:
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        held.append(tracemalloc.get_traced_memory()[0])

    # so that nothing is kept by what holds each other either
    gc.disable()
    try:
        listed(s3_folder(f"s3://{BUCKET}/data/odd/"), progress=look)
    finally:
        gc.enable()
        tracemalloc.stop()
    keys = [each.key for each in synthetic_objects(KEYS) if each.key.startswith("data/odd/")]
    assert len(held) > 20
    assert held[-1] - held[2] < sum(map(sys.getsizeof, keys)) / 10


def test_a_directory_bucket_is_listed_in_turn(led: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_listing, "DIRECTORY_BUCKET_SUFFIX", "thetic")
    faults = Faults(lambda _: Fault.NONE)
    with fault_proxy(led, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        found = listed(S3Address(BUCKET, "data/odd/3/"))
    assert truth_measured(found.measurement("s3://x/", Method.LISTING, DAY)) == truth(KEYS, "data/odd/3/")
    assert not [call for call, _ in faults.struck if "start-after" in call]


@pytest.mark.usefixtures("here")
def test_moto_is_counted_as_well() -> None:
    s3 = boto3.client("s3", config=Config(s3={"addressing_style": "path"}))
    s3.create_bucket(Bucket="measured")
    stored = [Stored("data/", 0), Stored("data/a b+%.jpg", 5, "GLACIER"), Stored("data/ü", 1025), Stored("other", 7)]
    for each in stored:
        s3.put_object(Bucket="measured", Key=each.key, Body=b"x" * each.size, StorageClass=each.storage_class)
    found = measured("s3://measured/data")
    assert found.storage_classes["GLACIER"] == (1, 5)
    wanted = [each._replace(storage_class="DEEP_ARCHIVE") if each.size == 5 else each for each in stored[:3]]
    assert truth_measured(found) == truth_of(wanted)
