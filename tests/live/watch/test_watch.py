"""watch shows a run that is there already: its nodes, its storage, its findings."""

import json
import signal
from collections import Counter
from typing import Any

import pytest

from epochwise.live.run_target import follower_of
from epochwise.workload.training_section import OWNER_VARIABLE
from tests.deploy.job_machine import ended, start, until
from tests.live.deployed_guide import ACCOUNT, Client, begun, deploy, job_of, machine
from tests.live.fault_proxy import Fault, Faults, fault_proxy
from tests.live.guide_runs import MACHINE, watched
from tests.live.local_aws import REGION

FINDS = {"hyperparameters": {"finds": "CPUBottleneck", "looks": "3"}}


def test_a_run_is_shown_with_its_nodes_its_storage_and_its_findings(
    variables: dict[str, str], running: tuple[str, str]
) -> None:
    arn, job = running
    shown = watched(variables, arn, "--once").stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[0].startswith(f"{job}: InProgress, Training after")
    assert "algo-1 5 33 10 -" in lines
    assert "algo-3 15 33 30 -" in lines
    text = " ".join(lines)
    assert "delivers 2300 MB/s (63% of its ceiling); demand 3333 MB/s; ceiling 3671 MB/s" in text
    assert "1 without metrics" in text
    assert "warning CpuBottleneck: SageMaker Debugger found issues: CPUBottleneck" in text
    assert "CPUBottleneck: IssuesFound, by debugger" in text
    assert "not known" not in text
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("named", ["arn", "name", "job", "job arn"])
def test_a_run_may_be_named_in_every_way(variables: dict[str, str], running: tuple[str, str], named: str) -> None:
    arn, job = running
    arguments = {
        "arn": [arn],
        "name": ["running", "--stack", "guide"],
        "job": [job],
        "job arn": [f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/{job}"],
    }
    done = watched(variables, *arguments[named], "--once", "--json")
    look = json.loads(done.stdout)
    assert (look["execution"]["arn"], look["job"]["name"]) == (arn, job)
    assert (look["demand_mbps"], look["ceiling_mbps"]) == (3333.3, 3671.0)
    assert look["use"]["hosts"]["algo-2"] == {"cpu": 10.0, "gpu": 20.0, "gpu_memory": None, "memory": 33.3}
    assert look["use"]["read_mbps"] == 2300.0
    assert look["unknown"] == []
    assert [finding["rule"] for finding in look["findings"]] == ["CpuBottleneck"]


@pytest.mark.usefixtures("here")
def test_a_look_takes_few_calls(endpoint: str, running: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    faults = Faults(lambda _: Fault.NONE)

    def calls() -> dict[str, int]:
        names = Counter(operation.rpartition("/")[2] for operation, _ in faults.struck)
        faults.struck.clear()
        return dict(names)

    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        follower = follower_of(running[0], "guide")
        assert calls() == {"GetTemplate": 1, "ListStackResources": 1}
        first = follower.look()
        at_first = calls()
        assert at_first.pop("GetExecutionHistory") <= 3
        assert sorted(at_first) == ["DescribeExecution", "DescribeTrainingJob", "GetMetricData"]
        second = follower.look()
        # within a minute there are no other metrics
        assert calls() == {"DescribeExecution": 1, "GetExecutionHistory": 1, "DescribeTrainingJob": 1}
    assert [finding.rule for finding in first.findings] == ["CpuBottleneck"]
    assert (second.findings, second.use) == (first.findings, first.use)


def test_a_run_that_has_ended_is_shown_with_its_outcome(variables: dict[str, str], client: Client) -> None:
    arn = start(client, MACHINE, FINDS, "good")
    assert ended(client, arn)["status"] == "SUCCEEDED"
    good = watched(variables, arn).stdout
    assert "warning CpuBottleneck" in good
    assert "succeeded after" in good.splitlines()[-1]

    arn = start(client, MACHINE, {"hyperparameters": {"fails_with": "AlgorithmError: oom"}}, "bad")
    assert ended(client, arn)["status"] == "FAILED"
    for arguments in ([arn], [arn, "--once"]):
        assert "AlgorithmError: oom" in watched(variables, *arguments, status=1).stdout


def test_input_that_the_machine_refuses_is_told(variables: dict[str, str], client: Client) -> None:
    arn = start(client, MACHINE, {"nodes": 99}, "refused")
    until(lambda: ended(client, arn))
    done = watched(variables, arn, status=1)
    assert "failed: InputRefused: nodes and instance_type must be 1 to 8 ml.p4d.24xlarge" in done.stdout


def test_a_run_that_is_aborted_ends_the_view(variables: dict[str, str], client: Client) -> None:
    arn = start(client, MACHINE, {"hyperparameters": {"forever": "1"}}, "aborted")
    until(lambda: job_of(client, arn))
    process = begun("watch", arn, variables=variables)
    assert process.stdout is not None
    process.stdout.readline()
    client("stepfunctions").stop_execution(executionArn=arn)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (1, "")
    assert "stopped after" in output
    assert "ABORTED" in output


def test_ctrl_c_ends_the_view_alone(variables: dict[str, str], running: tuple[str, str], client: Client) -> None:
    arn, job = running
    process = begun("watch", job, variables=variables)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"{job}: interrupted; the run is left as it is; follow it with `epochwise watch {arn}`" in errors
    assert client("stepfunctions").describe_execution(executionArn=arn)["status"] == "RUNNING"


def create_job(client: Client, name: str, **more: Any) -> None:
    """Create a job that no execution created, which runs until it is stopped."""
    client("sagemaker").create_training_job(
        TrainingJobName=name,
        RoleArn=f"arn:aws:iam::{ACCOUNT}:role/job",
        AlgorithmSpecification={"TrainingInputMode": "File", "TrainingImage": "image"},
        OutputDataConfig={"S3OutputPath": "s3://bucket/prefix"},
        ResourceConfig={"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 2, "VolumeSizeInGB": 30},
        StoppingCondition={"MaxRuntimeInSeconds": 60},
        HyperParameters={"forever": "1"},
        **more,
    )


def test_a_job_of_others_is_shown_without_what_only_ours_have(variables: dict[str, str], client: Client) -> None:
    create_job(client, "others")
    shown = watched(variables, "others", "--once").stdout
    assert "2 × ml.p4d.24xlarge" in shown
    assert "the job was not started by an execution of this library" in " ".join(shown.split())
    process = begun("watch", "others", variables=variables)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "`epochwise watch others`" in errors
    assert "`aws sagemaker stop-training-job --training-job-name others`" in errors
    client("sagemaker").stop_training_job(TrainingJobName="others")
    assert "stopped after" in watched(variables, "others", status=1).stdout.splitlines()[-1]


def test_a_job_whose_execution_is_forgotten_is_shown_with_its_plan(variables: dict[str, str], client: Client) -> None:
    owner = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:guide-job:forgotten"
    create_job(client, "guide-forgotten", Environment={OWNER_VARIABLE: owner})
    look = json.loads(watched(variables, "guide-forgotten", "--once", "--json").stdout)
    assert (look["execution"], look["job"]["status"]) == (None, "InProgress")
    assert (look["ceiling_mbps"], look["unknown"]) == (3671.0, [])


def test_a_state_machine_of_no_known_stack_is_told(variables: dict[str, str], client: Client) -> None:
    arn = client("stepfunctions").create_state_machine(
        name="alone",
        definition=json.dumps({"StartAt": "End", "States": {"End": {"Type": "Succeed"}}}),
        roleArn=f"arn:aws:iam::{ACCOUNT}:role/machine",
    )["stateMachineArn"]
    shown = watched(variables, start(client, arn, {}, "one")).stdout
    assert "not known: demand and ceiling: no stack is known for the state machine; name it with --stack" in shown


def test_a_run_of_another_stack_takes_the_plan_of_the_stack_that_is_named(
    variables: dict[str, str], running: tuple[str, str], client: Client
) -> None:
    other = machine("other")
    other["Metadata"]["epochwise:job"]["ceiling_mbps"] = "5000.0"
    deploy(client, "other", {"JobResource": other})
    look = json.loads(watched(variables, running[0], "--stack", "other", "--once", "--json").stdout)
    assert look["ceiling_mbps"] == 5000.0


def test_help_says_what_it_shows(variables: dict[str, str]) -> None:
    done = watched(variables, "--help")
    assert "Show a run until it ends" in done.stdout
    for option in ("--stack", "--machine", "--once", "--json"):
        assert option in done.stdout
