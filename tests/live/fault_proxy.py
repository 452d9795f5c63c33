"""A proxy that breaks what passes through it: delays, faults, throttling and cut connections, by a fixed seed."""

import http.client
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import urlsplit

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


_REFUSALS = {
    Fault.FAULT: (500, "InternalFailure", "We encountered an internal error"),
    Fault.THROTTLED: (400, "ThrottlingException", "Rate exceeded"),
    Fault.DENIED: (403, "AccessDeniedException", "User x is not authorized"),
    Fault.EXPIRED: (400, "ExpiredTokenException", "The security token included in the request is expired"),
}


@dataclass
class Faults:
    """Which fault strikes next; keeps what struck."""

    chosen: Callable[[str], Fault]
    """Given the name of the operation, or the method and path where the protocol has none."""
    struck: list[tuple[str, Fault]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

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
            if fault is Fault.DELAY:
                time.sleep(LONGEST_DELAY_S)
            assert target.hostname is not None
            onward = http.client.HTTPConnection(target.hostname, target.port, timeout=60)
            try:
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                onward.request(self.command, self.path, body, headers)
                answer = onward.getresponse()
                content = answer.read()
            finally:
                onward.close()
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
            self.send_response(status)
            self.send_header("x-amzn-errortype", code)
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


def _operation(target: str | None, body: bytes, otherwise: str) -> str:
    """Name an operation: of the JSON protocols by their header, of the query protocol by its Action."""
    if target:
        return target.rsplit(".", 1)[-1]
    for field_ in body.split(b"&"):
        if field_.startswith(b"Action="):
            return field_.removeprefix(b"Action=").decode()
    return otherwise
