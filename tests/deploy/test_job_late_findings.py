"""Debugger's rules that end after their job, and rules that stop it by themselves."""

import json
from typing import Any

import pytest

from epochwise import Workload
from epochwise.cdk.job_late_rules import LATE_LOOKS
from epochwise.cdk.job_watch import WatchedFinding
from epochwise.training.tensor_rules import action_json
from tests.deploy.conftest import ROOT
from tests.deploy.job_machine import Client, jobs, run, start, until
from tests.deploy.watched_jobs import Build, Told, builder

LATE = WatchedFinding(rule="CpuBottleneck", source="debugger", configuration="CPUBottleneck")
STOPS = WatchedFinding(rule="LoadBalancing", source="debugger", configuration="LoadBalancing", stops=True)


@pytest.fixture
def build(client: Client, topic: str) -> Build:
    return builder(client, topic)


def looks(client: Client, execution: str) -> int:
    """Return how often an execution looked at its job."""
    history = client("stepfunctions").get_execution_history(executionArn=execution, maxResults=1000)["events"]
    entered = [event["stateEnteredEventDetails"]["name"] for event in history if "stateEnteredEventDetails" in event]
    return entered.count("DescribeTrainingJob")


@pytest.mark.parametrize("end", [{"looks": "1"}, {"looks": "1", "fails_with": "AlgorithmError"}])
def test_what_debugger_finds_after_the_job_has_ended_is_told(
    client: Client, build: Build, told: Told, end: dict[str, str]
) -> None:
    machine = build(f"late-{len(end)}", LATE)
    ended = run(client, machine, {"hyperparameters": {"finds": "CPUBottleneck", "rules_end": "5"} | end})
    assert (ended["status"], ended.get("error")) == (
        ("FAILED", "TrainingJobFailed") if "fails_with" in end else ("SUCCEEDED", None)
    )
    assert [finding["rule"] for finding in told()] == ["CpuBottleneck"]
    assert looks(client, ended["executionArn"]) == 5


def test_rules_that_are_at_their_end_are_not_waited_for(client: Client, build: Build) -> None:
    machine = build("early", LATE)
    given = {"hyperparameters": {"finds": "CPUBottleneck", "rules_end": "1", "looks": "1"}}
    ended = run(client, machine, given)
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert looks(client, ended["executionArn"]) == 2


def test_a_rule_that_never_ends_is_not_waited_for_for_ever(client: Client, build: Build, told: Told) -> None:
    machine = build("never", LATE)
    given = {"hyperparameters": {"finds": "CPUBottleneck", "rules_end": "1000000", "looks": "1"}}
    ended = run(client, machine, given)
    assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
    assert told() == []
    assert looks(client, ended["executionArn"]) == 2 + LATE_LOOKS


def test_a_finding_that_came_too_late_is_not_said_to_have_stopped_the_job(
    client: Client, build: Build, told: Told
) -> None:
    machine = build("stopped", STOPS)
    given = {"job_name_suffix": "late-stop", "hyperparameters": {"forever": "", "finds": "LoadBalancing"}}
    given["hyperparameters"]["rules_end"] = "1000"  # type: ignore[index]
    execution = start(client, machine, given)
    until(lambda: "guide-late-stop" in jobs(client))
    client("sagemaker").stop_training_job(TrainingJobName="guide-late-stop")
    found: dict[str, Any] = until(lambda: _ended(client, execution))
    assert found["cause"] == "guide-late-stop was stopped before it completed: Stopped"
    assert told() == []


def _ended(client: Client, execution: str) -> dict[str, Any] | None:
    found = client("stepfunctions").describe_execution(executionArn=execution)
    return None if found["status"] == "RUNNING" else dict(found)


def test_a_rule_that_stops_the_job_is_told_the_name_of_its_own_job(client: Client, topic: str) -> None:
    guide = json.loads(Workload.from_file(ROOT / "workloads" / "guide.yaml").model_dump_json(exclude_unset=True))
    actions = ["stop_training", {"email": "name@example.com"}]
    rules = [{"Overfit": {"actions": actions}}, {"StalledTrainingRule": {"stop_training_on_fire": True}}]
    workload = Workload.model_validate(guide | {"watch": {"rules": rules}})
    machine = builder(client, topic, workload)("acting")

    [declared, _] = workload.watch.declared
    for name, given in (("one", {}), ("other", {"job_name_suffix": "mine"})):
        before = set(jobs(client))
        ended = run(client, machine, given, name)
        assert ended["status"] == "SUCCEEDED", (ended.get("error"), ended.get("cause"))
        [job] = set(jobs(client)) - before
        assert job == "guide-mine" or name == "one"
        described = client("sagemaker").describe_training_job(TrainingJobName=job)
        overfit, stalled = (rule["RuleParameters"] for rule in described["DebugRuleConfigurations"])
        assert overfit["action_json"] == action_json(declared.actions, job)
        assert stalled["training_job_name_prefix"] == job
        assert (overfit["rule_to_invoke"], stalled["rule_to_invoke"]) == ("Overfit", "StalledTrainingRule")
