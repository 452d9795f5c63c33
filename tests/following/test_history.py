"""The history of an execution, newest page first, tells the job, every finding once, and what the rules last said."""

import json
from typing import Any

import pytest

from epochwise.following.history import History, with_events

FINDING = {
    "workload": "guide",
    "job": "guide-1",
    "rule": "LoadBalancing",
    "level": "warning",
    "message": "differs",
    "evidence": {"distance": 0.7},
    "fix": "look",
    "source": "cloudwatch",
    "time": "2026-10-09T12:00:00Z",
}


def entered(number: int, **state: Any) -> dict[str, Any]:
    """Return the event of a state that is given something."""
    return {"id": number, "stateEnteredEventDetails": {"name": "State", "input": json.dumps(state)}}


def called(number: int, action: str, **parameters: Any) -> dict[str, Any]:
    """Return the event of a call."""
    details = {"resourceType": "aws-sdk:x", "resource": action, "parameters": json.dumps(parameters)}
    return {"id": number, "taskScheduledEventDetails": details}


def told(number: int, **changes: Any) -> dict[str, Any]:
    """Return the event of a finding that is told."""
    return called(number, "publish", TopicArn="topic", Message=json.dumps(FINDING | changes))


EVENTS = [
    {"id": 1, "type": "ExecutionStarted"},
    called(2, "createTrainingJob", TrainingJobName="guide-1"),
    entered(3, job="guide-1", told=[]),
    told(4, time="2026-10-09T12:01:00Z"),
    told(5, rule="LowGpuUtilization", time="2026-10-09T12:00:30Z"),
    entered(6, job="guide-1", told=["cloudwatch/LoadBalancing", "cloudwatch/LowGpuUtilization"]),
    {
        "id": 7,
        "stateExitedEventDetails": {
            "name": "AskEvaluator",
            "output": json.dumps({"job": "guide-1", "evaluation": {"answer": {"reasons": {"CpuBottleneck": "quiet"}}}}),
        },
    },
]


def read(events: list[dict[str, Any]], page: int) -> History:
    """Read events as they come: newest first, in pages."""
    newest_first = events[::-1]
    history = History()
    for first in range(0, len(newest_first), page):
        history = with_events(history, newest_first[first : first + page], newer=first == 0)
    return history


@pytest.mark.parametrize("page", [1, 2, 3, 100])
def test_pages_of_any_size_tell_the_same(page: int) -> None:
    history = read(EVENTS, page)
    assert (history.job, history.last_event) == ("guide-1", 7)
    assert [finding.rule for finding in history.in_order] == ["LowGpuUtilization", "LoadBalancing"]
    assert history.in_order[1].evidence == {"distance": 0.7}
    assert history.verdicts == {"CpuBottleneck": "quiet"}
    assert history.is_whole


def test_the_newest_page_says_whether_older_ones_are_needed() -> None:
    newest = with_events(History(), EVENTS[:4:-1], newer=True)
    assert newest.job == "guide-1"
    assert not newest.is_whole
    assert with_events(newest, EVENTS[4:2:-1], newer=False).is_whole
    assert not History().is_whole


def test_newer_events_go_before_what_was_known() -> None:
    evaluated = {"answer": {"reasons": {"CpuBottleneck": "busy"}}}
    history = with_events(read(EVENTS, 100), [entered(9, evaluation=evaluated), told(8, message="more")], newer=True)
    assert history.verdicts == {"CpuBottleneck": "busy"}
    assert history.findings["cloudwatch/LoadBalancing"].message == "more"
    assert history.last_event == 9


def test_a_finding_that_was_told_twice_counts_once_as_it_was_told_last() -> None:
    history = read([*EVENTS[:3], told(4, message="first"), told(5, message="second")], 100)
    assert [finding.message for finding in history.in_order] == ["second"]


@pytest.mark.parametrize(
    "event",
    [
        {"id": 1},
        called(1, "publish", Message="no JSON"),
        called(1, "publish", Message=json.dumps({"rule": "Other"})),
        called(1, "publish", Message=json.dumps(FINDING | {"time": 5})),
        called(1, "describeTrainingJob", TrainingJobName="guide-1"),
        called(1, "createTrainingJob"),
        {"id": 1, "stateEnteredEventDetails": {"name": "State"}},
        {"id": 1, "stateEnteredEventDetails": {"input": "[1, 2]"}},
        {"id": 1, "stateEnteredEventDetails": {"input": "{"}},
        entered(1, told="x", evaluation="y", job=5),
        entered(1, evaluation={"Error": "x", "Cause": "y"}),
        entered(1, evaluation={"answer": {"errorMessage": "x"}}),
    ],
)
def test_events_that_say_nothing_of_it_are_passed_over(event: dict[str, Any]) -> None:
    history = with_events(History(), [event], newer=True)
    assert (history.job, history.findings, history.verdicts) == (None, {}, {})
    assert history.last_event == 1
