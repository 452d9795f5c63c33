"""The scripts that move data between S3 and the file system, run against a stand-in for `lfs`."""

import subprocess

import pytest

from epochwise.clients.scripts import Script, script_text
from tests.clients.shell import Client

PRELOAD, RELEASE = script_text(Script.PRELOAD), script_text(Script.RELEASE)


@pytest.mark.parametrize("script", [script for script in Script if script is not Script.ALL_REDUCE])
def test_every_script_but_the_one_in_python_is_bash_that_parses_and_begins_with_its_interpreter(script: Script) -> None:
    text = script_text(script)
    assert text.startswith("#!/bin/bash\n")
    assert subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=True).stderr == ""


def test_no_script_holds_what_systems_manager_takes_for_a_parameter() -> None:
    assert not [script for script in Script if "{{" in script_text(script)]


def test_everything_that_is_in_s3_only_is_brought_in_side_by_side_and_within_the_bound(client: Client) -> None:
    for number in range(12):
        client.file(f"file {number}", "released", "archived")
    client.file("there already", "archived")
    done = client.run(PRELOAD, str(client.data), "4", variables={"PRELOAD_BATCH": "1", "RESTORE_S": "0.3"})
    assert done.returncode == 0, done.stderr
    assert "13 files, 12 restored, 1 there already, 0 failed" in done.stdout
    assert not list(client.hsm.glob("*.released"))
    under_way = [int(line) for line in (client.hsm / "under_way").read_text().split()]
    assert 2 <= max(under_way) <= 4


def test_a_second_run_asks_only_for_what_is_missing(client: Client) -> None:
    for number in range(5):
        client.file(f"{number}", "released")
    client.file("refused", "released", "refused")
    first = client.run(PRELOAD, str(client.data))
    assert first.returncode == 1
    (client.hsm / "refused.refused").unlink()
    (client.hsm / "asked").unlink()
    second = client.run(PRELOAD, str(client.data))
    assert second.returncode == 0
    assert (client.hsm / "asked").read_text().split() == ["refused"]
    assert "1 restored, 5 there already, 0 failed" in second.stdout


@pytest.mark.parametrize("mark", ["refused", "lost", "unreadable"])
def test_one_file_that_fails_fails_the_run_is_named_and_stops_no_other(client: Client, mark: str) -> None:
    client.file("bad\nname", "released", mark)
    client.file("good", "released")
    done = client.run(PRELOAD, str(client.data), "1")
    assert done.returncode == 1
    assert "1 restored, 0 there already, 1 failed" in done.stdout
    assert str(client.data / "bad") in done.stderr
    assert not (client.hsm / "good.released").exists()


def test_a_file_that_never_arrives_is_given_up(client: Client) -> None:
    client.file("slow", "released")
    done = client.run(PRELOAD, str(client.data), variables={"RESTORE_S": "5", "PRELOAD_FILE_TIMEOUT_S": "0"})
    assert done.returncode == 1


def test_progress_is_reported_while_files_arrive(client: Client) -> None:
    client.file("slow", "released")
    done = client.run(PRELOAD, str(client.data), variables={"RESTORE_S": "0.6", "PRELOAD_REPORT_S": "0.1"})
    assert "1 files, 0 restored" in done.stdout
    assert done.stdout.splitlines()[-1] == "preload: 1 files, 1 restored, 0 there already, 0 failed"


def test_an_empty_folder_is_done_and_a_missing_one_is_refused(client: Client) -> None:
    assert client.run(PRELOAD, str(client.data)).returncode == 0
    missing = client.run(PRELOAD, str(client.data / "missing"))
    assert (missing.returncode, "is no folder" in missing.stderr) == (2, True)


def test_only_what_was_exported_and_not_changed_since_is_released(client: Client) -> None:
    client.file("exported", "archived")
    client.file("changed", "archived", "dirty")
    client.file("local")
    client.file("gone", "archived", "released")
    done = client.run(RELEASE, str(client.data))
    assert done.returncode == 0
    assert "1 released, 3 kept, 0 failed" in done.stdout
    assert (client.hsm / "exported.released").exists()
    assert not (client.hsm / "changed.released").exists()
    assert not (client.hsm / "local.released").exists()


def test_a_release_that_fails_fails_the_run(client: Client) -> None:
    client.file("exported", "archived", "refused")
    done = client.run(RELEASE, str(client.data))
    assert (done.returncode, str(client.data / "exported") in done.stderr) == (1, True)


@pytest.mark.parametrize(("options", "status"), [("rw,noatime,flock", 2), ("rw,relatime,flock", 0), ("rw", 0)])
def test_release_by_age_is_refused_where_access_times_are_not_kept(client: Client, options: str, status: int) -> None:
    client.command("findmnt", f"echo {options}")
    client.file("young", "archived")
    done = client.run(RELEASE, str(client.data), "1")
    assert done.returncode == status
    assert not (client.hsm / "young.released").exists()
    assert client.run(RELEASE, str(client.data), "0").returncode == 0
