"""NcclWithoutEfa: what NCCL logs on each node decides, and nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from epochwise.watching.metrics import Metrics
from epochwise.watching.nccl_log import LOG_GROUP, MAX_PAGES, nccl_lines
from epochwise.watching.nccl_without_efa import LOG_FILTER, NcclWithoutEfa, decided, judge
from tests.watching.nccl_lines import LINES, SILENT
from tests.watching.series import job

EFA = "NCCL INFO NET/OFI Selected Provider is efa (found 4 nics)"
SOCKET = "NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>"
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def logged(*nodes: tuple[str, ...]) -> Metrics:
    return job(*([] for _ in nodes), logs=nodes)


@pytest.mark.parametrize(("line", "efa"), LINES)
def test_f103_f105_a_line_tells_whether_nccl_rides_efa(line: str, efa: bool) -> None:
    verdict = judge(logged((line,), (line,)), NcclWithoutEfa())
    assert verdict.fired is not efa
    assert verdict.evidence["hosts_without_efa"] == (0 if efa else 2)
    assert (line.strip() in verdict.reason) is not efa


@pytest.mark.parametrize("line", SILENT)
def test_other_lines_decide_nothing(line: str) -> None:
    assert not decided(line)
    verdict = judge(logged((line,), (line,)), NcclWithoutEfa())
    assert not verdict.fired
    assert "NCCL_DEBUG=INFO" in verdict.reason
    assert verdict.evidence["hosts_missing"] == 2


def test_f103_one_node_that_fell_back_is_named_among_those_that_did_not() -> None:
    verdict = judge(logged((EFA,), (EFA, SOCKET), ()), NcclWithoutEfa())
    assert verdict.fired
    assert verdict.reason == f"NCCL does not use EFA on algo-2; algo-2 logs: {SOCKET}"
    assert verdict.evidence == {"hosts": 3, "hosts_missing": 1, "hosts_without_efa": 1, "efa_interfaces_least": 4}
    assert "aws-ofi-nccl" in verdict.fix


def test_f103_the_least_of_the_interfaces_that_were_found_is_told() -> None:
    fewer = EFA.replace("4 nics", "1 nics")
    assert judge(logged((EFA,), (fewer,)), NcclWithoutEfa()).evidence["efa_interfaces_least"] == 1


def test_without_efa_between_the_nodes_there_is_nothing_to_miss() -> None:
    verdict = judge(job([], [], nccl_over_efa=False), NcclWithoutEfa())
    assert not verdict.fired
    assert "no EFA" in verdict.reason


class NotFoundError(Exception):
    pass


class Logs:
    """CloudWatch Logs with some pages; an exception stands for one that is raised."""

    exceptions = type("exceptions", (), {"ResourceNotFoundException": NotFoundError})

    def __init__(self, *pages: list[tuple[str, str]] | Exception) -> None:
        self.pages = pages
        self.asked: dict[str, Any] = {}
        self.read = 0

    def get_paginator(self, operation: str) -> "Logs":
        assert operation == "filter_log_events"
        return self

    def paginate(self, **asked: Any) -> Iterator[dict[str, Any]]:
        self.asked = asked
        for page in self.pages:
            if isinstance(page, Exception):
                raise page
            self.read += 1
            yield {"events": [{"logStreamName": stream, "message": message} for stream, message in page]}


def read(logs: Logs, hosts: int = 2) -> dict[str, tuple[str, ...]]:
    return dict(nccl_lines(logs, "guide-1", hosts, NOW, NOW))


def test_the_lines_of_each_node_are_found_among_those_of_other_jobs() -> None:
    logs = Logs(
        [("guide-1/algo-1-1700000000", SOCKET), ("guide-1/algo-2-1700000000", "loss 0.1")],
        [("guide-1/algo-2-1700000000", EFA), ("guide-12/algo-1-1", SOCKET), ("guide-1/algo-1-1700000000", SOCKET)],
    )
    assert read(logs) == {"algo-1": (SOCKET, SOCKET), "algo-2": (EFA,)}
    assert logs.asked == {
        "logGroupName": LOG_GROUP,
        "logStreamNamePrefix": "guide-1/algo-",
        "filterPattern": LOG_FILTER,
        "startTime": int(NOW.timestamp() * 1000),
        "endTime": int(NOW.timestamp() * 1000),
    }


def test_what_cloudwatch_filters_by_lets_every_line_through_that_decides() -> None:
    words = re.findall(r'\?"([^"]+)"', LOG_FILTER)
    assert len(words) == LOG_FILTER.count("?")
    assert not [line for line, _ in LINES if not any(word in line for word in words)]


def test_reading_ends_once_every_node_has_spoken_and_never_goes_on_for_ever() -> None:
    both = [("guide-1/algo-1-1", EFA), ("guide-1/algo-2-1", EFA)]
    early = Logs(both, both, both)
    assert len(read(early)) == 2
    assert early.read == 1
    endless = Logs(*([both[:1]] * (MAX_PAGES + 5)))
    assert set(read(endless)) == {"algo-1"}
    assert endless.read == MAX_PAGES


def test_without_a_log_group_there_are_no_lines() -> None:
    assert read(Logs(NotFoundError())) == {}
