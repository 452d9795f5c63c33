"""The command line as a process: what it prints and how it ends."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import GUIDE, ROOT, epochwise, written


def test_plan_prints_the_choice_and_what_binds_it() -> None:
    done = epochwise("plan", GUIDE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("guide: PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month\n")
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    for words in ("bound by disk", "alternatives", "rejected", "allowed 30 s", "HYDRATION_ASSUMED", "unverified"):
        assert words in done.stdout


def test_plan_json_is_one_object_per_file_and_line(tmp_path: Path) -> None:
    done = epochwise("plan", "--json", GUIDE, written(tmp_path))
    assert done.returncode == 0
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["workload"], second["workload"]) == ("guide", "small")
    assert {"workload", "demand", "choice", "alternatives", "rejected", "families", "findings", "prices"} <= set(first)
    assert first["demand"] == {"read_mbps": 3333.3, "opens_per_s": None, "write_mbps": 0.0, "capacity_gib": 109.0}
    choice = first["choice"]
    assert choice["epoch_s"]["steady"] == pytest.approx(27.24, abs=0.1)
    assert choice["epoch_s"]["without_cache"] == 41.67
    rates = {"disk": 3670.88, "network": 6240.0, "client": 5000.0, "metadata_opens_per_s": 12_000.0, "write": 2400.0}
    assert rates.items() <= choice["ceilings"].items()
    assert choice["ceilings"]["compute"] is None
    assert {rejected["deployment_type"] for rejected in first["rejected"]} == {"SCRATCH_2", "PERSISTENT_2"}
    assert set(first["findings"][0]) == {"id", "level", "message", "fix"}


def test_plan_ends_with_1_when_nothing_is_feasible(tmp_path: Path) -> None:
    done = epochwise("plan", written(tmp_path, epoch={"target": 0.01}))
    assert done.returncode == 1
    assert "no legal file system is feasible" in done.stdout
    assert "NOTHING_FEASIBLE" in done.stdout


def test_a_bad_declaration_ends_with_2_and_the_other_files_are_planned(tmp_path: Path) -> None:
    done = epochwise("plan", "--json", written(tmp_path, name="UPPER"), GUIDE, tmp_path / "absent.yaml")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 1
    first, second = done.stderr.splitlines()
    assert "name: " in first
    assert "'UPPER'" in first
    assert "absent.yaml: cannot be read" in second


def test_request_prints_a_request_with_placeholders() -> None:
    done = epochwise("request", GUIDE)
    assert done.returncode == 0
    assert (
        json.loads(done.stdout)["InputDataConfig"][0]["DataSource"]["FileSystemDataSource"]["FileSystemType"]
        == "FSxLustre"
    )


def test_schema_describes_every_section() -> None:
    schema = json.loads(epochwise("schema").stdout)
    assert set(schema["required"]) == {"name", "dataset", "epoch", "cluster"}
    assert schema["additionalProperties"] is False
    assert "100 GB" in json.dumps(schema)


@pytest.mark.parametrize("arguments", [[], ["plan"], ["plan", "--jso", GUIDE], ["fly"]])
def test_a_wrong_call_shows_usage_and_ends_with_2(arguments: list[str]) -> None:
    done = epochwise(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "Usage" in done.stderr + done.stdout


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{sys.executable} -c 'from epochwise.cli import main; main()' plan {' '.join([GUIDE] * 50)} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert "Traceback" not in done.stderr
