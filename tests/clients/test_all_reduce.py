"""The smoke test of a job's network, run as a script against a PyTorch that only pretends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from epochwise.clients.scripts import Script, script_text
from epochwise.clients.scripts.all_reduce import EFA, NOT_EFA
from tests.watching.nccl_lines import LINES, SILENT

TORCH = """
import os
class cuda:
    set_device = staticmethod(lambda number: None)
    synchronize = staticmethod(lambda: None)
class Values(list):
    zero_ = lambda self: Values([0.0] * len(self))
    def __eq__(self, other): return Values(value == other for value in self)
    all = lambda self: Values([min(self)])
    item = lambda self: self[0]
def ones(count, device):
    assert device == "cuda" and count == 1 << 18
    return Values([1.0, 1.0])
"""
DISTRIBUTED = """
import os
WORLD = int(os.environ["WORLD_SIZE"])
def init_process_group(backend):
    assert (backend, os.environ["NCCL_DEBUG"]) == ("nccl", "INFO")
    with open(os.environ["NCCL_DEBUG_FILE"], "w") as log:
        log.write(os.environ["SAYS"])
get_world_size = lambda: WORLD
get_rank = lambda: 0
destroy_process_group = lambda: None
def all_reduce(values):
    values[:] = [value * WORLD for value in values]
    values[0] += float(os.environ["ERROR"])
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    package = tmp_path / "torch"
    package.mkdir()
    (package / "__init__.py").write_text(TORCH, encoding="utf-8")
    (package / "distributed.py").write_text(DISTRIBUTED, encoding="utf-8")
    file = tmp_path / "all_reduce.py"
    file.write_text(script_text(Script.ALL_REDUCE), encoding="utf-8")
    return file


def run(script: Path, *arguments: str, says: str = "", accelerators: int = 16, error: int = 0) -> tuple[int, Any]:
    """Run it as one of so many accelerators, eight a node; return its status and its report."""
    variables = {"WORLD_SIZE": str(accelerators), "LOCAL_WORLD_SIZE": "8", "LOCAL_RANK": "0"}
    done = subprocess.run(
        [sys.executable, script, "--mib", "1", "--sagemaker_of_others", "x", *arguments],
        env=os.environ | variables | {"SAYS": f"loss 0.1\n{says}\n", "ERROR": str(error)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(("line", "efa"), LINES)
def test_g103_g105_several_nodes_fail_unless_nccl_rides_efa(script: Path, line: str, efa: bool) -> None:
    status, report = run(script, says=line)
    assert status == (0 if efa else 1)
    assert report["network"] == [line]
    assert bool(report["problems"]) is not efa
    assert bool(EFA.search(line)) is efa
    assert bool(NOT_EFA.search(line)) is not efa


@pytest.mark.parametrize("line", SILENT)
def test_g105_a_log_that_does_not_say_it_fails_too(script: Path, line: str) -> None:
    status, report = run(script, says=line)
    assert status == 1
    assert report["problems"] == ["NCCL does not say that it uses EFA"]


def test_one_node_and_networks_without_efa_can_be_tested_too(script: Path) -> None:
    socket = next(line for line, efa in LINES if not efa)
    assert run(script, says=socket, accelerators=8)[0] == 0
    status, report = run(script, "--any-network", says=socket)
    assert status == 0
    assert report["accelerators"] == 16
    assert report["bus_gbps"] > 0


def test_a_wrong_sum_fails(script: Path) -> None:
    status, report = run(script, "--any-network", error=1)
    assert status == 1
    assert report["problems"] == ["the sum is wrong"]
