"""`epochwise request`: JSON on standard output, and on standard error what is to be said about it."""

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.command_line import GUIDE, ROOT, called


def written(folder: Path, **changes: object) -> Path:
    """Write the guide with other sections, None for one that is left out."""
    document = yaml.safe_load((ROOT / GUIDE).read_text(encoding="utf-8")) | changes
    file = folder / "workload.yaml"
    file.write_text(yaml.safe_dump({key: value for key, value in document.items() if value is not None}))
    return file


def test_warnings_and_notes_go_to_standard_error_and_leave_the_json_alone() -> None:
    done = called("request", GUIDE)
    assert done.returncode == 0
    assert json.loads(done.stdout)["TrainingJobName"] == "<TRAINING_JOB_NAME>"
    lines = done.stderr.splitlines()
    assert [line.rpartition(" [")[2].rstrip("]") for line in lines] == [
        "SMDDP_FROZEN",
        "DEBUGGER_CLOSED",
        "REQUEST_NEEDS_RECENT_SDK",
    ]
    assert lines[0].startswith(f"{GUIDE}: info: SMDDP's last release")
    assert lines[1].startswith(f"{GUIDE}: warning: watch.using is debugger")


def test_the_note_about_the_sdk_is_silent_where_there_is_no_request(tmp_path: Path) -> None:
    done = called("request", written(tmp_path, training=None, watch=None))
    assert "REQUEST_NEEDS_RECENT_SDK" not in done.stderr


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"training": None, "watch": None}, "NO_TRAINING_DECLARED"),
        (
            {"cluster": {"platform": "ec2", "instance_type": "p4d.24xlarge", "nodes": 4}, "watch": None},
            "TRAINING_NOT_SAGEMAKER",
        ),
    ],
)
@pytest.mark.parametrize("command", ["request", "batch"])
def test_a_workload_without_a_job_is_an_error(
    tmp_path: Path, command: str, changes: dict[str, object], finding: str
) -> None:
    file = written(tmp_path, **changes)
    done = called(command, file)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"{file}: training is ")
    assert line.endswith(f"[{finding}]")
