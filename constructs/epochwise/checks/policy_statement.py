"""How IAM's policies are written, as far as rules about them read them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any


def listed(value: Any) -> list[Any]:
    """Return what IAM lets stand alone or in a list.

    >>> listed("s3:*"), listed(["s3:GetObject", "s3:ListBucket"]), listed(None)
    (['s3:*'], ['s3:GetObject', 's3:ListBucket'], [])
    """
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def matches_action(action: str, patterns: Sequence[Any]) -> bool:
    """Tell whether one of IAM's patterns is about an action; they do not tell capitals apart.

    >>> matches_action("s3:GetObject", ["s3:get*"]), matches_action("s3:GetObject", ["s3:Put*"])
    (True, False)
    """
    return any(fnmatchcase(action.lower(), str(pattern).lower()) for pattern in patterns)
