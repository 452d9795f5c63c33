"""Ask AWS: boto3's clients with our limits, whose every failure is an `AwsError`."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from epochwise.live.answer_check import UnreadableAnswerError, watch_answers
from epochwise.live.answer_fields import Answer
from epochwise.live.failure import (
    AwsError,
    NoCredentialsError,
    NoServiceError,
    RefusedError,
    UnwellError,
    failure_of_response,
    one_line,
    permission_of,
)

CONNECT_TIMEOUT_S = 5
READ_TIMEOUT_S = 30
ATTEMPTS = 3
"""Of one call, the first one too, where AWS_MAX_ATTEMPTS does not say otherwise (botocore's standard mode)."""
CHUNK_BYTES = 1 << 18
"""Bytes of one piece of what is streamed."""
CONNECTIONS = 64
"""Most calls side by side."""
_IAM_PREFIXES: Mapping[str, str] = {"monitoring": "cloudwatch"}
"""Services that IAM calls otherwise than their signature does (Service Authorization Reference)."""


class Aws:
    """One account and Region to ask, as the environment says it: credentials, profile, endpoint (`AWS_ENDPOINT_URL`).

    | method | does |
    |---|---|
    | `ask("fsx", "describe_file_systems", ...)` | makes one call and returns its response |
    | `pages("s3", "list_objects_v2", ...)` | makes as many calls as it takes, and yields each response |
    | `chunks("s3", "get_object", "Body", ...)` | makes one call and yields what it streams |
    | `choices("sagemaker", "TrainingInstanceType")` | returns what the installed boto3 knows; asks nobody |
    | `region` | the Region that is asked |

    They take a service and a method as boto3 spells them, and raise nothing but `AwsError`. It may be used by several
    threads.
    """

    def __init__(self, region: str | None = None, *, events: Mapping[str, Callable[..., None]] | None = None) -> None:
        """Get ready to ask; nothing is asked yet.

        Args:
            region: Region; by default the environment's (AWS_REGION, which boto3 itself does not read, or
                AWS_DEFAULT_REGION) or the profile's.
            events: what every client does, by botocore's name of the moment, such as before-parse.s3.ListObjectsV2.

        Raises:
            AwsError: boto3 is missing, the profile does not exist, or no Region is named.
        """
        try:
            import boto3
            from botocore.session import Session
        except ImportError:
            raise AwsError("boto3 is not installed; install epochwise[live]") from None
        with _told("", region or ""):
            core = Session()
            if "AWS_MAX_ATTEMPTS" in os.environ:
                _refuse_attempts("AWS_MAX_ATTEMPTS", os.environ["AWS_MAX_ATTEMPTS"])
            else:
                _refuse_attempts("max_attempts of the profile", core.get_scoped_config().get("max_attempts"))
            named = region or os.environ.get("AWS_REGION") or None
            self._session = boto3.Session(region_name=named, botocore_session=core)
            found = self._session.region_name
        if not found:
            raise AwsError("no Region is named; set AWS_REGION, or name it in the profile")
        self.region: str = found
        self._events = dict(events or {})
        self._clients: dict[str, Any] = {}
        self._making = Lock()

    def ask(self, service: str, method: str, **request: Any) -> dict[str, Any]:
        """Make one call and return its response.

        Raises:
            AwsError: AWS does not answer it.
        """
        client = self._client(service)
        operation, prefix = _operation(client, method), _prefix(client)
        with _told(operation, self.region, prefix):
            return Answer(getattr(client, method)(**request), permission_of(prefix, operation))

    def pages(self, service: str, method: str, **request: Any) -> Iterator[dict[str, Any]]:
        """Yield the responses of a call that answers in pages, each when it is needed.

        Raises:
            AwsError: AWS does not answer one of them.
        """
        client = self._client(service)
        operation, prefix = _operation(client, method), _prefix(client)
        with _told(operation, self.region, prefix):
            pages = iter(client.get_paginator(method).paginate(**request))
        while True:
            with _told(operation, self.region, prefix):
                page: dict[str, Any] | None = next(pages, None)
            if page is None:
                return
            yield Answer(page, permission_of(prefix, operation))

    def chunks(self, service: str, method: str, member: str, **request: Any) -> Iterator[bytes]:
        """Yield what a call streams, piece by piece; one that breaks off on the way is not made again.

        Raises:
            AwsError: AWS does not answer it, or the stream breaks off.
        """
        client = self._client(service)
        with _told(_operation(client, method), self.region, _prefix(client)):
            stream = getattr(client, method)(**request)[member]
        with closing(stream):
            while True:
                with _told(_operation(client, method), self.region, _prefix(client)):
                    piece: bytes = stream.read(CHUNK_BYTES)
                if not piece:
                    return
                yield piece

    def choices(self, service: str, shape: str) -> list[str]:
        """Return the values that a shape of a service's model allows, as the installed boto3 knows them."""
        return list(self._client(service).meta.service_model.shape_for(shape).enum)

    def _client(self, service: str) -> Any:
        """Return the client of a service, made once."""
        from botocore.config import Config

        with self._making:
            if service not in self._clients:
                config = Config(
                    connect_timeout=CONNECT_TIMEOUT_S,
                    read_timeout=READ_TIMEOUT_S,
                    max_pool_connections=CONNECTIONS,
                    # as often as AWS_MAX_ATTEMPTS says
                    retries={"mode": "standard"},
                )
                with _told("", self.region, service):
                    client = self._session.client(service, config=config)
                    # a port that is none is told before anything is sent
                    _ = urlsplit(client.meta.endpoint_url).port
                attempts = client.meta.config.retries.get("total_max_attempts", ATTEMPTS)
                watch_answers(client.meta.events, attempts=attempts)
                for moment, does in self._events.items():
                    client.meta.events.register(moment, does)
                self._clients[service] = client
            return self._clients[service]


def _refuse_attempts(name: str, given: str | None) -> None:
    """Refuse a number of attempts that is none.

    Raises:
        AwsError: it is none.
    """
    if given is not None and not (given.isascii() and given.isdigit() and int(given)):
        raise AwsError(f"{name} must be a whole number from 1 on, got {given[:40]!r}; set it or unset it")


def _operation(client: Any, method: str) -> str:
    """Return an operation as the API spells it, for a method as boto3 spells it."""
    return str(client.meta.method_to_api_mapping[method])


def _prefix(client: Any) -> str:
    """Return a service as IAM spells it."""
    signed_as = str(client.meta.service_model.signing_name)
    return _IAM_PREFIXES.get(signed_as, signed_as)


@contextmanager
def _told(operation: str, region: str, prefix: str = "") -> Iterator[None]:
    """Turn what botocore raises into an `AwsError`."""
    errors = _botocore_errors()
    try:
        yield
    except errors["client"] as error:
        response: Mapping[str, Any] = vars(error)["response"]
        raise failure_of_response(response, prefix=prefix, operation=operation, region=region) from None
    except errors["credentials"] as error:
        raise NoCredentialsError(f"there are no credentials to sign with: {one_line(error)}; sign in first") from None
    except errors["reach"] as error:
        raise NoServiceError(f"no connection to {prefix} in {region}: {one_line(error)}") from None
    except errors["broken"] as error:
        what = permission_of(prefix, operation)
        raise UnwellError(f"the connection broke during {what}, also after retries: {one_line(error)}") from None
    except errors["unreadable"] as error:
        raise _unreadable(operation, prefix, error) from None
    except errors["parameters"] as error:
        raise RefusedError(f"{one_line(error)}", "ParamValidationError") from None
    except errors["botocore"] as error:
        raise AwsError(f"AWS cannot be asked: {one_line(error)}") from None
    except errors["parser"] as error:
        if not operation:
            raise AwsError(f"AWS cannot be asked: {one_line(error)}") from None
        raise _unreadable(operation, prefix, "botocore cannot parse it") from None


def _unreadable(operation: str, prefix: str, reason: object) -> UnwellError:
    """Return that AWS, or whoever is in its place, answered with something else."""
    what = permission_of(prefix, operation)
    return UnwellError(f"AWS's answer to {what} cannot be read: {one_line(reason)}; repeat it later")


@lru_cache(maxsize=1)
def _botocore_errors() -> Mapping[str, tuple[type[Exception], ...]]:
    """Return what botocore raises, by what it means."""
    from botocore import exceptions as known
    from botocore.parsers import ResponseParserError
    from urllib3.exceptions import HTTPError

    return {
        "client": (known.ClientError,),
        "credentials": (
            known.NoCredentialsError,
            known.PartialCredentialsError,
            known.CredentialRetrievalError,
            known.TokenRetrievalError,
            known.SSOError,
            known.NoAuthTokenError,
        ),
        "reach": (
            known.EndpointConnectionError,
            known.ConnectTimeoutError,
            known.UnknownServiceError,
            known.UnknownEndpointError,
            known.SSLError,
            known.ProxyConnectionError,
        ),
        "broken": (
            known.ConnectionClosedError,
            known.ReadTimeoutError,
            known.HTTPClientError,
            known.IncompleteReadError,
            known.ResponseStreamingError,
            HTTPError,
        ),
        "unreadable": (ResponseParserError, UnreadableAnswerError),
        "parameters": (known.ParamValidationError,),
        "botocore": (known.BotoCoreError,),
        # a field of another kind makes botocore's parsers stumble; before a call, an endpoint that is no address does
        "parser": (ValueError, TypeError, AttributeError, LookupError, RecursionError),
    }
