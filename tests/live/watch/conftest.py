"""Tests of watch share one local AWS, and one run of it that goes on."""

from collections.abc import Iterator

import pytest

from tests.live.deployed_guide import Client, client_of, guide_aws
from tests.live.guide_runs import measured_run


@pytest.fixture(scope="package")
def endpoint() -> Iterator[str]:
    """Run a local AWS with the guide's job deployed."""
    with guide_aws() as address:
        yield address


@pytest.fixture(scope="package")
def client(endpoint: str) -> Client:
    """Return how to get a client of it."""
    return client_of(endpoint)


@pytest.fixture(scope="package")
def running(client: Client) -> Iterator[tuple[str, str]]:
    """Start a run that goes on, and return its ARN and its job."""
    with measured_run(client) as run:
        yield run
