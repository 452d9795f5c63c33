from pathlib import Path

import pytest

from tests.clients.shell import Client


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)
