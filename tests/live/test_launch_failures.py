"""Whatever AWS does not answer and whatever cannot be launched ends in one sentence, with nothing started twice."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.job_machine import until
from tests.live.deployed_guide import (
    ACCOUNT,
    GUIDE,
    Client,
    client_of,
    deploy,
    executions,
    guide_aws,
    job_of,
    machine,
)
from tests.live.fault_proxy import Fault, Faults, fault_proxy
from tests.live.guide_runs import HYPER, launched
from tests.live.local_aws import REGION, assert_one_sentence, epochwise_live, free_port


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with guide_aws() as address:
        yield address


@pytest.fixture(scope="module")
def client(endpoint: str) -> Client:
    return client_of(endpoint)


@pytest.mark.parametrize("attempts", ["1", "3"])
def test_a_connection_that_breaks_after_the_start_starts_one_execution(
    endpoint: str, variables: dict[str, str], client: Client, attempts: str
) -> None:
    cut = [Fault.CUT_AFTER]
    faults = Faults(lambda operation: cut.pop() if operation == "StartExecution" and cut else Fault.NONE)
    before = len(executions(client, "guide"))
    with fault_proxy(endpoint, faults) as address:
        through = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": attempts}
        call = ("--set", f"{HYPER}.forever={attempts}", "--json")
        if attempts == "1":
            sentence = assert_one_sentence(launched(through, *call, status=2))
            assert "whether it was started is not known: repeat the same command" in sentence
        started = json.loads(launched(through, *call).stdout)
    assert len(executions(client, "guide")) == before + 1
    assert until(lambda: job_of(client, started["execution_arn"])) == [started["job_name"]]
    client("stepfunctions").stop_execution(executionArn=started["execution_arn"])


def test_a_run_that_ended_while_the_connection_was_broken_is_still_the_one_that_was_started(
    endpoint: str, variables: dict[str, str]
) -> None:
    cut = [Fault.CUT_AFTER]

    def chosen(operation: str) -> Fault:
        if operation != "StartExecution":
            return Fault.NONE
        if cut:
            return cut.pop()
        # the machine refuses its input within a moment
        time.sleep(3)
        return Fault.NONE

    with fault_proxy(endpoint, Faults(chosen)) as address:
        through = variables | {"AWS_ENDPOINT_URL": address}
        done = launched(through, "--set", f"{HYPER}.fails_with=soon", "--wait", status=1)
    assert "TrainingJobFailed" in done.stdout
    assert "is there already" not in done.stderr


FAULTS = [
    (Fault.FAULT, "AWS failed on"),
    (Fault.THROTTLED, "AWS throttles"),
    (Fault.CUT_BEFORE, "the connection broke during"),
    (Fault.CUT_WITHIN, "the connection broke during"),
    (Fault.DENIED, "is not allowed: User x is not authorized"),
    (Fault.EXPIRED, "the credentials have expired"),
]


@pytest.mark.parametrize(("fault", "said"), FAULTS, ids=[fault for fault, _ in FAULTS])
@pytest.mark.parametrize("operation", ["GetTemplate", "StartExecution"])
def test_each_failure_of_aws_ends_in_one_sentence(
    endpoint: str, variables: dict[str, str], client: Client, fault: Fault, said: str, operation: str
) -> None:
    before = len(executions(client, "guide"))
    with fault_proxy(endpoint, Faults(lambda asked: fault if asked == operation else Fault.NONE)) as address:
        through = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"}
        done = launched(through, "--set", f"{HYPER}.never={fault}", "--wait", status=2)
    sentence = assert_one_sentence(done)
    assert said in sentence
    assert sentence.startswith("stack guide: ")
    if fault is not Fault.CUT_WITHIN or operation != "StartExecution":
        assert len(executions(client, "guide")) == before
    assert done.stdout == ""


def test_an_account_that_cannot_be_reached_is_told(variables: dict[str, str]) -> None:
    nowhere = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    assert "no connection to" in assert_one_sentence(launched(nowhere, status=2))
    nobody = {name: value for name, value in variables.items() if "KEY" not in name}
    assert "there are no credentials to sign with" in assert_one_sentence(launched(nobody, status=2))
    without_region = {name: value for name, value in variables.items() if "REGION" not in name}
    assert "no Region is named" in assert_one_sentence(launched(without_region, status=2))


def test_a_failure_in_the_midst_of_a_wait_does_not_end_it(endpoint: str, variables: dict[str, str]) -> None:
    struck: list[str] = []

    def chosen(operation: str) -> Fault:
        struck.append(operation)
        return Fault.FAULT if operation == "DescribeExecution" and struck.count(operation) == 2 else Fault.NONE

    with fault_proxy(endpoint, Faults(chosen)) as address:
        through = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"}
        done = launched(through, "--wait", "--set", f"{HYPER}.looks=10", "--set", f"{HYPER}.on=1")
    assert "not known: how it stands now: AWS failed on states:DescribeExecution" in done.stdout
    assert "succeeded after" in done.stdout.splitlines()[-1]


def test_credentials_that_expire_in_the_midst_of_a_wait_end_it_and_say_how_to_go_on(
    endpoint: str, variables: dict[str, str], client: Client
) -> None:
    seen: list[str] = []

    def chosen(operation: str) -> Fault:
        seen.append(operation)
        return Fault.EXPIRED if seen.count("DescribeExecution") > 1 else Fault.NONE

    with fault_proxy(endpoint, Faults(chosen)) as address:
        through = variables | {"AWS_ENDPOINT_URL": address}
        done = launched(through, "--wait", "--name", "expiring", "--set", f"{HYPER}.forever=1", status=2)
    sentence = assert_one_sentence(done)
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:expiring"
    assert "the credentials have expired (ExpiredTokenException); sign in again; the run is left as it is" in sentence
    assert f"follow it with `epochwise watch {arn}`" in sentence
    client("stepfunctions").stop_execution(executionArn=arn)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--set", "dataset.size=200 GB"), "[LAUNCH_NEEDS_DEPLOY]"),
        (("--set", "cluster.nodes=9"), "[LAUNCH_SHAPE_NOT_DEPLOYED]"),
        (("--set", "training.image=elsewhere:1"), "[LAUNCH_IMAGE_NOT_DEPLOYED]"),
        (("--job-name", "other"), "[JOB_NAME_INVALID]"),
        (("--set", "cluster.nodes=none"), "cluster.nodes: "),
        (("--machine", "other"), "has no training job other; there is JobResource"),
    ],
)
def test_what_cannot_be_launched_is_refused_before_anything_starts(
    variables: dict[str, str], client: Client, arguments: tuple[str, ...], said: str
) -> None:
    before = len(executions(client, "guide"))
    done = launched(variables, *arguments, status=2)
    assert said in assert_one_sentence(done)
    assert done.stdout == ""
    assert len(executions(client, "guide")) == before


def test_what_is_wrong_without_an_account_is_said_without_asking_one(variables: dict[str, str]) -> None:
    nowhere = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"}
    assert "[EXECUTION_NAME_INVALID]" in assert_one_sentence(launched(nowhere, "--name", "a b", status=2))
    bare = launched(nowhere, "--set", "training=null", status=2)
    assert "[NO_TRAINING_DECLARED]" in assert_one_sentence(bare)
    ec2 = ("--set", "cluster.platform=ec2", "--set", "cluster.instance_type=p4d.24xlarge")
    assert "[TRAINING_NOT_SAGEMAKER]" in assert_one_sentence(launched(nowhere, *ec2, status=2))


def test_a_stack_that_is_not_there_is_told_with_the_region_of_the_file(variables: dict[str, str]) -> None:
    there = launched(variables | {"AWS_DEFAULT_REGION": "eu-west-1"}, status=2)
    asked = "does not exist in this account and Region; eu-west-1 was asked, and the file is planned for us-east-1: "
    assert f"stack guide: {asked}--region us-east-1" in assert_one_sentence(there)
    elsewhere = epochwise_live("launch", GUIDE, "--stack", "absent", variables=variables)
    assert assert_one_sentence(elsewhere) == "stack absent: does not exist in this account and Region"


def test_a_stack_without_a_job_or_with_several_is_told(
    variables: dict[str, str], client: Client, tmp_path: Path
) -> None:
    deploy(client, "without", {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {}}})
    two = {f"Job{number}": machine(f"two-{number}") for number in (1, 2)}
    deploy(client, "two", two)

    def on(stack: str, *arguments: str, status: int) -> subprocess.CompletedProcess[str]:
        done = epochwise_live("launch", GUIDE, "--stack", stack, *arguments, variables=variables, cwd=tmp_path)
        assert done.returncode == status, (done.stdout, done.stderr)
        return done

    assert "stack absent: does not exist" in assert_one_sentence(on("absent", status=2))
    assert "stack without: has no TrainingJob" in assert_one_sentence(on("without", status=2))
    several = assert_one_sentence(on("two", status=2))
    assert "has several training jobs, Job1, Job2; name one with --machine" in several
    for name, place in (("Job2", "two-2-job"), ("two-1-job", "two-1-job")):
        started = json.loads(on("two", "--machine", name, "--json", status=0).stdout)
        assert f":execution:{place}:guide-" in started["execution_arn"]
