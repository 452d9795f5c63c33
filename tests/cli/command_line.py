"""The command line as a process."""

import json
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from epochwise.cli import main

ROOT = Path(__file__).resolve().parents[2]
GUIDE = "workloads/guide.yaml"
NOON = "1791547200"
"""Of 2026-10-09."""


def epochwise(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line from the project's root, on a fixed day."""
    return subprocess.run(
        [sys.executable, "-c", "from epochwise.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "SOURCE_DATE_EPOCH": NOON} | environment,
    )


def called(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, which is faster and shows the same."""
    output, errors = StringIO(), StringIO()
    argv = ["epochwise", *map(str, arguments)]
    changed = {"SOURCE_DATE_EPOCH": NOON} | environment
    with (
        patch.object(sys, "argv", argv),
        patch.dict(os.environ, changed),
        chdir(ROOT),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(argv, status, output.getvalue(), errors.getvalue())


def written(folder: Path, **changes: Any) -> Path:
    """Write a small workload file."""
    document: dict[str, Any] = {
        "name": "small",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    } | changes
    file = folder / "workload.yaml"
    file.write_text(json.dumps(document))
    return file
