"""Settings of every test: how fast an example runs is the machine's affair, and is measured in benchmarks/ alone."""

import os
from collections.abc import Iterator
from functools import cache

# read when aws_cdk is imported, by whichever test is first; one test of the app keeps the validation on
os.environ["CDK_VALIDATION"] = "false"

import pytest
from botocore.loaders import JSONFileLoader
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _descriptions_of_services_read_once() -> Iterator[None]:
    """Keep what botocore reads about services: each new client reads megabytes again, half the time of a call."""
    reader = JSONFileLoader()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JSONFileLoader, "load_file", staticmethod(cache(reader.load_file)))
        yield
