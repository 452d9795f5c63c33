"""`epochwise diff`, `epochwise explain` and `epochwise import-dlio` as processes."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.command_line import GUIDE, ROOT, called

DLIO = ROOT / "tests" / "workload" / "dlio" / "unet3d_a100.yaml"
TEMPLATE: dict[str, Any] = {
    "Resources": {
        "FileSystem": {
            "Type": "AWS::FSx::FileSystem",
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Retain",
            "Properties": {
                "FileSystemType": "LUSTRE",
                "StorageCapacity": 4800,
                "SubnetIds": ["subnet-1"],
                "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 500},
            },
        }
    }
}


def written(folder: Path, name: str, **properties: Any) -> Path:
    """Write the template with properties of its file system changed."""
    template = copy.deepcopy(TEMPLATE)
    template["Resources"]["FileSystem"]["Properties"] |= properties
    file = folder / name
    file.write_text(json.dumps(template), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("properties", "status", "words"),
    [
        ({}, 0, "nothing changes"),
        ({"StorageCapacity": 7200}, 0, "UPDATE_IN_PLACE"),
        ({"StorageCapacity": 2400}, 1, "UPDATE_SHRINKS"),
        ({"StorageCapacity": 6000}, 1, "7200"),
        ({"SubnetIds": ["subnet-2"]}, 1, "UPDATE_LOSES_DATA"),
        ({"StorageType": "HDD"}, 1, "UPDATE_CAN_ONLY_FAIL"),
    ],
)
def test_diff_says_what_an_update_does_and_ends_with_1_where_data_is_at_stake(
    tmp_path: Path, properties: dict[str, Any], status: int, words: str
) -> None:
    deployed, new = written(tmp_path, "deployed.json"), written(tmp_path, "new.json", **properties)
    done = called("diff", new, "--deployed", deployed)
    assert (done.returncode, done.stderr) == (status, "")
    assert words in done.stdout
    lines = called("diff", new, "--deployed", deployed, "--json").stdout.splitlines()
    assert len(lines) == len(properties)
    assert all("verdict" in json.loads(line) for line in lines)


def test_diff_refuses_what_it_cannot_read_in_one_line(tmp_path: Path) -> None:
    good = written(tmp_path, "good.json")
    calls: list[tuple[str | Path, str | Path]] = [(good, tmp_path / "absent.json"), (tmp_path, good), (GUIDE, good)]
    for template, deployed in calls:
        done = called("diff", template, "--deployed", deployed)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert done.stdout == ""


def test_diff_asks_nobody_for_a_stack_without_a_name(tmp_path: Path) -> None:
    done = called("diff", written(tmp_path, "new.json"), "--deployed", "")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "--deployed must be a template's file or the name of a stack, got ''\n"


def test_explain_tells_one_check_or_lists_them_all() -> None:
    one = called("explain", "UPDATE_LOSES_DATA")
    assert one.returncode == 0
    assert "source:" in one.stdout
    every = called("explain").stdout.splitlines()
    assert len(every) > 100
    assert len({line.split(":")[0] for line in every}) == len(every)
    unknown = called("explain", "UPDATE_LOSES_DATE")
    assert unknown.returncode == 2
    assert "UPDATE_LOSES_DATA" in unknown.stderr


def test_explain_tells_several_checks_once_each_or_every_id_that_is_none() -> None:
    done = called("explain", "TOO_MANY_TAGS", "tag-invalid", "TOO_MANY_TAGS")
    assert (done.returncode, done.stderr) == (0, "")
    assert [block.partition(" ")[0] for block in done.stdout.split("\n\n")] == ["TOO_MANY_TAGS", "TAG_INVALID"]
    unknown = called("explain", "TAG_INVALD", "TOO_MANY_TAGS", "TOO_MANY_TAG")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert [line.partition(",")[2][5:17] for line in unknown.stderr.splitlines()] == ["'TAG_INVALD'", "'TOO_MANY_TA"]


def test_import_dlio_prints_a_workload_that_can_be_planned(tmp_path: Path) -> None:
    call: list[str | Path] = [
        "import-dlio",
        DLIO,
        "--accelerator",
        "a100",
        "--nodes",
        "4",
        "--accelerators-per-node",
        "8",
    ]
    done = called(*call)
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "unet3d.yaml"
    file.write_text(done.stdout, encoding="utf-8")
    assert yaml.safe_load(done.stdout)["cluster"]["instance_type"] == "ml.p4d.24xlarge"
    planned = called("plan", "--json", file)
    assert planned.returncode == 1
    [obstacle] = [found for found in json.loads(planned.stdout)["findings"] if found["level"] == "error"]
    assert obstacle["id"] == "NOTHING_FEASIBLE"
    assert "client" in obstacle["message"]
    assert "EFA" in obstacle["fix"]
    file.write_text(called(*call, "--at-au").stdout, encoding="utf-8")
    assert called("plan", "--json", file).returncode == 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (["--accelerator", "z80"], "accelerator"),
        (["--accelerators-per-node", "9"], "accelerators_per_node"),
        (["--nodes", "0"], "nodes"),
        (["--region", "moon"], "region"),
    ],
)
def test_import_dlio_refuses_bad_arguments_in_one_line(changed: list[str], words: str) -> None:
    done = called(
        "import-dlio", DLIO, "--accelerator", "a100", "--nodes", "4", "--accelerators-per-node", "8", *changed
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
