"""`epochwise measure` as a process: how it ends when AWS does not answer, and what is left then."""

import signal
import time
from collections import Counter
from datetime import date
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from epochwise.cli import measure_command
from epochwise.sizing.measurement import Measurement, Method
from epochwise.workload import Workload
from tests.cli.command_line import called
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


def test_a_prefix_that_holds_only_folder_markers_holds_no_files(
    monkeypatch: pytest.MonkeyPatch, workload_file: Path
) -> None:
    empty = Measurement("s3://bucket/", Method.LISTING, date(2026, 10, 9), 2, 2, 0, None, {})
    monkeypatch.setattr(measure_command, "_measured", lambda *_, **__: empty)
    sentence = assert_one_sentence(called("measure", "s3://bucket/", "--write", workload_file))
    assert sentence.startswith("s3://bucket/: holds no objects, only 2 folder markers; look at the prefix")
    assert workload_file.read_text() == WORKLOAD


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


RUNS, AS_PROCESSES = 24, 12
"""Every so manieth run is a process of its own."""
READ_TIMEOUT_S = 1


def test_random_faults_leave_the_file_whole(
    led_to_bucket: dict[str, str], small_bucket: str, workload_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    monkeypatch.setattr("epochwise.live.aws.READ_TIMEOUT_S", READ_TIMEOUT_S)
    faults, ended = Faults(lambda _: Fault.NONE, late_s=READ_TIMEOUT_S + 0.5), Counter[int]()
    kinds = (*(fault for fault, _ in FAILURES), Fault.DELAY, Fault.MALFORMED)
    with fault_proxy(small_bucket, faults) as address:
        led = led_to_bucket | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "2"}
        call = ("measure", FLAT, "--write", workload_file)
        for seed in range(RUNS):
            workload_file.write_text(WORKLOAD)
            # an answer that comes later than anyone waits for is slow to test: in some runs
            faults.chosen = at_random(seed, (0.05, 0.15)[seed % 2], (*kinds, Fault.LATE) if seed % 6 == 1 else kinds)
            done = epochwise_live(*call, variables=led) if seed % AS_PROCESSES == 0 else called(*call, **led)
            ended[done.returncode] += 1
            if done.returncode == 0:
                assert Workload.from_file(workload_file).dataset.size == truth(KEYS, "data/flat/").size_bytes
            else:
                assert_one_sentence(done)
                assert workload_file.read_text() == WORKLOAD, seed
            assert [path.name for path in workload_file.parent.iterdir()] == [workload_file.name], seed
    assert min(ended[0], ended[2]) >= RUNS / 8, ended
    struck = {fault for _, fault in faults.struck}
    assert {Fault.MALFORMED, Fault.LATE, Fault.CUT_WITHIN} <= struck


def test_an_answer_that_comes_too_late_is_told(
    led_to_bucket: dict[str, str], small_bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("epochwise.live.aws.READ_TIMEOUT_S", 0.2)
    with fault_proxy(small_bucket, Faults(lambda _: Fault.LATE, late_s=0.7)) as address:
        done = called("measure", FLAT, **led_to_bucket | {"AWS_ENDPOINT_URL": address})
    assert "the connection broke during s3:ListBucket, also after retries: Read timeout" in assert_one_sentence(done)


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
