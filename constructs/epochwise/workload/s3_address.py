"""Where data lies in S3: a bucket, and the prefix of its keys."""

import re
from dataclasses import dataclass

_NO_CONTROL = r"[^\x00-\x1f\x7f\x85\u2028\u2029]"
S3_URI_PATTERN = rf"^s3://[a-z0-9][a-z0-9.-]{{1,61}}[a-z0-9](/{_NO_CONTROL}*)?$"
"""Keys may hold spaces and every letter. Source: S3 User Guide, bucketnamingrules and object-keys."""
MAX_S3_URI = 1024
MAX_KEY_BYTES = 1024
"""Of a key in UTF-8 (S3 User Guide, object-keys)."""
_NAMED = re.compile(r"s3://([^/]*)(/.*)?", re.DOTALL)


def in_a_bucket(uri: str) -> str:
    """Return an address whose bucket has a name that S3 takes (S3 User Guide, bucketnamingrules).

    Raises:
        ValueError: no bucket is called so.
    """
    bucket = uri.removeprefix("s3://").partition("/")[0]
    if re.search(r"\.[.-]|-\.", bucket) or re.fullmatch(r"(\d+\.){3}\d+", bucket):
        raise ValueError("must name a bucket as S3 does: no dot beside a dot or a dash, and no IP address")
    return uri


def is_s3_uri(text: str) -> bool:
    """Tell whether a text is an address in S3.

    >>> is_s3_uri("s3://bucket/prefix/"), is_s3_uri("/opt/ml"), is_s3_uri("s3://10.0.0.1/a")
    (True, False, False)
    """
    if len(text) > MAX_S3_URI or not re.fullmatch(S3_URI_PATTERN, text):
        return False
    try:
        in_a_bucket(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class S3Address:
    """A bucket and a prefix, which is empty for all of the bucket."""

    bucket: str
    prefix: str

    @property
    def uri(self) -> str:
        """The address as a workload declares it.

        >>> S3Address("bucket", "").uri, S3Address("bucket", "train/").uri
        ('s3://bucket/', 's3://bucket/train/')
        """
        return f"s3://{self.bucket}/{self.prefix}"


def s3_object(text: str) -> S3Address:
    """Read the address of one object; its key is the prefix.

    Raises:
        ValueError: it is none.

    >>> s3_object("s3://bucket/inventory/manifest.json")
    S3Address(bucket='bucket', prefix='inventory/manifest.json')
    """
    why = _why_none(text)
    if why is not None or not re.fullmatch(S3_URI_PATTERN, text):
        raise ValueError(f"must be an address such as s3://bucket/prefix/, got {text[:80]!r}{why or ''}")
    bucket, _, prefix = text.removeprefix("s3://").partition("/")
    return S3Address(bucket, prefix)


def _why_none(text: str) -> str | None:
    """Return what is wrong with an address, where that can be told.

    >>> _why_none("s3://Bucket/"), _why_none("s3://bucket/a b/")
    ("; a bucket's name has no capital letters", None)
    """
    named = _NAMED.fullmatch(text)
    if named is None:
        return None
    bucket, key = named.group(1), (named.group(2) or "/")[1:]
    if bucket.startswith("arn:"):
        return "; an access point is not read, name the bucket that it belongs to"
    if bucket != bucket.lower():
        return "; a bucket's name has no capital letters"
    if bucket and not 3 <= len(bucket) <= 63:
        return f"; a bucket's name has 3 to 63 characters, this one {len(bucket)}"
    length = len(key.encode("utf-8", errors="replace"))
    if length > MAX_KEY_BYTES:
        return f"; a key has at most {MAX_KEY_BYTES} bytes, this one {length}"
    return None


def s3_folder(text: str) -> S3Address:
    """Read the address of what can be linked to a file system: its prefix ends in a slash, as FSx ends it.

    Source: User Guide, create-dra-linked-data-repo: a trailing slash is appended.

    Raises:
        ValueError: it is no address.

    >>> s3_folder("s3://bucket/train").prefix, s3_folder("s3://bucket").prefix
    ('train/', '')
    """
    address = s3_object(text)
    if not address.prefix or address.prefix.endswith("/"):
        return address
    return S3Address(address.bucket, f"{address.prefix}/")
