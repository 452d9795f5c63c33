"""Tests of the preflight share one moto server that is taught what it lacks; each begins with an empty account."""

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.local_aws import local_aws
from tests.live.preflight.account import Account


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """Start the taught server on loopback."""
    with local_aws("tests.live.preflight.taught_account") as address:
        yield address


@pytest.fixture
def account(endpoint: str, here: None, tmp_path: Path) -> Account:
    """Return an account that holds nothing but what AWS puts there, to which this process is led."""
    urllib.request.urlopen(urllib.request.Request(f"{endpoint}/moto-api/reset", method="POST"), timeout=30).close()
    return Account(tmp_path)
