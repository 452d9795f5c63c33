"""A proxy that breaks what passes through it: delays, faults, throttling, cut and malformed answers, by a seed."""

import http.client
import json
import random
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

LONGEST_DELAY_S = 0.05
_HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}


class Fault(StrEnum):
    """What happens to one call."""

    NONE = "none"
    """It passes."""
    DELAY = "delay"
    """It passes late."""
    FAULT = "fault"
    """The server answers 500."""
    THROTTLED = "throttled"
    """The server takes no more calls."""
    CUT_BEFORE = "cut-before"
    """The connection breaks before the server hears of it."""
    CUT_AFTER = "cut-after"
    """The connection breaks after the server did it, so that the caller cannot know."""
    CUT_WITHIN = "cut-within"
    """Half of the answer comes."""
    DENIED = "denied"
    """A permission is missing."""
    EXPIRED = "expired"
    """The credentials have expired."""
    MALFORMED = "malformed"
    """A whole answer comes with status 200, and is none."""
    LATE = "late"
    """It passes later than whoever asks waits, which `Faults.late_s` says."""


_REFUSALS = {
    Fault.FAULT: (500, "InternalFailure", "We encountered an internal error"),
    Fault.THROTTLED: (400, "ThrottlingException", "Rate exceeded"),
    Fault.DENIED: (403, "AccessDeniedException", "User x is not authorized"),
    Fault.EXPIRED: (400, "ExpiredTokenException", "The security token included in the request is expired"),
}


MISTYPED = b"mistyped"
"""Stands for the real answer, whose fields are of other kinds."""
MALFORMED = (
    b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><br>To the network</body></html>",
    b"",
    b"{}",
    b"[]",
    b"null",
    b"<Other><Field>1</Field></Other>",
    MISTYPED,
)
"""What whoever is in AWS's place answers with, such as a proxy that wants somebody to sign in."""


@dataclass
class Faults:
    """Which fault strikes next; keeps what struck."""

    chosen: Callable[[str], Fault]
    """Given the name of the operation, or the method and path where the protocol has none."""
    struck: list[tuple[str, Fault]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    bodies: Sequence[bytes] = MALFORMED
    """What malformed answers hold, in turn."""
    status: int = 200
    """With which they come."""
    late_s: float = 1.0
    """How late a late answer comes."""

    def next_body(self) -> bytes:
        """Return what the next malformed answer holds."""
        struck = [fault for _, fault in self.struck].count(Fault.MALFORMED)
        return self.bodies[(struck - 1) % len(self.bodies)]

    def next(self, operation: str) -> Fault:
        """Return what happens to this call."""
        with self.lock:
            fault = self.chosen(operation)
            self.struck.append((operation, fault))
            return fault


def at_random(seed: int, share: float, faults: tuple[Fault, ...]) -> Callable[[str], Fault]:
    """Return a chooser that lets a share of the calls fail, by a seed."""
    dice = random.Random(seed)
    return lambda _: dice.choice(faults) if dice.random() < share else Fault.NONE


@contextmanager
def fault_proxy(server: str, faults: Faults) -> Iterator[str]:
    """Run the proxy before a server and yield its address."""
    target = urlsplit(server)

    class Passing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            """Pass one call on, unless a fault strikes."""
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            operation = _operation(self.headers.get("X-Amz-Target"), body, f"{self.command} {self.path}")
            fault = faults.next(operation)
            if fault in _REFUSALS:
                self._refuse(*_REFUSALS[fault])
                return
            if fault is Fault.CUT_BEFORE:
                self._cut()
                return
            body_instead = faults.next_body() if fault is Fault.MALFORMED else None
            if body_instead not in {None, MISTYPED}:
                self._answer(faults.status, str(body_instead, "utf-8"), {"Content-Type": "text/html"})
                return
            if fault in {Fault.DELAY, Fault.LATE}:
                time.sleep(LONGEST_DELAY_S if fault is Fault.DELAY else faults.late_s)
            assert target.hostname is not None
            onward = http.client.HTTPConnection(target.hostname, target.port, timeout=60)
            try:
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                onward.request(self.command, self.path, body, headers)
                answer = onward.getresponse()
                content = answer.read()
            finally:
                onward.close()
            if body_instead == MISTYPED and answer.status == 200:
                content = mistyped(content)
            if fault is Fault.CUT_AFTER:
                self._cut()
                return
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command == "HEAD":
                return
            if fault is Fault.CUT_WITHIN and content:
                self.wfile.write(content[: len(content) // 2])
                self._cut()
                return
            self.wfile.write(content)

        def _refuse(self, status: int, code: str, message: str) -> None:
            """Answer as AWS does, in JSON where it was asked in JSON, else in XML."""
            if self.headers.get("X-Amz-Target"):
                content = f'{{"__type": "{code}", "message": "{message}"}}'
            else:
                content = (
                    f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors>"
                    f"<Error><Code>{code}</Code><Message>{message}</Message></Error></Response>"
                    if self.command == "POST"
                    else f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
                )
            self._answer(status, content, {"x-amzn-errortype": code})

        def _answer(self, status: int, content: str, headers: Mapping[str, str]) -> None:
            """Answer without asking the server."""
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content.encode())

        def _cut(self) -> None:
            """Break the connection."""
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Stay quiet."""

        def finish(self) -> None:
            """Leave a connection that is cut alone."""
            try:
                super().finish()
            except (OSError, ValueError):
                self.close_connection = True

    for verb in ("GET", "POST", "PUT", "HEAD", "DELETE"):
        setattr(Passing, f"do_{verb}", Passing.answer)

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Let a client go that hung up."""

    proxy = Quiet(("127.0.0.1", 0), Passing)
    serving = Thread(target=proxy.serve_forever, daemon=True)
    serving.start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}"
    finally:
        proxy.shutdown()
        proxy.server_close()
        serving.join()


def mistyped(content: bytes) -> bytes:
    """Return an answer whose fields are of other kinds, or of which a field is all that is left in XML.

    >>> mistyped(b'{"a": [1], "b": "c", "d": {"e": 1}, "f": 2}')
    b'{"a": "mistyped", "b": ["c"], "d": "mistyped", "f": ["mistyped"]}'
    >>> mistyped(b"<r><a><b>1</b></a></r>"), mistyped(b"text")
    (b'<r />', b'text')
    """
    try:
        fields = json.loads(content)
    except ValueError:
        try:
            root = ET.fromstring(content)  # noqa: S314 - the answer of a server of these tests
        except ET.ParseError:
            return content
        root[:] = []
        return ET.tostring(root)
    others = {
        name: "mistyped" if isinstance(value, list | dict) else [value if isinstance(value, str) else "mistyped"]
        for name, value in fields.items()
    }
    return json.dumps(others).encode()


def _operation(target: str | None, body: bytes, otherwise: str) -> str:
    """Name an operation: of the JSON protocols by their header, of the query protocol by its Action."""
    if target:
        return target.rsplit(".", 1)[-1]
    for field_ in body.split(b"&"):
        if field_.startswith(b"Action="):
            return field_.removeprefix(b"Action=").decode()
    return otherwise
