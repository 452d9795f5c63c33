"""watch goes on without what it cannot ask, and ends in one sentence where there is nothing to show."""

import json
from collections import Counter
from types import SimpleNamespace

import pytest

from epochwise.live.failure import UnwellError
from epochwise.live.run_follower import MOST_LOST_LOOKS
from epochwise.live.run_target import follower_of
from tests.cli.command_line import called
from tests.live.deployed_guide import ACCOUNT
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.guide_runs import watched
from tests.live.local_aws import REGION, assert_one_sentence, free_port

EXPRESS = f"arn:aws:states:{REGION}:{ACCOUNT}:express"
JOB = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/guide-1"


@pytest.mark.parametrize(
    ("operation", "said", "lost"),
    [
        ("GetMetricData", "metrics: cloudwatch:GetMetricData is not allowed", "use"),
        ("GetExecutionHistory", "findings: states:GetExecutionHistory is not allowed", "findings"),
        ("DescribeTrainingJob", "the job: sagemaker:DescribeTrainingJob is not allowed", "job"),
        ("ListTagsForResource", "demand and ceiling: states:ListTagsForResource is not allowed", "ceiling_mbps"),
        ("GetTemplate", "demand and ceiling: stack guide: cloudformation:GetTemplate is not allowed", "ceiling_mbps"),
    ],
)
def test_what_may_not_be_asked_is_said_and_the_rest_is_shown(
    endpoint: str, variables: dict[str, str], running: tuple[str, str], operation: str, said: str, lost: str
) -> None:
    def chosen(asked: str) -> Fault:
        return Fault.DENIED if asked == operation or operation in asked else Fault.NONE

    faults = Faults(chosen)
    with fault_proxy(endpoint, faults) as address:
        done = watched(variables | {"AWS_ENDPOINT_URL": address}, running[0], "--once", "--json")
    look = json.loads(done.stdout)
    assert [fault for _, fault in faults.struck].count(Fault.DENIED) > 0
    assert [unknown for unknown in look["unknown"] if unknown.startswith(said)]
    assert not look[lost]
    assert look["execution"]["status"] == "RUNNING"


@pytest.mark.usefixtures("here")
def test_a_run_that_can_no_longer_be_looked_at_ends_after_some_looks(
    endpoint: str, running: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = Faults(lambda _: Fault.NONE)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        follower = follower_of(running[0], "guide")
        good = follower.look()
        faults.chosen = lambda _: Fault.FAULT
        for _ in range(MOST_LOST_LOOKS):
            lost = follower.look()
            assert lost.job == good.job
            assert lost.unknown[0].startswith("how it stands now: AWS failed on states:DescribeExecution")
        with pytest.raises(UnwellError):
            follower.look()
        faults.chosen = lambda _: Fault.NONE
        assert follower.look().unknown == ()
        faults.chosen = lambda _: Fault.FAULT
        assert follower.look().unknown, "counted from the start again"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("guide-absent",), "guide-absent: there is no training job guide-absent in us-east-1"),
        (("absent", "--stack", "guide"), "absent: there is no training job absent in us-east-1"),
        (("running", "--stack", "absent"), "stack absent: does not exist in this account and Region"),
        (("running", "--stack", "guide", "--machine", "other"), "has no training job other; there is JobResource"),
    ],
)
def test_what_is_not_there_is_told(variables: dict[str, str], arguments: tuple[str, ...], said: str) -> None:
    assert said in assert_one_sentence(watched(variables, *arguments, status=2))


@pytest.mark.usefixtures("here", "running")
def test_of_a_run_that_does_not_exist_nothing_is_said_to_go_on() -> None:
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:absent"
    sentence = assert_one_sentence(called("watch", arn))
    assert "finds nothing of that name" in sentence
    assert "follow it" not in sentence


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("",), "EXECUTION|JOB must be a training job's name, or the ARN of an execution, arn:aws:states:"),
        (("arn:foo",), "got 'arn:foo'"),
        ((f"{EXPRESS}:guide:one:two",), "an express execution cannot be looked at later"),
        ((f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:guide",), "name one of its executions"),
        (("a b", "--stack", "guide"), "must be an execution's or a training job's name"),
        (("job", "--stack", ""), "--stack must be the name of a stack"),
        ((JOB, "--region", "eu-west-1"), f"--region must be the ARN's Region, {REGION}, or left out"),
    ],
)
def test_what_names_no_run_is_told_without_asking(arguments: tuple[str, ...], said: str) -> None:
    assert said in assert_one_sentence(called("watch", *arguments))


RUNS = 16


@pytest.mark.usefixtures("here")
def test_random_faults_end_in_a_look_or_in_one_sentence(
    endpoint: str, running: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    faults, ended = Faults(lambda _: Fault.NONE), Counter[int]()
    kinds = tuple(fault for fault in Fault if fault not in {Fault.NONE, Fault.LATE})
    with fault_proxy(endpoint, faults) as address:
        for seed in range(RUNS):
            faults.chosen = at_random(seed, (0.1, 0.4)[seed % 2], kinds)
            led = {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": str(1 + seed % 2)}
            done = called("watch", running[seed % 2], "--once", "--json", **led)
            ended[done.returncode] += 1
            if done.returncode == 0:
                assert done.stderr == "", seed
                look = json.loads(done.stdout)
                assert look["execution"]["arn"] == running[0] if look["execution"] else look["unknown"], seed
            else:
                assert_one_sentence(done)
                assert done.stdout == "", seed
    assert min(ended[0], ended[2]) >= RUNS / 6, ended
    assert {fault for _, fault in faults.struck} >= set(kinds)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.FAULT, "AWS failed on states:DescribeExecution"),
        (Fault.THROTTLED, "AWS throttles states:DescribeExecution"),
        (Fault.CUT_BEFORE, "the connection broke during states:DescribeExecution"),
        (Fault.CUT_AFTER, "the connection broke during states:DescribeExecution"),
        (Fault.CUT_WITHIN, "the connection broke during states:DescribeExecution"),
        (Fault.DENIED, "states:DescribeExecution is not allowed"),
        (Fault.EXPIRED, "the credentials have expired"),
    ],
)
def test_each_failure_of_aws_ends_in_one_sentence(
    endpoint: str, variables: dict[str, str], running: tuple[str, str], fault: Fault, said: str
) -> None:
    with fault_proxy(endpoint, Faults(lambda asked: fault if asked == "DescribeExecution" else Fault.NONE)) as address:
        through = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"}
        done = watched(through, running[0], "--once", status=2)
    sentence = assert_one_sentence(done)
    assert sentence.startswith("running: ")
    assert said in sentence
    assert done.stdout == ""


def test_an_account_that_cannot_be_reached_is_told(variables: dict[str, str]) -> None:
    nowhere = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    assert "no connection to" in assert_one_sentence(watched(nowhere, "guide-1", status=2))
    nobody = {name: value for name, value in variables.items() if "KEY" not in name}
    assert "there are no credentials to sign with" in assert_one_sentence(watched(nobody, "guide-1", status=2))
