"""Prove that the nodes of a job reach each other: one all_reduce, its sum checked, its rate told, its network named.

Put this file alone into the archive that `training.source` names, `all_reduce.py` into `training.entry_point`, and let
torchrun start it on every accelerator. The job fails when the sum is wrong, and on several nodes when NCCL's own log
shows sockets or does not show EFA. What a real network does, only a run in an account shows.

Standard library and PyTorch only, since it runs in the training image.
"""

import argparse
import importlib
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

EFA = re.compile(r"NET/OFI .*selected provider is efa|Using network (AWS )?Libfabric", re.IGNORECASE)
NOT_EFA = re.compile(
    r"NET/Socket *: *Using|Using network Socket|NET plugin Socket|NET/OFI .*selected provider is (?!efa)", re.IGNORECASE
)
"""What NCCL and its OFI plugin write at NCCL_DEBUG=INFO."""
FLOATS_PER_MIB = 1 << 18


def main(arguments: Sequence[str]) -> int:
    """Run on one accelerator of many; return 0, or 1 when something is not as it must be."""
    asked = _asked(arguments)
    log = Path(tempfile.mkdtemp()) / "nccl.log"
    os.environ["NCCL_DEBUG"], os.environ["NCCL_DEBUG_FILE"] = "INFO", str(log)
    torch = importlib.import_module("torch")
    processes = importlib.import_module("torch.distributed")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    processes.init_process_group("nccl")
    world = processes.get_world_size()
    values = torch.ones(asked.mib * FLOATS_PER_MIB, device="cuda")
    processes.all_reduce(values)
    wrong = not bool((values == world).all().item())
    seconds = _seconds(torch, processes, values.zero_(), asked.rounds)
    said = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    named = [line for line in said if EFA.search(line) or NOT_EFA.search(line)]
    problems = ["the sum is wrong"] if wrong else []
    if world > int(os.environ["LOCAL_WORLD_SIZE"]) and not asked.any_network:
        problems += [f"NCCL does not use EFA: {line}" for line in named if NOT_EFA.search(line)][:1]
        problems += [] if any(EFA.search(line) for line in named) else ["NCCL does not say that it uses EFA"]
    # each byte goes over the slowest link 2 × (n − 1) / n times (NVIDIA/nccl-tests, PERFORMANCE.md)
    moved_gbit = 8e-9 * asked.mib * 2**20 * 2 * (world - 1) / world
    report = {
        "rank": processes.get_rank(),
        "accelerators": world,
        "mib": asked.mib,
        "bus_gbps": round(moved_gbit / seconds, 1),
        "network": named[:1],
        "problems": problems,
    }
    sys.stdout.write(json.dumps(report) + "\n")
    processes.destroy_process_group()
    return 1 if problems else 0


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    """Read hyperparameters, which SageMaker passes as arguments, and leave those of others alone."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mib", type=int, default=256, help="MiB that are summed")
    parser.add_argument("--rounds", type=int, default=20, help="times that they are, for the rate")
    parser.add_argument("--any-network", action="store_true", help="do not ask for EFA between nodes")
    return parser.parse_known_args(arguments)[0]


def _seconds(torch: Any, processes: Any, values: Any, rounds: int) -> float:
    """Return the seconds that one all_reduce takes."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(rounds):
        processes.all_reduce(values)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / rounds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
