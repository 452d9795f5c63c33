"""The fields of a parsed answer: of the kinds that the service's model says, and told where they are not there."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from epochwise.live.failure import UnwellError

_KINDS: Mapping[str, tuple[type, ...]] = {
    "structure": (dict,),
    "map": (dict,),
    "list": (list,),
    "string": (str,),
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
    "boolean": (bool,),
    "timestamp": (datetime,),
    "blob": (bytes,),
}
"""What botocore makes of each kind of shape."""


class Answer(dict[str, Any]):
    """A structure of an answer, which tells what it lacks.

    >>> Answer({}, "fsx:DescribeFileSystems")["FileSystems"]
    Traceback (most recent call last):
        ...
    epochwise.live.failure.UnwellError: AWS's answer to fsx:DescribeFileSystems lacks FileSystems; repeat it later
    """

    def __init__(self, fields: Mapping[str, Any], permission: str) -> None:
        super().__init__((name, _wrapped(value, permission)) for name, value in fields.items())
        self._permission = permission

    def __missing__(self, name: str) -> Any:
        """Refuse an answer without a field that is needed.

        Raises:
            UnwellError: always.
        """
        raise UnwellError(f"AWS's answer to {self._permission} lacks {name}; repeat it later")


def _wrapped(value: Any, permission: str) -> Any:
    """Return a field whose structures tell what they lack."""
    # exactly: a template that botocore parsed is a mapping of another kind, and no structure of the answer
    if type(value) is dict:
        return Answer(value, permission)
    if isinstance(value, list) and value and isinstance(value[0], dict | list):
        return [_wrapped(each, permission) for each in value]
    return value


def first_of(answer: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the first of what an answer lists: AWS refuses the call where what was named is not there.

    Raises:
        UnwellError: it lists none.
    """
    for each in answer[name]:
        found: dict[str, Any] = each
        return found
    raise UnwellError(f"AWS answered with no {name} to a call that names one; repeat it later")


def has_no_field(parsed: Mapping[str, Any], shape: Any) -> bool:
    """Tell whether none of the fields came that an answer has in its body."""
    return bool(shape.members) and not any(name in parsed for name in shape.members)


def mistyped(parsed: Mapping[str, Any], shape: Any) -> str | None:
    """Return the first field that is of another kind than the model says, such as Quotas[0].Value; None without."""
    return next(_mistyped(parsed, shape, ""), None)


def _mistyped(value: Any, shape: Any, path: str) -> Iterator[str]:
    """Yield every field of another kind."""
    if shape.type_name not in _KINDS or (shape.type_name == "structure" and shape.is_document_type):
        return
    if not _is_of_kind(value, shape.type_name):
        yield path or "the answer"
        return
    match shape.type_name:
        case "structure":
            for name, member in shape.members.items():
                if name in value:
                    yield from _mistyped(value[name], member, f"{path}.{name}".lstrip("."))
        case "list":
            for place, each in enumerate(value):
                yield from _mistyped(each, shape.member, f"{path}[{place}]")
        case "map":
            for name, each in value.items():
                yield from _mistyped(each, shape.value, f"{path}.{name}")


def _is_of_kind(value: object, kind: str) -> bool:
    """Tell whether a value is what botocore makes of a kind; of a truth value Python would make a number."""
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
