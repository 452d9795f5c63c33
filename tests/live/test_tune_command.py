"""`epochwise tune` as a process, against jobs that ran in a local AWS."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from epochwise.tuning.tuned import tune
from epochwise.workload import Workload
from tests.cli.command_line import called
from tests.live.local_aws import assert_one_sentence, epochwise_live, free_port, local_aws
from tests.live.measured_jobs import create_file_system, create_job, put_metrics, run
from tests.tuning.jobs import CASES, PERSISTENT_2, document, on, simulated
from tests.tuning.simulated_job import Simulated, Truth, measured, simulate

pytestmark = pytest.mark.usefixtures("here")

SMALL_FILES, SCRATCH = "many small files", "the guide on the smallest scratch"
SHORT = Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=16)
S3_DATA = {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://bucket/"}}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Start moto's server, taught that a job takes time."""
    with local_aws("tests.live.taught_training_jobs") as address:
        yield address


@pytest.fixture(scope="module")
def start() -> datetime:
    """Return a whole minute some hours ago."""
    return (datetime.now(UTC) - timedelta(hours=3)).replace(second=0, microsecond=0)


@pytest.fixture(scope="module")
def short() -> Simulated:
    """Return a job of some minutes."""
    return simulate(SHORT)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the workload file of the short job, with a comment."""
    path = tmp_path / "workload.yaml"
    path.write_text("# ours\n" + yaml.safe_dump(SHORT.document, sort_keys=False))
    return path


def written(tmp_path: Path, declared: dict[str, Any]) -> Path:
    """Write a workload file with a comment in each section."""
    path = tmp_path / "workload.yaml"
    text = yaml.safe_dump(declared, sort_keys=False)
    path.write_text("# our own file\n" + text.replace("epoch:\n", "epoch:  # how long\n"))
    return path


@pytest.mark.parametrize("name", [SMALL_FILES, SCRATCH])
def test_a_job_is_concluded_from_as_its_truth_deserves(
    name: str, start: datetime, variables: dict[str, str], tmp_path: Path
) -> None:
    case, job = CASES[name], f"job-{len(name)}"
    file_system = run(simulated(name), job, start)
    file = written(tmp_path, case.document)
    done = epochwise_live("tune", job, "--file", file, "--json", variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    truth = case.truth.workload
    assert found["file_system"]["id"] == file_system
    assert (found["verdict"], found["bottleneck"]) == (str(case.verdict), case.bottleneck)
    assert found["measured"]["demand_mbps"] == pytest.approx(truth.dataset.size / 1e6 / truth.epoch.target, rel=0.05)
    assert found["measured"]["hit_ratio"] == pytest.approx(simulated(name).steady_hit_share, rel=0.05, abs=0.001)
    # what comes through CloudWatch says what the metrics themselves say
    direct = tune(case.document, measured(simulated(name)), start).as_dict()["measured"]
    assert found["measured"] == {
        key: pytest.approx(value, rel=1e-3) if isinstance(value, float) else value for key, value in direct.items()
    } | {"idle_causes": pytest.approx(direct["idle_causes"], rel=1e-3)}

    before = file.read_text()
    shown = epochwise_live("tune", job, "--file", file, "--write", variables=variables)
    assert shown.returncode == 0
    assert "grow " in shown.stdout
    assert shown.stderr.startswith(f"{file}: wrote ")
    after = file.read_text()
    assert [line for line in after.splitlines() if "#" in line] == [line for line in before.splitlines() if "#" in line]
    workload = Workload.from_file(file)
    assert workload.epoch.target == pytest.approx(truth.epoch.target, rel=0.05)
    if truth.dataset.files:
        assert workload.dataset.files == pytest.approx(truth.dataset.files, rel=0.05)

    again = epochwise_live("tune", job, "--file", file, "--write", "--json", variables=variables)
    assert again.stderr == f"{file}: holds what was measured already, nothing to write\n"
    assert file.read_text() == after
    assert json.loads(again.stdout)["recommended"] == found["recommended"]
    assert json.loads(again.stdout)["values"] == {}


def test_a_job_is_found_by_its_arn_and_a_file_system_by_its_id(start: datetime, short: Simulated, file: Path) -> None:
    file_system = create_file_system(short)
    end = start + timedelta(seconds=short.seconds)
    create_job("by-arn", {}, start=start, end=end, data=S3_DATA)
    put_metrics(short, "by-arn", file_system, start)
    arn = "arn:aws:sagemaker:us-east-1:123456789012:training-job/by-arn"
    done = called("tune", arn, "--file", file)
    assert_one_sentence(done)
    assert "none of the 1 input channels of by-arn is an FSx for Lustre file system" in done.stderr
    assert "[TUNE_NO_FILE_SYSTEM]" in done.stderr
    named = called("tune", arn, "--file", file, "--file-system", file_system)
    assert (named.returncode, named.stderr) == (0, "")
    assert "keep PERSISTENT_2 4800 GiB at 500 MB/s/TiB" in " ".join(named.stdout.split())


def test_of_several_file_systems_the_train_channels_counts(start: datetime, short: Simulated, file: Path) -> None:
    first, second = create_file_system(short), create_file_system(short)
    end = start + timedelta(seconds=short.seconds)
    create_job("two-named", {"validation": first, "train": second}, start=start, end=end)
    put_metrics(short, "two-named", second, start)
    assert called("tune", "two-named", "--file", file).returncode == 0
    create_job("two-others", {"images": first, "labels": second}, start=start, end=end)
    sentence = assert_one_sentence(called("tune", "two-others", "--file", file))
    assert f"reads from {first}, {second}" in sentence
    assert sentence.endswith("[TUNE_SEVERAL_FILE_SYSTEMS]")


def test_a_job_that_runs_is_looked_at_up_to_now(short: Simulated, file: Path) -> None:
    begin = (datetime.now(UTC) - timedelta(seconds=short.seconds)).replace(second=0, microsecond=0)
    run(short, "running", begin, end=None, status="InProgress")
    done = called("tune", "running", "--file", file)
    assert done.returncode == 0, done.stderr
    assert "TUNE_JOB_RUNNING: running is still running" in " ".join(done.stdout.split())


def test_a_job_that_has_not_begun_is_told(short: Simulated, file: Path) -> None:
    create_job("waiting", {"train": create_file_system(short)}, start=None, end=None, status="InProgress")
    sentence = assert_one_sentence(called("tune", "waiting", "--file", file))
    assert "has not begun to train, its status is InProgress" in sentence


def test_a_job_of_a_moment_is_told(start: datetime, file: Path) -> None:
    run(simulate(Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=3)), "moment", start)
    sentence = assert_one_sentence(called("tune", "moment", "--file", file))
    assert "moment has " in sentence
    assert "[TUNE_TOO_SHORT]" in sentence


def test_a_job_without_metrics_is_told(start: datetime, short: Simulated, file: Path) -> None:
    end = start + timedelta(seconds=short.seconds)
    create_job("silent", {"train": create_file_system(short)}, start=start, end=end)
    sentence = assert_one_sentence(called("tune", "silent", "--file", file))
    assert "CloudWatch has no DataReadBytes of fs-" in sentence


def test_a_job_whose_metrics_are_gone_is_told(short: Simulated, file: Path) -> None:
    old = datetime.now(UTC) - timedelta(days=500)
    create_job("old", {"train": create_file_system(short)}, start=old, end=old + timedelta(hours=1))
    sentence = assert_one_sentence(called("tune", "old", "--file", file))
    assert "500 days ago, and CloudWatch keeps metrics for 455 days" in sentence


def test_an_older_job_is_looked_at_by_five_minutes(file: Path) -> None:
    long = simulate(Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=90))
    begin = (datetime.now(UTC) - timedelta(days=20)).replace(minute=0, second=0, microsecond=0)
    run(long, "older", begin)
    done = called("tune", "older", "--file", file, "--json")
    found = json.loads(done.stdout)
    assert found["job"]["period_s"] == 300
    assert found["measured"]["demand_mbps"] == pytest.approx(100_000 / 30, rel=0.05)
    assert found["measured"]["hit_ratio"] == pytest.approx(long.steady_hit_share, rel=0.05)
    assert "TUNE_METRICS_COARSE" in {finding["id"] for finding in found["findings"]}


def test_nodes_without_metrics_are_named(start: datetime, file: Path) -> None:
    silent = simulate(Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=16, silent_hosts=2))
    run(silent, "half", start)
    done = called("tune", "half", "--file", file)
    assert done.returncode == 0
    assert "2 of 4 nodes have no metrics (algo-3, algo-4)" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("absent-job",), "absent-job: there is no training job of that name in us-east-1"),
        (("by-arn", "--file-system", "fs-99999999"), "file system fs-99999999 does not exist any more in us-east-1"),
    ],
)
def test_what_is_not_there_is_told(arguments: tuple[str, ...], said: str, file: Path) -> None:
    assert said in assert_one_sentence(called("tune", *arguments, "--file", file))


def test_a_file_system_of_another_kind_is_told(start: datetime, short: Simulated, file: Path) -> None:
    import boto3

    created = boto3.client("fsx").create_file_system(
        FileSystemType="OPENZFS", StorageCapacity=64, SubnetIds=["subnet-0123456789abcdef0"]
    )
    create_job("zfs", {}, start=start, end=start + timedelta(seconds=short.seconds), data=S3_DATA)
    name = created["FileSystem"]["FileSystemId"]
    sentence = assert_one_sentence(called("tune", "zfs", "--file", file, "--file-system", name))
    assert f"{name} is OPENZFS, not FSx for Lustre" in sentence


def test_mistakes_in_the_file_are_told_before_anything_is_asked(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(yaml.safe_dump(document(epoch={"target": "soon"})))
    done = called("tune", "any", "--file", broken, AWS_ENDPOINT_URL="http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (2, "")
    assert "epoch.target: must be a number of seconds" in done.stderr
    assert "absent.yaml: cannot be read" in assert_one_sentence(
        called("tune", "any", "--file", tmp_path / "absent.yaml")
    )


def test_a_file_that_cannot_be_changed_in_place_is_told_and_stays(
    start: datetime, short: Simulated, tmp_path: Path
) -> None:
    run(short, "unwritable", start)
    shared = tmp_path / "shared.yaml"
    declared = yaml.safe_dump(document(epoch={"target": "50 s"}), sort_keys=False).replace("epoch:\n", "epoch: &both\n")
    # one mapping in two places: a target for one is a target for both
    shared.write_text(declared + "training:\n  image: an/image\n  hyperparameters: *both\n")
    before = shared.read_text()
    done = called("tune", "unwritable", "--file", shared, "--write")
    assert_one_sentence(done)
    assert "cannot be edited without changing something else; write by hand: " in done.stderr
    # what was concluded is shown all the same
    assert "keep PERSISTENT_2 4800 GiB at 500 MB/s/TiB" in " ".join(done.stdout.split())
    assert shared.read_text() == before


def test_a_folder_that_takes_no_file_is_told(
    monkeypatch: pytest.MonkeyPatch, start: datetime, short: Simulated, tmp_path: Path
) -> None:
    def full(_: Path, __: bytes) -> int:
        raise OSError(28, "No space left on device")

    run(short, "no-space", start)
    file = written(tmp_path, document(epoch={"target": "50 s"}))
    before = file.read_text()
    monkeypatch.setattr(Path, "write_bytes", full)
    done = called("tune", "no-space", "--file", file, "--write")
    assert assert_one_sentence(done).endswith("workload.yaml: cannot be written: No space left on device")
    assert file.read_text() == before
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_control_c_leaves_the_file_as_it_is(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("epochwise.live.job_observation.observe_job", interrupted)
    before = file.read_text()
    done = called("tune", "any", "--file", file, "--write")
    assert done.returncode == 130
    assert done.stderr.strip() == "any: interrupted; nothing was changed"
    assert file.read_text() == before


def test_somebody_who_looks_sees_that_something_is_under_way(variables: dict[str, str], file: Path) -> None:
    screen, keyboard = pty.openpty()
    nowhere = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    with os.fdopen(keyboard, "wb") as terminal:
        done = subprocess.run(
            [sys.executable, "-c", "from epochwise.cli import main; main()", "tune", "job", "--file", str(file)],
            stdout=subprocess.PIPE,
            stderr=terminal,
            check=False,
            timeout=60,
            env={**os.environ, **nowhere, "TERM": "xterm-256color"},
        )
        shown = os.read(screen, 100_000).decode()
    os.close(screen)
    assert (done.returncode, done.stdout) == (2, b"")
    assert "asking AWS about job" in shown
    assert "no connection to sagemaker" in " ".join(shown.split())


def test_help_says_what_it_takes(variables: dict[str, str]) -> None:
    done = epochwise_live("tune", "--help", variables=variables)
    assert done.returncode == 0
    for word in ("JOB", "--file", "--file-system", "--write", "--prices", "--json"):
        assert word in done.stdout
