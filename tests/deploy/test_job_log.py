"""What NCCL logs decides whether its job goes over EFA, and can stop the job that does not."""

from datetime import UTC, datetime, timedelta

import pytest

from epochwise.cdk.job_watch import WatchedFinding
from epochwise.watching.nccl_log import LOG_GROUP
from tests.deploy.job_machine import Client, run
from tests.deploy.watched_jobs import SHAPE, Build, Told, builder, function

WITHOUT_EFA = WatchedFinding(rule="NcclWithoutEfa", source="cloudwatch", stops=True)
EFA = "ip-10-0-0-1:7:7 [0] NCCL INFO NET/OFI Selected Provider is efa (found 4 nics)"
SOCKET = "ip-10-0-0-1:7:7 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>"


@pytest.fixture(scope="module")
def build(client: Client, topic: str) -> Build:
    return builder(client, topic)


@pytest.fixture(scope="module")
def evaluator(client: Client) -> str:
    return function(client, "log", {"NcclWithoutEfa": {}})


def write(client: Client, job: str, *nodes: str) -> None:
    """Write a line into the log of each node, some minutes ago, as SageMaker names its streams."""
    logs = client("logs")
    if not logs.describe_log_groups(logGroupNamePrefix=LOG_GROUP)["logGroups"]:
        logs.create_log_group(logGroupName=LOG_GROUP)
    at = int((datetime.now(UTC) - timedelta(minutes=3)).timestamp() * 1000)
    for number, line in enumerate(nodes, 1):
        stream = f"{job}/algo-{number}-1790000000"
        logs.create_log_stream(logGroupName=LOG_GROUP, logStreamName=stream)
        events = [{"timestamp": at, "message": text} for text in ("epoch 1", line)]
        logs.put_log_events(logGroupName=LOG_GROUP, logStreamName=stream, logEvents=events)


def test_without_a_log_nothing_is_found_and_nothing_fails(
    client: Client, build: Build, evaluator: str, told: Told
) -> None:
    ended = run(client, build("unlogged", WITHOUT_EFA, evaluator=evaluator), {"hyperparameters": {"looks": "1"}})
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert told() == []


def test_f103_a_job_that_fell_back_to_sockets_is_told_and_stopped(
    client: Client, build: Build, evaluator: str, told: Told
) -> None:
    write(client, "guide-slow", EFA, EFA, SOCKET, EFA)
    given = {"job_name_suffix": "slow", "hyperparameters": {"forever": ""}}
    ended = run(client, build("slow", WITHOUT_EFA, evaluator=evaluator), given)
    assert (ended["status"], ended["error"]) == ("FAILED", "TrainingJobStopped")
    assert ended["cause"].endswith("was stopped, as asked for on: NcclWithoutEfa")
    [finding] = told()
    assert set(finding) == SHAPE
    assert finding["message"] == f"NCCL does not use EFA on algo-3; algo-3 logs: {SOCKET}"
    assert finding["evidence"] == {"hosts": 4, "hosts_missing": 0, "hosts_without_efa": 1, "efa_interfaces_least": 4}


def test_f103_a_job_over_efa_runs_on_and_the_log_of_another_job_is_not_its_own(
    client: Client, build: Build, evaluator: str, told: Told
) -> None:
    write(client, "guide-fast", EFA, EFA, EFA, EFA)
    write(client, "guide-fast-2", SOCKET)
    given = {"job_name_suffix": "fast", "hyperparameters": {"looks": "2"}}
    ended = run(client, build("fast", WITHOUT_EFA, evaluator=evaluator), given)
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert told() == []


def test_one_node_has_nobody_to_talk_to_over_efa(client: Client, build: Build, evaluator: str, told: Told) -> None:
    write(client, "guide-alone", SOCKET)
    given = {"job_name_suffix": "alone", "nodes": 1, "hyperparameters": {"looks": "1"}}
    ended = run(client, build("alone", WITHOUT_EFA, evaluator=evaluator), given)
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert told() == []
