"""What several want to know is asked once."""

from threading import Barrier, Lock, Thread
from typing import TYPE_CHECKING, Any, cast

import pytest

from epochwise.live.answers import Answers
from epochwise.live.failure import AwsError, NotAllowedError

if TYPE_CHECKING:
    from epochwise.live.aws import Aws

THREADS = 8


class Counted:
    """Stands in for AWS, and counts."""

    region = "us-east-1"

    def __init__(self, error: AwsError | None = None) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._error = error
        self._lock = Lock()

    def ask(self, service: str, method: str, **request: Any) -> dict[str, Any]:
        with self._lock:
            self.calls.append((service, method, request))
        if self._error:
            raise self._error
        return {"Answer": len(self.calls)}

    def pages(self, service: str, method: str, **request: Any) -> Any:
        yield self.ask(service, method, **request) | {"Rows": [{"Id": 1}, {"Id": 2}]}
        yield {"Rows": [{"Id": 3}]}
        yield {}


def answers(aws: Counted) -> Answers:
    return Answers(cast("Aws", aws))


def test_the_same_question_is_asked_once_and_another_again() -> None:
    aws = Counted()
    asked = answers(aws)
    assert [asked.ask("ec2", "describe_vpcs", VpcIds=["a"])["Answer"] for _ in range(3)] == [1, 1, 1]
    assert asked.ask("ec2", "describe_vpcs", VpcIds=["b"]) == {"Answer": 2}
    for _ in range(2):
        assert asked.listed("ec2", "describe_vpcs", "Rows", VpcIds=["a"]) == [{"Id": 1}, {"Id": 2}, {"Id": 3}]
    assert len(aws.calls) == 3
    assert asked.region == "us-east-1"


def test_those_who_ask_at_one_time_share_the_answer() -> None:
    aws, together = Counted(), Barrier(THREADS)
    asked, got = answers(aws), list[Any]()

    def ask() -> None:
        together.wait()
        got.append(asked.ask("ec2", "describe_vpcs"))

    threads = [Thread(target=ask) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [{"Answer": 1}] * THREADS
    assert len(aws.calls) == 1


def test_a_failure_is_remembered_like_an_answer() -> None:
    aws = Counted(NotAllowedError("no", "ec2:DescribeVpcs"))
    asked = answers(aws)
    for _ in range(2):
        with pytest.raises(NotAllowedError, match="no"):
            asked.ask("ec2", "describe_vpcs")
    assert len(aws.calls) == 1
