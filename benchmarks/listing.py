"""Print how fast a bucket is measured, beside boto3's bare paginator in the same run: `python -m benchmarks.listing`.

A process of its own serves a bucket of a million keys; each side is one process, from its start to its end, and has to
find exactly what the bucket holds. The paginator reads one page after the other, as one would write it by hand.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.run import BenchmarkError, Row, table
from benchmarks.synthetic_bucket import BUCKET, synthetic_objects

ROOT = Path(__file__).resolve().parents[1]
KEYS = 1_000_000
PREFIX = "data/"
START_UP_S = 120
PAGINATOR = f"""
import boto3, json
objects = size = 0
for page in boto3.client("s3").get_paginator("list_objects_v2").paginate(Bucket={BUCKET!r}, Prefix={PREFIX!r}):
    for each in page["Contents"]:
        objects += 1
        size += each["Size"]
print(json.dumps({{"objects": objects, "size_bytes": size}}))
"""
"""What a user would write instead."""


class Run(NamedTuple):
    """One process from its start to its end."""

    seconds: float
    peak_mb: float
    """Most memory that it held, MB."""


@contextmanager
def served(keys: int) -> Iterator[str]:
    """Serve a bucket and yield its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = int(taken.getsockname()[1])
    command = [sys.executable, "-m", "benchmarks.synthetic_bucket", "-p", str(port), "-n", str(keys)]
    server = subprocess.Popen(command, cwd=ROOT)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(START_UP_S * 10):
            try:
                with urllib.request.urlopen(address, timeout=5):
                    break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=10)


def measured(command: list[str], address: str, wanted: dict[str, int]) -> Run:
    """Run one side.

    Raises:
        BenchmarkError: it does not find what the bucket holds.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    led = inherited | {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=led, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BenchmarkError(f"{command[0]} ended with status {process.returncode}")
    found = json.loads(output)
    if {name: found[name] for name in wanted} != wanted:
        raise BenchmarkError(f"{command[0]} found {found['objects']} objects where there are {wanted['objects']}")
    return Run(seconds, usage.ru_maxrss * 1024 / 1e6)


def listing_row(keys: int, rounds: int) -> Row:
    """Measure both sides in turns; the fastest round of each counts."""
    stored = [each.size for each in synthetic_objects(keys) if each.key.startswith(PREFIX)]
    wanted = {"objects": len(stored), "size_bytes": sum(stored)}
    ours = [str(Path(sys.executable).with_name("epochwise")), "measure", f"s3://{BUCKET}/{PREFIX}", "--json"]
    other = [sys.executable, "-c", PAGINATOR]
    runs: dict[str, list[Run]] = {"ours": [], "other": []}
    with served(keys) as address:
        for _ in range(rounds):
            runs["ours"].append(measured(ours, address, wanted))
            runs["other"].append(measured(other, address, wanted))
    mine, theirs = min(runs["ours"]), min(runs["other"])
    peaks = [max(run.peak_mb for run in side) for side in runs.values()]
    return Row(
        f"epochwise measure of {keys} keys",
        "boto3's bare paginator",
        f"{theirs.seconds / mine.seconds:.1f} × as many keys a second",
        "at least 0.75 ×, bounded memory",
        f"fastest of {rounds}: {mine.seconds:.1f} s / {theirs.seconds:.1f} s; "
        f"most memory {peaks[0]:.0f} MB / {peaks[1]:.0f} MB",
    )


def main() -> int:
    """Measure and print; return 1 when something cannot be measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", dest="keys", type=int, default=KEYS)
    parser.add_argument("-r", dest="rounds", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(
        f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; above 1, measure again\n"
    )
    sys.stdout.flush()
    try:
        row = listing_row(asked.keys, asked.rounds)
    except BenchmarkError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    heads = Row("what", "beside what", "measured", "target", "taken from")
    sys.stdout.write(f"\n{table([heads, row])}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
