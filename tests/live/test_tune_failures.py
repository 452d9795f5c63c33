"""Whatever AWS does, `epochwise tune` ends in one sentence, and the file is as it was or as it should be."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import boto3
import pytest
import yaml

from tests.cli.command_line import called
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import assert_one_sentence, aws_variables, epochwise_live, free_port, local_aws
from tests.live.measured_jobs import run
from tests.tuning.jobs import PERSISTENT_2, document, on
from tests.tuning.simulated_job import Truth, simulate

TRUTH = Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=16)
DECLARED = document(epoch={"target": "60 s", "compute": "50 s"})
TEXT = "# ours\n" + yaml.safe_dump(DECLARED, sort_keys=False)
PERMISSIONS = (
    "sagemaker:DescribeTrainingJob",
    "fsx:DescribeFileSystems",
    "cloudwatch:ListMetrics",
    "cloudwatch:GetMetricData",
)
SEEDS = 48
PASSING = (Fault.DELAY, Fault.FAULT, Fault.THROTTLED, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.CUT_WITHIN)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a local AWS in which a job ran."""
    with local_aws("tests.live.taught_training_jobs") as address, pytest.MonkeyPatch.context() as patch:
        for name, value in aws_variables(address, tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        boto3.DEFAULT_SESSION = None
        start = (datetime.now(UTC) - timedelta(hours=2)).replace(second=0, microsecond=0)
        run(simulate(TRUTH), "job", start)
        yield address


@pytest.fixture
def faults(endpoint: str, monkeypatch: pytest.MonkeyPatch, here: None) -> Iterator[Faults]:
    """Lead boto3 through a proxy."""
    faults = Faults(lambda _: Fault.NONE)
    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield faults


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the workload file."""
    path = tmp_path / "workload.yaml"
    path.write_text(TEXT)
    return path


def leave_alone(file: Path) -> None:
    """Assert that a file is as it was, and that nothing lies beside it."""
    assert file.read_text() == TEXT
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def of(permission: str, faults: Faults, fault: Fault) -> None:
    """Let one call fail, and those before it pass."""
    operation = permission.partition(":")[2]
    faults.chosen = lambda asked: fault if asked == operation else Fault.NONE


@pytest.mark.parametrize("permission", PERMISSIONS)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.FAULT, "AWS failed on {}, also after retries (500 InternalFailure"),
        (Fault.THROTTLED, "AWS throttles {}, also after retries"),
        (Fault.CUT_BEFORE, "the connection broke during {}"),
        (Fault.CUT_WITHIN, "the connection broke during {}"),
        (Fault.DENIED, "{} is not allowed: User x is not authorized"),
        (Fault.EXPIRED, "the credentials have expired"),
    ],
)
def test_each_failure_of_each_call_is_told_in_one_sentence(
    permission: str, fault: Fault, said: str, faults: Faults, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    of(permission, faults, fault)
    sentence = assert_one_sentence(called("tune", "job", "--file", file, "--write"))
    assert sentence.startswith(f"job: {said.format(permission)}")
    leave_alone(file)


def test_without_credentials_it_says_to_sign_in(endpoint: str, variables: dict[str, str], file: Path) -> None:
    bare = {name: value for name, value in variables.items() if "KEY" not in name}
    sentence = assert_one_sentence(epochwise_live("tune", "job", "--file", file, "--write", variables=bare))
    assert "there are no credentials to sign with" in sentence
    leave_alone(file)


def test_a_region_that_nobody_answers_for_is_told(variables: dict[str, str], file: Path) -> None:
    nowhere = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    sentence = assert_one_sentence(epochwise_live("tune", "job", "--file", file, "--write", variables=nowhere))
    assert "no connection to sagemaker in us-east-1" in sentence
    leave_alone(file)


def test_a_failure_that_passes_is_never_seen(faults: Faults, file: Path) -> None:
    faults.chosen = lambda _: Fault.NONE if len(faults.struck) % 2 else Fault.CUT_WITHIN
    done = called("tune", "job", "--file", file, "--write", AWS_MAX_ATTEMPTS="3")
    assert done.returncode == 0, done.stderr
    assert file.read_text() != TEXT


@pytest.fixture(scope="module")
def whole(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file as it should be once what was measured is in it."""
    file = tmp_path_factory.mktemp("whole") / "workload.yaml"
    file.write_text(TEXT)
    variables = aws_variables(endpoint, file.parent)
    done = epochwise_live("tune", "job", "--file", file, "--write", variables=variables)
    assert done.returncode == 0, done.stderr
    assert file.read_text() != TEXT
    return file.read_text()


def test_with_random_faults_the_file_is_as_it_was_or_as_it_should_be(
    faults: Faults, file: Path, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    for seed in range(SEEDS):
        file.write_text(TEXT)
        share = (0.1, 0.3, 0.6)[seed % 3]
        faults.chosen = at_random(seed, share, (*PASSING, Fault.MALFORMED, Fault.DENIED, Fault.EXPIRED))
        done = called("tune", "job", "--file", file, "--write", AWS_MAX_ATTEMPTS=str(1 + seed % 2))
        ended.append(done.returncode)
        if done.returncode:
            assert_one_sentence(done)
            leave_alone(file)
        else:
            assert "Traceback" not in done.stderr
            assert file.read_text() == whole, seed
            assert [each.name for each in file.parent.iterdir()] == [file.name], seed
    # the seeds are worth something: some runs get through, and some do not
    assert min(ended.count(0), ended.count(2)) >= SEEDS / 6


@pytest.mark.parametrize("seed", range(4))
def test_with_random_faults_a_process_ends_in_one_sentence(
    seed: int, faults: Faults, file: Path, whole: str, variables: dict[str, str]
) -> None:
    faults.chosen = at_random(1000 + seed, share=0.5, faults=PASSING)
    asked = variables | {"AWS_ENDPOINT_URL": os.environ["AWS_ENDPOINT_URL"], "AWS_MAX_ATTEMPTS": "2"}
    done = epochwise_live("tune", "job", "--file", file, "--write", variables=asked)
    if done.returncode:
        assert_one_sentence(done)
        leave_alone(file)
    else:
        assert file.read_text() == whole
