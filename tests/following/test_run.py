"""How a run stands follows from its execution, and from its job where there is no execution."""

import json
from dataclasses import replace

import pytest

from epochwise.following.arns import ExecutionArn, TrainingJobArn
from epochwise.following.links import links_of
from epochwise.following.pace import LONGEST_S, SHORTEST_S, next_wait_s
from epochwise.following.run import Execution, Outcome
from tests.following.runs import ARN, NOON, STORAGE, job, minutes, run

CN = "arn:aws-cn:states:cn-north-1:123456789012:execution:machine:one"


@pytest.mark.parametrize(
    ("status", "error", "outcome", "reason"),
    [
        ("RUNNING", None, Outcome.RUNNING, None),
        ("PENDING_REDRIVE", None, Outcome.RUNNING, None),
        ("SUCCEEDED", None, Outcome.SUCCEEDED, None),
        ("FAILED", "TrainingJobFailed", Outcome.FAILED, "TrainingJobFailed: because"),
        ("FAILED", "InputRefused", Outcome.FAILED, "InputRefused: because"),
        ("FAILED", "TrainingJobStopped", Outcome.STOPPED, "TrainingJobStopped: because"),
    ],
)
def test_an_execution_decides(status: str, error: str | None, outcome: Outcome, reason: str | None) -> None:
    cause = None if error is None else "because"
    found = run(execution=Execution(ARN, status, NOON, None, error, cause), job=job(status="Completed"))
    assert (found.outcome, found.reason, found.ended) == (outcome, reason, outcome is not Outcome.RUNNING)


@pytest.mark.parametrize("status", ["ABORTED", "TIMED_OUT"])
def test_an_execution_that_was_ended_from_outside_is_stopped(status: str) -> None:
    found = run(execution=Execution(ARN, status, NOON, NOON))
    assert (found.outcome, found.reason) == (Outcome.STOPPED, status)


@pytest.mark.parametrize(
    ("status", "reason", "outcome", "said"),
    [
        ("InProgress", None, Outcome.RUNNING, None),
        ("Stopping", None, Outcome.RUNNING, None),
        ("Completed", None, Outcome.SUCCEEDED, None),
        ("Failed", "AlgorithmError", Outcome.FAILED, "AlgorithmError"),
        ("Stopped", None, Outcome.STOPPED, "the job is Stopped, MaxRuntimeExceeded"),
    ],
)
def test_a_job_decides_where_there_is_no_execution(
    status: str, reason: str | None, outcome: Outcome, said: str | None
) -> None:
    alone = run(execution=None, job=job(status=status, secondary="MaxRuntimeExceeded", failure_reason=reason))
    assert (alone.outcome, alone.reason) == (outcome, said)


def test_a_job_that_is_not_there_yet_runs() -> None:
    found = run(execution=None, job=None)
    assert (found.outcome, found.training_s, found.name) == (Outcome.RUNNING, None, "guide-1")
    assert replace(found, job_name=None, execution=Execution(ARN, "RUNNING", NOON)).name == "guide-1"


def test_training_takes_until_now_or_until_its_end() -> None:
    assert run().training_s == 1800.0
    assert run(job=job(training_end=NOON - minutes(10))).training_s == 1200.0
    assert run(job=job(training_start=None)).training_s is None
    assert run(job=job(training_start=NOON + minutes(1))).training_s == 0.0


def test_a_run_is_json() -> None:
    document = json.loads(json.dumps(run().as_dict()))
    assert document["job"]["debugger_rules"] == {"CPUBottleneck": "InProgress"}
    assert document["findings"][0]["evidence"] == {"read_mbps": 2300.0}
    assert document["use"]["hosts"]["algo-1"]["gpu"] == 90.0
    assert document["outcome"] == "running"
    empty = json.loads(json.dumps(run(execution=None, job=None, use=None).as_dict()))
    assert (empty["execution"], empty["job"], empty["use"]) == (None, None, None)


def test_looks_come_soon_after_a_change_and_then_less_and_less_often() -> None:
    waits, before, waited = [], None, 0.0
    for _ in range(15):
        waited = next_wait_s(waited, before, run())
        before = run()
        waits.append(waited)
    assert waits[0] == SHORTEST_S
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_S
    for changed in (
        run(job=job(secondary="Uploading")),
        run(findings=(STORAGE, STORAGE)),
        run(execution=Execution(ARN, "SUCCEEDED", NOON)),
    ):
        assert next_wait_s(LONGEST_S, before, changed) == SHORTEST_S


@pytest.mark.parametrize(
    "text",
    [
        "guide-1",
        "arn:aws:states:us-east-1:123456789012:stateMachine:machine",
        "arn:aws:states:us-east-1:12345:execution:machine:one",
        ARN + ":more",
        "",
    ],
)
def test_what_is_no_executions_arn_is_none(text: str) -> None:
    assert ExecutionArn.parse(text) is None
    assert TrainingJobArn.parse(text) is None


def test_an_execution_is_named_after_its_machine() -> None:
    parsed = ExecutionArn.parse(CN)
    assert parsed is not None
    assert str(parsed) == CN
    assert ExecutionArn.of(parsed.machine_arn, "one") == parsed
    with pytest.raises(ValueError, match="must be the ARN of a state machine, got 'x'"):
        ExecutionArn.of("x", "one")


@pytest.mark.parametrize(
    ("partition", "region", "host"),
    [
        ("aws", "us-east-1", "us-east-1.console.aws.amazon.com"),
        ("aws-cn", "cn-north-1", "cn-north-1.console.amazonaws.cn"),
        ("aws-us-gov", "us-gov-west-1", "us-gov-west-1.console.amazonaws-us-gov.com"),
    ],
)
def test_links_lead_to_the_console_of_the_partition(partition: str, region: str, host: str) -> None:
    execution = ExecutionArn(partition, region, "123456789012", "machine", "one")
    links = links_of(execution, "guide-1", ["guide dash"])
    assert [link.title for link in links] == ["execution", "training job", "dashboard"]
    assert all(link.url.startswith(f"https://{host}/") and f"region={region}#" in link.url for link in links)
    assert links[0].url.endswith(f"/details/{execution}")
    assert links[2].url.endswith("/guide%20dash")
    assert len(links_of(execution, None)) == 1


def test_a_console_that_is_not_known_gets_no_link() -> None:
    assert links_of(ExecutionArn("aws-iso", "us-iso-east-1", "123456789012", "machine", "one"), "guide-1") == ()
