"""Why AWS cannot be asked or does not do what it is asked: one sentence each.

AwsError                 any of these
├── NoCredentialsError   nothing to sign with, or what there is has expired
├── NotAllowedError      a permission is missing; names it
├── ThrottledError       too many calls, also after retries
├── NoServiceError       the Region has no such service, or there is no way to it
├── UnwellError          AWS answered with a fault of its own, or the connection broke
├── NotFoundError        what was named does not exist
└── RefusedError         everything else that AWS refuses
"""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, Final

from epochwise.declaration.one_line import one_line as _one_line


class AwsError(Exception):
    """A call that AWS did not answer: the message is one sentence without full stop."""


class NoCredentialsError(AwsError):
    """There is nothing to sign a call with, or it has expired."""


class NotAllowedError(AwsError):
    """A permission is missing."""

    def __init__(self, message: str, permission: str) -> None:
        super().__init__(message)
        self.permission = permission
        """As IAM writes it, such as fsx:DescribeFileSystems."""


class ThrottledError(AwsError):
    """AWS takes no more calls for now."""


class NoServiceError(AwsError):
    """The Region lacks the service, or no connection reaches it."""


class UnwellError(AwsError):
    """AWS failed, or the connection was lost on the way."""


class NotFoundError(AwsError):
    """What was named does not exist."""


class RefusedError(AwsError):
    """AWS refuses; the code says why."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code
        """AWS's error code, such as ValidationException."""


_EXPIRED: Final = {"ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired"}
_UNKNOWN_KEYS: Final = {
    "UnrecognizedClientException",
    "InvalidClientTokenId",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "AuthFailure",
    "InvalidSignatureException",
    "IncompleteSignature",
    "MissingAuthenticationToken",
}
_DENIED: Final = {
    "AccessDenied",
    "AccessDeniedException",
    "UnauthorizedOperation",
    "AuthorizationError",
    "AuthorizationErrorException",
    "NotAuthorized",
    "403",
}
_THROTTLED: Final = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "RequestLimitExceeded",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "SlowDown",
    "LimitExceededException",
    "429",
}
_UNKNOWN_SERVICE: Final = {"UnknownOperationException", "InvalidAction", "UnknownOperation", "OptInRequired"}
_MEANINGS: Final = (
    (_EXPIRED, "expired"),
    (_UNKNOWN_KEYS, "unknown keys"),
    (_DENIED, "denied"),
    (_THROTTLED, "throttled"),
    (_UNKNOWN_SERVICE, "unknown service"),
)
_PROXY_ASKS_WHO: Final = 407
"""No AWS service answers so."""
_PERMISSIONS: Final = {
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:HeadBucket": "s3:ListBucket",
    "s3:GetBucketEncryption": "s3:GetEncryptionConfiguration",
    "s3:GetBucketNotificationConfiguration": "s3:GetBucketNotification",
    "s3:HeadObject": "s3:GetObject",
}
"""Permissions that are called otherwise than their operation (Service Authorization Reference, Amazon S3)."""


def permission_of(prefix: str, operation: str) -> str:
    """Return the permission that an operation needs.

    Args:
        prefix: the service as IAM writes it, such as fsx.
        operation: as the API writes it, such as DescribeFileSystems.
    """
    asked = f"{prefix}:{operation}"
    return _PERMISSIONS.get(asked, asked)


def failure_of_response(response: Mapping[str, Any], *, prefix: str, operation: str, region: str) -> AwsError:
    """Return what the refusal of a call means.

    Args:
        response: botocore's parsed response of the error.
        prefix: the service as IAM writes it.
        operation: as the API writes it.
        region: where it was asked.
    """
    details = response.get("Error", {})
    code = str(details.get("Code", "unknown"))
    said = one_line(text_of_page(str(details.get("Message") or "it gave no reason")))
    status = int(response.get("ResponseMetadata", {}).get("HTTPStatusCode") or 0)
    permission = permission_of(prefix, operation)
    match _meaning(code, said, status):
        case "expired":
            failure: AwsError = NoCredentialsError(f"the credentials have expired ({code}); sign in again")
        case "unknown keys":
            failure = NoCredentialsError(f"AWS does not know these credentials ({code}: {said}); sign in again")
        case "denied":
            text = f"{permission} is not allowed: {said}; add it to the role or user that runs this"
            failure = NotAllowedError(text, permission)
        case "throttled":
            failure = ThrottledError(f"AWS throttles {permission}, also after retries ({code}); repeat it in a minute")
        case "unknown service":
            failure = NoServiceError(f"{region} does not offer {permission} to this account ({code}: {said})")
        case "unwell":
            reason = f"{_numbered(status, code)}: {said}"
            failure = UnwellError(f"AWS failed on {permission}, also after retries ({reason}); repeat it later")
        case "unknown caller":
            text = f"a proxy on the way to {permission} wants to know who asks ({status}: {said}); sign in to it"
            failure = NoServiceError(text)
        case "absent":
            failure = NotFoundError(f"{operation} finds nothing of that name: {said} ({code})")
        case _:
            failure = RefusedError(f"AWS refused {permission}: {said} ({code})", code)
    return failure


def _numbered(status: int, code: str) -> str:
    """Return a status with its error code, once where whoever answered had no code."""
    return code if code == str(status) else f"{status} {code}".rstrip()


def _meaning(code: str, said: str, status: int) -> str:
    """Sort an error code."""
    for codes, meaning in _MEANINGS:
        if code in codes:
            return meaning
    if status == _PROXY_ASKS_WHO:
        return "unknown caller"
    if status >= 500:
        return "unwell"
    absent = any(part in code for part in ("NotFound", "NoSuch", "DoesNotExist", "404")) or "does not exist" in said
    return "absent" if absent else "refused"


def one_line(text: object) -> str:
    """Return a text of somebody else's in one line, without full stop, of bounded length."""
    return _one_line(str(text)).rstrip(".")[:400]


def text_of_page(text: str) -> str:
    r"""Return the title of a page in HTML, or its first line of text; any other text as it is.

    >>> text_of_page("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>")
    '502 Bad Gateway'
    >>> text_of_page("<html><body><h1>No\nway</h1><p>x</p></body></html>"), text_of_page("Rate exceeded")
    ('No way', 'Rate exceeded')
    """
    if not text.lstrip()[:9].lower().startswith(("<html", "<!doctype")):
        return text
    title = re.search(r"<title[^>]*>(.*?)</title", text, re.DOTALL | re.IGNORECASE)
    bare = re.sub(r"<(script|style|head)\b.*?</\1\s*>", "", text, flags=re.DOTALL | re.IGNORECASE)
    parts = [title.group(1) if title else "", *re.split(r"<[^>]*>", bare)]
    return next((one_line(unescape(part)) for part in parts if part.strip()), "a page without text")
