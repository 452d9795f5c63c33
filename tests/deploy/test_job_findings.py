"""What rules find reaches the topic once, in one shape, whoever found it; and it can stop the job.

Moto runs functions with docker only. Here its server is taught to run the archive's handler in a process of its own,
which reads the metrics that the test put into the same server.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from epochwise.cdk.job_watch import WatchedFinding
from tests.deploy.conftest import ACCOUNT, REGION
from tests.deploy.job_machine import Client, jobs, run, start, status, until
from tests.deploy.watched_jobs import SHAPE, Build, Told, builder, function

BY_DEBUGGER = WatchedFinding(
    rule="CpuBottleneck", source="debugger", configuration="CPUBottleneck", parameters={"threshold": 50}
)
STOPS = WatchedFinding(rule="LoadBalancing", source="debugger", configuration="LoadBalancing", stops=True)


@pytest.fixture
def build(client: Client, topic: str) -> Build:
    return builder(client, topic)


def test_what_debugger_finds_is_told_once(client: Client, build: Build, told: Told) -> None:
    machine = build("debugger", BY_DEBUGGER, STOPS)
    ended = run(client, machine, {"hyperparameters": {"finds": "CPUBottleneck", "looks": "5"}})

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    [finding] = told()
    assert set(finding) == SHAPE
    assert (finding["workload"], finding["rule"], finding["source"]) == ("guide", "CpuBottleneck", "debugger")
    assert finding["job"] in jobs(client)
    assert finding["evidence"] == {"threshold": 50}
    assert json.loads(ended["output"])["told"] == ["debugger/CpuBottleneck"]


def test_several_findings_are_told_one_after_the_other(client: Client, build: Build, told: Told) -> None:
    machine = build("several", BY_DEBUGGER, WatchedFinding(rule="Low", source="debugger", configuration="LowGPU"))
    ended = run(client, machine, {"hyperparameters": {"finds": "CPUBottleneck,LowGPU,Unasked", "looks": "4"}})
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert sorted(finding["rule"] for finding in told()) == ["CpuBottleneck", "Low"]
    assert json.loads(ended["output"])["told"] == ["debugger/CpuBottleneck", "debugger/Low"]


def test_a_rule_in_stop_on_stops_the_job_and_is_named(client: Client, build: Build, told: Told) -> None:
    machine = build("stops", BY_DEBUGGER, STOPS)
    ended = run(client, machine, {"hyperparameters": {"finds": "LoadBalancing", "forever": ""}})

    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobStopped")
    assert ended["cause"].endswith("was stopped, as asked for on: LoadBalancing")
    [finding] = told()
    assert finding["rule"] == "LoadBalancing"
    assert status(client, finding["job"]) == "Stopped"


def test_a_rule_in_stop_on_stops_the_job_though_it_cannot_be_told(client: Client, build: Build) -> None:
    machine = build("unheard", BY_DEBUGGER, STOPS, topic_arn=f"arn:aws:sns:{REGION}:{ACCOUNT}:absent")
    ended = run(client, machine, {"hyperparameters": {"finds": "LoadBalancing", "forever": ""}})
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobStopped")
    assert ended["cause"].endswith("was stopped, as asked for on: LoadBalancing")


def test_what_could_not_be_told_does_not_end_the_job(client: Client, build: Build) -> None:
    machine = build("untold", BY_DEBUGGER, topic_arn=f"arn:aws:sns:{REGION}:{ACCOUNT}:absent")
    ended = run(client, machine, {"hyperparameters": {"finds": "CPUBottleneck", "looks": "2"}})
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert json.loads(ended["output"])["told"] == []


def measure(client: Client, job: str, gpu: float, read_mbps: float) -> None:
    """Put half an hour of metrics of four nodes and their file system, but the fourth's are missing."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    minutes = [now - timedelta(minutes=back) for back in range(1, 31)]

    def values(metric: str, dimension: str, value: str, number: float) -> list[dict[str, Any]]:
        return [
            {
                "MetricName": metric,
                "Dimensions": [{"Name": dimension, "Value": value}],
                "Timestamp": minute,
                "Value": number,
            }
            for minute in minutes
        ]

    hosts = [f"{job}/algo-{number}" for number in (1, 2, 3)]
    data = [each for host in hosts for each in values("GPUUtilization", "Host", host, 8 * gpu)]
    data += [each for host in hosts for each in values("CPUUtilization", "Host", host, 96 * 20.0)]
    client("cloudwatch").put_metric_data(Namespace="/aws/sagemaker/TrainingJobs", MetricData=data)
    reads = values("DataReadBytes", "FileSystemId", "fs-1", read_mbps * 1e6 * 60)
    client("cloudwatch").put_metric_data(Namespace="AWS/FSx", MetricData=reads)


STORAGE = WatchedFinding(rule="StorageBottleneck", source="cloudwatch")
LOW = WatchedFinding(rule="LowGpuUtilization", source="cloudwatch", stops=True)


def test_what_cloudwatch_shows_is_told_once_and_names_the_cure(client: Client, build: Build, told: Told) -> None:
    evaluator = function(client, "evaluator", {"StorageBottleneck": {}, "LoadBalancing": {}})
    machine = build(
        "cloudwatch", STORAGE, WatchedFinding(rule="LoadBalancing", source="cloudwatch"), evaluator=evaluator
    )
    measure(client, "guide-measured", gpu=8.0, read_mbps=2300.0)
    ended = run(client, machine, {"job_name_suffix": "measured", "hyperparameters": {"looks": "3"}})

    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    [finding] = told()
    assert set(finding) == SHAPE
    assert (finding["rule"], finding["source"], finding["job"]) == ("StorageBottleneck", "cloudwatch", "guide-measured")
    assert "PERSISTENT_2 9600 GiB" in finding["fix"]
    assert finding["evidence"]["read_mbps"] == 2300.0
    assert finding["evidence"]["hosts_missing"] == 1


def test_what_cloudwatch_shows_can_stop_the_job(client: Client, build: Build, told: Told) -> None:
    machine = build("idle", LOW, evaluator=function(client, "idle", {"LowGpuUtilization": {}}))
    measure(client, "guide-idle", gpu=5.0, read_mbps=10.0)
    ended = run(client, machine, {"job_name_suffix": "idle", "hyperparameters": {"forever": ""}})
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobStopped")
    assert [finding["rule"] for finding in told()] == ["LowGpuUtilization"]


def test_an_evaluator_that_fails_is_told_once_and_ends_nothing(client: Client, build: Build, told: Told) -> None:
    evaluator = function(client, "broken", {}, CONFIGURATION="no JSON")
    machine = build("broken", LOW, evaluator=evaluator)
    ended = run(client, machine, {"hyperparameters": {"looks": "3"}})
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    [finding] = told()
    assert set(finding) == SHAPE
    assert finding["rule"] == "Evaluator"
    assert "/aws/lambda/evaluator" in finding["fix"]


def test_an_execution_that_is_aborted_leaves_its_job_running(client: Client, build: Build) -> None:
    machine = build("left", BY_DEBUGGER)
    execution = start(client, machine, {"job_name_suffix": "left", "hyperparameters": {"forever": ""}})
    until(lambda: "guide-left" in jobs(client))
    client("stepfunctions").stop_execution(executionArn=execution)
    assert status(client, "guide-left") == "InProgress"
