"""Ask AWS once what several want to know, also when they ask at the same time."""

import json
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any

from epochwise.live.aws import Aws


class Answers:
    """What AWS answers, each call made once; a failure is remembered like an answer.

    It may be used by several threads: the first one asks, the others wait for it.
    """

    def __init__(self, aws: Aws) -> None:
        """Get ready to ask; nothing is asked yet."""
        self._aws = aws
        self._given: dict[str, Future[Any]] = {}
        self._lock = Lock()

    @property
    def region(self) -> str:
        """The Region that is asked."""
        return self._aws.region

    def ask(self, service: str, method: str, **request: Any) -> dict[str, Any]:
        """Return the response of a call, made now or before.

        Raises:
            AwsError: AWS does not answer it, or did not before.
        """
        answer: dict[str, Any] = self._once(
            ["ask", service, method, request], lambda: self._aws.ask(service, method, **request)
        )
        return answer

    def listed(self, service: str, method: str, member: str, **request: Any) -> list[dict[str, Any]]:
        """Return everything that a call lists under one member of its pages, asked for now or before.

        Raises:
            AwsError: AWS does not answer one of them, or did not before.
        """

        def every() -> list[dict[str, Any]]:
            pages = self._aws.pages(service, method, **request)
            return [each for page in pages for each in page.get(member, [])]

        answer: list[dict[str, Any]] = self._once(["listed", service, method, request], every)
        return answer

    def _once(self, question: list[Any], asked: Callable[[], Any]) -> Any:
        """Ask, unless somebody did or does."""
        key = json.dumps(question, sort_keys=True)
        with self._lock:
            first = key not in self._given
            answer = self._given.setdefault(key, Future())
        if first:
            try:
                answer.set_result(asked())
            except BaseException as error:  # noqa: BLE001 - whoever waits is told of it, and so is the caller
                answer.set_exception(error)
        return answer.result()
