"""Live tests share one moto server a module, and never see the credentials of whoever runs them."""

import os
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from tests.live.local_aws import aws_variables, local_aws
from tests.live.measured_bucket import KEYS, WORKLOAD

collect_ignore = ["taught_runs.py"]
"""A process of its own: the server teaches whatever imports it."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Start moto's server on loopback, without what the tests of a deploy teach it."""
    with local_aws() as address:
        yield address


@pytest.fixture
def variables(endpoint: str, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a process that asks the local AWS."""
    return aws_variables(endpoint, tmp_path)


@pytest.fixture
def here(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lead boto3 of this process to the local AWS."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    boto3.DEFAULT_SESSION = None


@pytest.fixture(scope="module")
def small_bucket() -> Iterator[str]:
    """Serve a bucket of a few thousand keys on loopback."""
    with local_aws("benchmarks.synthetic_bucket", "-n", str(KEYS)) as address:
        yield address


@pytest.fixture
def led_to_bucket(small_bucket: str, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a process that asks the small bucket, each call once."""
    return aws_variables(small_bucket, tmp_path) | {"AWS_MAX_ATTEMPTS": "1"}


@pytest.fixture
def workload_file(tmp_path: Path) -> Path:
    """Return a small workload file."""
    path = tmp_path / "workload.yaml"
    path.write_text(WORKLOAD)
    return path
