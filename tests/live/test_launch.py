"""launch starts the deployed job once, follows it to its end, and leaves it running when nobody looks any more."""

import json
import os
import pty
import re
import signal
import threading
from collections.abc import Iterator

import pytest

from tests.deploy.job_machine import ended, until
from tests.live.deployed_guide import ACCOUNT, Client, client_of, executions, guide_aws, job_of
from tests.live.guide_runs import HYPER, launched, waited
from tests.live.local_aws import REGION, assert_one_sentence, epochwise_live


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with guide_aws() as address:
        yield address


@pytest.fixture(scope="module")
def client(endpoint: str) -> Client:
    return client_of(endpoint)


def test_a_job_is_started_and_said_where_to_see_it(variables: dict[str, str], client: Client) -> None:
    output = launched(variables, "--name", "first", "--set", "cluster.nodes=2").stdout
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:first"
    assert f"  execution     {arn}\n" in output
    assert "  asked for     nodes 2\n" in output
    assert (
        f"https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1#/v2/executions/details/{arn}" in output
    )
    assert "#dashboards/dashboard/guide-dashboard\n" in output
    assert ended(client, arn)["status"] == "SUCCEEDED"
    [job] = job_of(client, arn)
    assert output.startswith(f"{job}: started ")
    assert f"#/jobs/{job}\n" in output
    assert client("sagemaker").describe_training_job(TrainingJobName=job)["ResourceConfig"]["InstanceCount"] == 2


def test_success_is_waited_for_and_told_with_its_findings(variables: dict[str, str]) -> None:
    done = launched(variables, "--wait", "--set", f"{HYPER}.looks=10", "--set", f"{HYPER}.finds=CPUBottleneck")
    lines = [line for line in done.stdout.splitlines() if re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ guide-", line)]
    assert any("InProgress, Training: Training image download completed" in line for line in lines)
    [finding] = [line for line in lines if "warning CpuBottleneck: SageMaker Debugger found issues" in line]
    assert "succeeded after" in lines[-1]
    assert lines.index(finding) < len(lines) - 1


def test_failure_ends_with_its_reason_and_status_1(variables: dict[str, str]) -> None:
    done = launched(variables, "--wait", "--json", "--set", f"{HYPER}.fails_with='AlgorithmError: oom'", status=1)
    started, *looks = [json.loads(line) for line in done.stdout.splitlines()]
    assert started["input"] == {"hyperparameters": {"fails_with": '"AlgorithmError: oom"'}}
    assert [link["title"] for link in started["links"]] == ["execution", "training job", "dashboard"]
    assert {look["job_name"] for look in looks} == {started["job_name"]}
    assert looks[0]["outcome"] == "running"
    assert (looks[-1]["outcome"], looks[-1]["execution"]["status"]) == ("failed", "FAILED")
    assert looks[-1]["reason"] == f"TrainingJobFailed: {started['job_name']}: AlgorithmError: oom"


def test_a_job_that_is_stopped_ends_with_status_1(variables: dict[str, str], client: Client) -> None:
    process = waited(variables, "--name", "stopped", "--set", f"{HYPER}.forever=1")
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:stopped"
    [job] = until(lambda: job_of(client, arn))
    client("sagemaker").stop_training_job(TrainingJobName=job)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1, errors
    assert f"stopped after 0 s of training: TrainingJobStopped: {job} was stopped before it completed" in re.sub(
        r"after \d+ s", "after 0 s", output
    )


def test_launching_twice_starts_one_job(variables: dict[str, str], client: Client) -> None:
    call = ("--set", f"{HYPER}.forever=twice", "--json")
    before = len(executions(client, "guide"))
    first, second = (json.loads(launched(variables, *call).stdout) for _ in range(2))
    assert first == second
    assert len(executions(client, "guide")) == before + 1
    until(lambda: job_of(client, first["execution_arn"]))
    assert job_of(client, first["execution_arn"]) == [first["job_name"]]
    client("stepfunctions").stop_execution(executionArn=first["execution_arn"])

    sentence = assert_one_sentence(launched(variables, *call, status=2))
    assert "is there already with what is asked for here: ABORTED since" in sentence
    assert f"epochwise watch {first['execution_arn']}" in sentence
    assert "another --name" in sentence
    name = first["execution_arn"].rpartition(":")[2]
    other = launched(variables, "--name", name, "--set", "cluster.nodes=3", status=2)
    assert "is there already with another input" in assert_one_sentence(other)
    assert len(executions(client, "guide")) == before + 1


def test_ctrl_c_leaves_the_job_running_and_says_how_to_go_on(variables: dict[str, str], client: Client) -> None:
    process = waited(variables, "--name", "left", "--set", f"{HYPER}.forever=1")
    assert process.stdout is not None
    while "InProgress, Training" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:left"
    [sentence] = errors.strip().splitlines()
    assert "interrupted; the run is left as it is" in sentence
    assert f"`epochwise watch {arn}`" in sentence
    assert f"`aws stepfunctions stop-execution --execution-arn {arn}`" in sentence
    assert client("stepfunctions").describe_execution(executionArn=arn)["status"] == "RUNNING"
    [job] = job_of(client, arn)
    assert client("sagemaker").describe_training_job(TrainingJobName=job)["TrainingJobStatus"] == "InProgress"
    client("stepfunctions").stop_execution(executionArn=arn)


def test_the_job_may_be_named(variables: dict[str, str], client: Client) -> None:
    started = json.loads(launched(variables, "--job-name", "guide-spring-1", "--json").stdout)
    assert started["input"] == {"job_name_suffix": "spring-1"}
    assert until(lambda: job_of(client, started["execution_arn"])) == ["guide-spring-1"]


def test_on_a_terminal_the_view_changes_in_its_place(variables: dict[str, str]) -> None:
    terminal, inside = pty.openpty()
    on_screen = variables | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "60"}
    process = waited(on_screen, "--set", f"{HYPER}.looks=3", "--set", f"{HYPER}.seen=1", stdout=inside)
    os.close(inside)
    shown = bytearray()

    def collect() -> None:
        try:
            while part := os.read(terminal, 65536):
                shown.extend(part)
        except OSError:
            """The other side has closed it."""

    collecting = threading.Thread(target=collect)
    collecting.start()
    _, errors = process.communicate(timeout=60)
    collecting.join()
    os.close(terminal)
    text = shown.decode()
    assert (process.returncode, errors) == (0, "")
    assert "\x1b[1A\x1b[2K" in text
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.rpartition("\x1b[1A\x1b[2K")[2])
    assert re.search(r"guide-[0-9a-f]{32}: succeeded after", last)
    assert "demand 3333 MB/s; ceiling 3671 MB/s" in " ".join(last.split())
    assert text.endswith("\x1b[?25h")


def test_help_says_what_it_does(variables: dict[str, str]) -> None:
    done = epochwise_live("launch", "--help", variables=variables)
    assert done.returncode == 0
    assert "Start the deployed training job, once however often it is repeated." in done.stdout
    for option in ("--stack", "--set", "--name", "--job-name", "--machine", "--wait", "--json"):
        assert option in done.stdout
