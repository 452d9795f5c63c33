"""What is asked again since its answer broke off, cannot be read, or leads in a circle: what a client does on each."""

from functools import partial
from typing import Any

from epochwise.live.answer_body import (
    WHY_NONE,
    broke_off,
    may_lack_all,
    parsed_here,
    promised_bytes,
    put_unreadable_aside,
)
from epochwise.live.answer_fields import has_no_field, mistyped
from epochwise.live.failure import UnwellError
from epochwise.live.listing_page import PAGE

_GOOD = 300
_REDIRECTS = {301, 302, 307, 308}
_REGION_HEADER = "x-amz-bucket-region"


class UnreadableAnswerError(Exception):
    """An answer that is none, also after retries: what it is instead."""


def watch_answers(events: Any, *, attempts: int) -> None:
    """Let a client look at each of its answers.

    Args:
        events: botocore's, of the client.
        attempts: how often a call is made at most.
    """
    events.register("before-parse", put_unreadable_aside)
    events.register("needs-retry", partial(_asked_again, most=attempts))
    # before botocore's own, which follows it for ever
    events.register_first("needs-retry.s3", _refuse_blind_redirect)


def _asked_again(
    *, response: tuple[Any, Any] | None, operation: Any, attempts: int, most: int, **_: object
) -> float | None:
    """Return after how many seconds a call is made again, and None for an answer that is one.

    botocore reads a cut answer as a whole one, and a JSON body that cannot be parsed as one without fields: half a list
    of file systems would be none at all.

    Raises:
        IncompleteReadError: its answer broke off too often.
        UnreadableAnswerError: it could not be read too often.
    """
    if response is None or operation.http.get("method") == "HEAD" or operation.has_streaming_output:
        return None
    http, parsed = response
    if broke_off(http.headers, http.content):
        if attempts < most:
            return _wait_s(attempts)
        from botocore.exceptions import IncompleteReadError

        promised = promised_bytes(http.headers)
        raise IncompleteReadError(actual_bytes=len(http.content), expected_bytes=promised)
    reason = _why_none(parsed, operation) if http.status_code < _GOOD else None
    if reason is None:
        return None
    if attempts < most:
        return _wait_s(attempts)
    raise UnreadableAnswerError(reason)


def _why_none(parsed: dict[str, Any], operation: Any) -> str | None:
    """Return why a good answer is none; None where it is one."""
    # a listing that was read without botocore's parser, and found to be one
    if PAGE in parsed or not parsed_here(operation):
        return None
    if WHY_NONE in parsed:
        return str(parsed[WHY_NONE])
    shape = operation.output_shape
    if has_no_field(parsed, shape) and not may_lack_all(operation):
        return f"it has none of the fields {', '.join([*shape.members][:3])}"
    wrong = mistyped(parsed, shape)
    return None if wrong is None else f"its {wrong} is not of the kind that it should be"


def _wait_s(attempts: int) -> float:
    """Return how long to wait before the next attempt."""
    return float(2 ** (attempts - 1))


def _refuse_blind_redirect(*, response: tuple[Any, Any] | None, operation: Any, **_: object) -> None:
    """Refuse a redirect of S3 that does not say to which Region.

    botocore asks HeadBucket for the Region then, whose answer is the same redirect, and so on.

    Raises:
        UnwellError: it is one.
    """
    if response is None or operation.name != "HeadBucket":
        return
    http, _parsed = response
    if http.status_code in _REDIRECTS and not http.headers.get(_REGION_HEADER):
        raise UnwellError(
            f"S3 redirects to another endpoint ({http.status_code}) and does not say in which Region the bucket is; "
            "check the endpoint that is asked, and name the bucket's Region"
        )
