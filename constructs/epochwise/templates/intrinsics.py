"""Compare values of templates without evaluating their functions."""

import re
from collections.abc import Collection, Iterator
from typing import Any

_SUBSTITUTED = re.compile(r"\$\{(?P<name>[^!}.][^}.]*)")
_NO_VALUE = {"Ref": "AWS::NoValue"}


def canonical(value: Any) -> Any:
    """Return a value as CloudFormation compares it: numbers and booleans as text, absent values left out.

    >>> canonical({"Fn::GetAtt": "Group.GroupId"}) == canonical({"Fn::GetAtt": ["Group", "GroupId"]})
    True
    >>> canonical([4800, True, {"Ref": "AWS::NoValue"}])
    ['4800', 'true']
    """
    match value:
        case {"Fn::GetAtt": str(attribute)} if len(value) == 1:
            return {"Fn::GetAtt": attribute.split(".", 1)}
        case dict():
            return {str(key): canonical(each) for key, each in value.items() if each != _NO_VALUE and each is not None}
        case list():
            return [canonical(each) for each in value if each != _NO_VALUE]
        case bool():
            return str(value).lower()
        case float() if value.is_integer():
            return str(int(value))
    return None if value is None else str(value)


def is_intrinsic(value: Any) -> bool:
    """Tell whether a value is a function that a deploy evaluates."""
    if not isinstance(value, dict) or len(value) != 1:
        return False
    [name] = value
    return name in {"Ref", "Condition"} or str(name).startswith("Fn::")


def holds_intrinsic(value: Any) -> bool:
    """Tell whether a function stands anywhere in a value."""
    match value:
        case dict():
            return is_intrinsic(value) or any(map(holds_intrinsic, value.values()))
        case list():
            return any(map(holds_intrinsic, value))
    return False


def references(value: Any) -> Iterator[str]:
    """Yield the logical names that a value refers to: resources, parameters, conditions and mappings."""
    match value:
        case {"Ref": str(name)} | {"Condition": str(name)}:
            yield name
        case {"Fn::GetAtt": [str(name), *_]} | {"Fn::FindInMap": [str(name), *_]}:
            yield name
        case {"Fn::GetAtt": str(name)}:
            yield name.split(".", 1)[0]
        case {"Fn::If": [str(name), *_]}:
            yield name
        case {"Fn::Sub": str(text)} | {"Fn::Sub": [str(text), *_]}:
            yield from _SUBSTITUTED.findall(text)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from references(part)


def surely_differ(old: Any, new: Any, old_ids: Collection[str], new_ids: Collection[str]) -> bool:
    """Tell whether two unequal canonical values still differ once they are evaluated; ids are those of resources."""
    if old is None or new is None:
        return True
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = zip(old, new, strict=True)
        return any(one != other and surely_differ(one, other, old_ids, new_ids) for one, other in pairs)
    one, other = _resource(old, old_ids), _resource(new, new_ids)
    if one is not None and other is not None:
        return one != other
    return not holds_intrinsic(old) and not holds_intrinsic(new)


def _resource(value: Any, ids: Collection[str]) -> str | None:
    """Return the resource whose id or attribute a value is, None where it is anything else."""
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]} if name in ids:
            return name
    return None
