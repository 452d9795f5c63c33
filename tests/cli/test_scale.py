"""`epochwise scale`: the guide's point, that storage which is too small breaks linear scaling."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import GUIDE, called, epochwise, written


def test_scale_shows_both_file_systems_and_what_would_have_to_be_planned() -> None:
    done = epochwise("scale", GUIDE)
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    for words in (
        "planned for 4 nodes: PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month",
        "8 15 s 27.2 s 55.1% disk",
        "compared with: SCRATCH_2 1200 GiB, 168.00 USD a month",
        "32 3.75 s 417 s 0.9% network",
        "16 7.5 s PERSISTENT_2 12000 GiB at 500 MB/s/TiB 4080.00",
        "epoch.target, since epoch.compute is not declared",
    ):
        assert words in text


def test_scale_json_is_one_object() -> None:
    done = called("scale", GUIDE, "--json", "--nodes", "8, 4", "--against", "PERSISTENT_2:1200:1000")
    (line,) = done.stdout.splitlines()
    scaled = json.loads(line)
    assert [point["nodes"] for point in scaled["points"]] == [4, 8]
    assert scaled["compute_from"] == "epoch.target"
    assert scaled["chosen"]["label"] == "PERSISTENT_2 4800 GiB at 500 MB/s/TiB"
    assert scaled["against"]["per_unit_storage_throughput"] == 1000
    assert scaled["points"][1]["chosen"] == {"epoch_s": 27.24, "efficiency": 0.5506, "binding": "disk"}
    assert scaled["points"][1]["planned"]["monthly_usd"] == 2448


def test_scale_takes_settings() -> None:
    done = called("scale", GUIDE, "--json", "--nodes", "4", "--set", "epoch.compute=20")
    assert json.loads(done.stdout)["compute_from"] == "epoch.compute"


@pytest.mark.parametrize("nodes", ["1", "100000", "1,2", " 3 , 2 "])
def test_numbers_of_nodes_are_whole_and_from_one_to_a_bound(nodes: str) -> None:
    done = called("scale", GUIDE, "--json", "--nodes", nodes)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["points"]) == len(nodes.split(","))


@pytest.mark.parametrize(
    "nodes", ["0", "100001", "-1", "1.5", "four", "", "1,", "1,,2", "1,1", "1,01", "٣", "9" * 5000]
)
def test_other_numbers_of_nodes_are_refused(nodes: str) -> None:
    done = called("scale", GUIDE, f"--nodes={nodes}")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("--nodes must be different whole numbers from 1 to 100000, such as 1,2,4,8, got '")
    assert len(line) < 160


@pytest.mark.parametrize(
    ("against", "message"),
    [
        (
            "SCRATCH_2:1300",
            "--against: storage_capacity_gib must be 1200, a multiple of 2400 for deployment_type",
        ),
        ("SCRATCH_2:1200:500", "--against: per_unit_storage_throughput must be absent"),
        ("PERSISTENT_2:1200", "--against: must name the throughput, PERSISTENT_2:1200:125 or"),
        ("small", "--against: must be DEPLOYMENT_TYPE:CAPACITY_GIB"),
    ],
)
def test_an_illegal_file_system_is_refused_in_the_catalogs_words(against: str, message: str) -> None:
    done = called("scale", GUIDE, "--against", against)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(message)


def test_a_bad_declaration_ends_with_2(tmp_path: Path) -> None:
    done = called("scale", tmp_path / "absent.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be read" in done.stderr


def test_where_nothing_is_feasible_as_declared_it_ends_with_1(tmp_path: Path) -> None:
    done = called("scale", written(tmp_path, dataset={"size": "100 TB"}))
    assert done.returncode == 1
    assert "no legal file system is feasible for 4 nodes" in done.stdout
