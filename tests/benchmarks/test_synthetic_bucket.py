"""The synthetic bucket answers as S3 does, as far as moto knows S3."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import boto3
import pytest
from botocore.config import Config

from benchmarks.synthetic_bucket import BUCKET, Listing, synthetic_objects
from tests.live.local_aws import REGION, local_aws

KEYS = 90
QUERIES: list[dict[str, Any]] = [
    {"Prefix": prefix, "Delimiter": delimiter, "MaxKeys": most}
    for prefix, delimiter, most in product(
        ["", "data/", "data/folders/", "data/odd/3/ü", "none/"], ["", "/"], [1, 7, 1000]
    )
]


def client(address: str) -> Any:
    """Return a client of a local S3."""
    session = boto3.Session("testing", "testing", region_name=REGION)
    return session.client("s3", endpoint_url=address, config=Config(s3={"addressing_style": "path"}))


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Any, Any]]:
    """Yield clients of the synthetic bucket and of moto, which hold the same."""
    with local_aws("benchmarks.synthetic_bucket", "-n", str(KEYS)) as synthetic, local_aws() as moto:
        stored = client(moto)
        stored.create_bucket(Bucket=BUCKET)
        for each in synthetic_objects(KEYS):
            # moto keeps what is put there, so that large objects are left small
            stored.put_object(Bucket=BUCKET, Key=each.key, Body=b"x" * min(each.size, 10))
        yield client(synthetic), stored


def pages(s3: Any, **query: Any) -> list[tuple[list[str], list[str], bool]]:
    """Return keys, common prefixes and whether there is more, page by page."""
    found = []
    token: dict[str, str] = {}
    while True:
        page = s3.list_objects_v2(Bucket=BUCKET, **(query | token))
        keys = [each["Key"] for each in page.get("Contents", [])]
        prefixes = [each["Prefix"] for each in page.get("CommonPrefixes", [])]
        found.append((keys, prefixes, page["IsTruncated"]))
        assert page["KeyCount"] == len(keys) + len(prefixes)
        if not page["IsTruncated"]:
            return found
        token = {"ContinuationToken": page["NextContinuationToken"]}


@pytest.mark.parametrize("query", QUERIES, ids=map(str, QUERIES))
def test_a_listing_is_answered_as_moto_answers_it(both: tuple[Any, Any], query: dict[str, Any]) -> None:
    synthetic, moto = both
    assert pages(synthetic, **query) == pages(moto, **query)


def test_a_listing_starts_after_any_text(both: tuple[Any, Any]) -> None:
    synthetic, moto = both
    dice = random.Random(5)
    keys = [each.key for each in synthetic_objects(KEYS)]
    for _ in range(25):
        key = dice.choice(keys)
        query = {"Prefix": "data/", "StartAfter": key[: dice.randrange(1, len(key) + 1)] + dice.choice(["", "0", "~"])}
        assert pages(synthetic, **query) == pages(moto, **query), query


def test_a_bucket_that_is_not_there_is_not_found(both: tuple[Any, Any]) -> None:
    with pytest.raises(both[0].exceptions.NoSuchBucket):
        both[0].list_objects_v2(Bucket="absent")


def test_what_it_holds_follows_from_the_number_of_keys() -> None:
    stored = [*synthetic_objects(30_000)]
    assert len({each.key for each in stored}) == 30_000
    assert stored == [*synthetic_objects(30_000)]
    assert {each.storage_class for each in stored} == {"STANDARD", "DEEP_ARCHIVE"}
    assert min(each.size for each in stored) == 0
    assert max(each.size for each in stored) > 2**26
    assert sum(each.key.endswith("/") for each in stored) == 10
    page = Listing(iter(stored)).page(prefix="data/", delimiter="/", after="", token="", most=1000)
    assert page.common_prefixes == ["data/flat/", "data/folders/", "data/odd/"]
