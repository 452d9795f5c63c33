"""A local AWS for live commands: moto's server as a process of its own, and an environment that leads there."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
REGION = "us-east-1"
START_UP_S = 120
NOON = "1791547200"
"""Of 2026-10-09."""


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def local_aws(*module: str) -> Iterator[str]:
    """Run a moto server and yield its address.

    Args:
        module: module that serves; moto's own without.
    """
    port = free_port()
    program = ["-m", *module] if module else ["-c", "from moto.server import main; main()"]
    server = subprocess.Popen(
        [sys.executable, *program, "-H", "127.0.0.1", "-p", str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(server, address)
        yield address
    finally:
        # it keeps nothing, and an orderly end took it more than 10 s on a busy machine
        server.kill()
        server.wait()


def _wait_for(server: subprocess.Popen[bytes], address: str) -> None:
    """Return once the server answers."""
    deadline = time.monotonic() + START_UP_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"moto's server ended with status {server.returncode}; `make setup` installs it")
        try:
            with urllib.request.urlopen(f"{address}/moto-api/data.json", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"moto's server did not answer within {START_UP_S} s")


def aws_variables(endpoint: str, home: Path) -> dict[str, str]:
    """Return what leads a client to an endpoint, and away from the files of whoever runs the tests."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(home / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home / "credentials"),
    }


def epochwise_live(
    *arguments: str | Path, variables: dict[str, str], cwd: Path = ROOT, timeout_s: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a live command as a process against a local AWS."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run(
        [sys.executable, "-c", "from epochwise.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=timeout_s,
        env=inherited | {"COLUMNS": "80", "SOURCE_DATE_EPOCH": NOON} | variables,
    )


def started_live(*arguments: str | Path, variables: dict[str, str], **streams: Any) -> subprocess.Popen[str]:
    """Start a live command as a process against a local AWS, and do not wait for it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.Popen(
        [sys.executable, "-c", "from epochwise.cli import main; main()", *map(str, arguments)],
        cwd=ROOT,
        text=True,
        env=inherited | {"COLUMNS": "80", "SOURCE_DATE_EPOCH": NOON} | variables,
        **streams,
    )


def assert_one_sentence(done: subprocess.CompletedProcess[str], status: int = 2) -> str:
    """Assert that a command refused in one sentence, and return the sentence."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    sentence = done.stderr.strip()
    assert sentence
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    return sentence
