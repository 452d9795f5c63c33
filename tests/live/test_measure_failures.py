"""`epochwise measure` as a process: how it ends when AWS does not answer, and what is left then."""

import signal
import time
from pathlib import Path
from threading import Event

import pytest

from epochwise.workload import Workload
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import assert_one_sentence, aws_variables, epochwise_live, free_port, started_live
from tests.live.measured_bucket import FLAT, KEYS, WORKLOAD
from tests.live.synthetic import truth


def test_a_file_that_cannot_be_written_is_told_before_anything_is_listed(workload_file: Path, tmp_path: Path) -> None:
    workload_file.write_text(WORKLOAD.replace("nodes: 4", "nodes: four"))
    nobody = aws_variables(f"http://127.0.0.1:{free_port()}", tmp_path)
    done = epochwise_live("measure", FLAT, "--write", workload_file, variables=nobody)
    assert "cluster.nodes: must be a valid integer, got 'four'" in assert_one_sentence(done)


def test_what_was_counted_is_shown_also_where_it_can_no_longer_be_written(
    led_to_bucket: dict[str, str], small_bucket: str, workload_file: Path
) -> None:
    def meanwhile(_: str) -> Fault:
        workload_file.write_text("broken: [")
        return Fault.NONE

    faults = Faults(meanwhile)
    with fault_proxy(small_bucket, faults) as address:
        done = epochwise_live(
            "measure", FLAT, "--write", workload_file, variables=led_to_bucket | {"AWS_ENDPOINT_URL": address}
        )
    assert f"{truth(KEYS, 'data/flat/').objects} files" in done.stdout
    assert "written" not in done.stdout
    assert "is not YAML" in assert_one_sentence(done)


FAILURES = [
    (Fault.DENIED, "s3:ListBucket is not allowed"),
    (Fault.EXPIRED, "the credentials have expired"),
    (Fault.THROTTLED, "AWS throttles s3:ListBucket"),
    (Fault.FAULT, "AWS failed on s3:ListBucket"),
    (Fault.CUT_BEFORE, "the connection broke during s3:ListBucket"),
    (Fault.CUT_AFTER, "the connection broke during s3:ListBucket"),
    (Fault.CUT_WITHIN, ""),
]


@pytest.mark.parametrize(("fault", "said"), FAILURES)
def test_a_failure_of_aws_ends_in_one_sentence_and_leaves_the_file_alone(
    fault: Fault, said: str, led_to_bucket: dict[str, str], small_bucket: str, workload_file: Path
) -> None:
    # the second page fails, when there is a first one already
    faults = Faults(lambda _: fault if faults.struck else Fault.NONE)
    with fault_proxy(small_bucket, faults) as address:
        done = epochwise_live(
            "measure", FLAT, "--write", workload_file, variables=led_to_bucket | {"AWS_ENDPOINT_URL": address}
        )
    sentence = assert_one_sentence(done)
    assert sentence.startswith(f"{FLAT}: {said}")
    assert done.stdout == ""
    assert workload_file.read_text() == WORKLOAD


def test_absent_credentials_an_absent_region_and_an_absent_service_are_told(led_to_bucket: dict[str, str]) -> None:
    without = {name: value for name, value in led_to_bucket.items() if "KEY" not in name}
    assert "sign in first" in assert_one_sentence(epochwise_live("measure", FLAT, variables=without))
    nowhere = {name: value for name, value in led_to_bucket.items() if name != "AWS_DEFAULT_REGION"}
    assert "set AWS_REGION" in assert_one_sentence(epochwise_live("measure", FLAT, variables=nowhere))
    assert epochwise_live("measure", FLAT, "--region", "eu-west-1", variables=nowhere).returncode == 0
    nobody = led_to_bucket | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"}
    assert "no connection to s3" in assert_one_sentence(epochwise_live("measure", FLAT, variables=nobody))


@pytest.mark.parametrize("seed", range(10))
def test_random_faults_leave_the_file_whole(
    seed: int, led_to_bucket: dict[str, str], small_bucket: str, workload_file: Path
) -> None:
    faults = Faults(at_random(seed, 0.15, tuple(fault for fault, _ in FAILURES)))
    with fault_proxy(small_bucket, faults) as address:
        led = led_to_bucket | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "2"}
        done = epochwise_live("measure", FLAT, "--write", workload_file, variables=led)
    if done.returncode == 0:
        assert Workload.from_file(workload_file).dataset.size == truth(KEYS, "data/flat/").size_bytes
    else:
        assert_one_sentence(done)
        assert workload_file.read_text() == WORKLOAD
    assert sorted(path.name for path in workload_file.parent.iterdir()) == [workload_file.name]


def test_ctrl_c_ends_at_once_in_one_sentence(
    led_to_bucket: dict[str, str], small_bucket: str, workload_file: Path
) -> None:
    asked, over = Event(), Event()

    def chosen(_: str) -> Fault:
        if faults.struck:
            asked.set()
            over.wait(60)
        return Fault.NONE

    faults = Faults(chosen)
    with fault_proxy(small_bucket, faults) as address:
        led = led_to_bucket | {"AWS_ENDPOINT_URL": address}
        running = started_live("measure", FLAT, "--write", workload_file, variables=led, stdout=-1, stderr=-1)
        try:
            assert asked.wait(60)
            start = time.monotonic()
            running.send_signal(signal.SIGINT)
            output, errors = running.communicate(timeout=30)
        finally:
            over.set()
    assert time.monotonic() - start < 15
    assert (running.returncode, output) == (130, "")
    assert errors.strip() == f"{FLAT}: interrupted; nothing was changed"
    assert workload_file.read_text() == WORKLOAD
