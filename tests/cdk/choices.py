"""Conditions of a Choice state, judged as Step Functions does."""

from collections.abc import Callable
from typing import Any

from tests.deploy.choice_patterns import matches

_TESTS: dict[str, Callable[[dict[str, Any], str, Any], bool]] = {
    "IsPresent": lambda values, path, wanted: (path in values) is wanted,
    "IsString": lambda values, path, wanted: isinstance(values[path], str) is wanted,
    "StringEquals": lambda values, path, wanted: bool(values[path] == wanted),
    "StringMatches": lambda values, path, wanted: matches(wanted, values[path]),
}


def holds(condition: dict[str, Any], values: dict[str, Any]) -> bool:
    """Tell whether a condition holds of values by their paths; a path that is absent is one of no value."""
    match condition:
        case {"And": parts}:
            return all(holds(part, values) for part in parts)
        case {"Or": parts}:
            return any(holds(part, values) for part in parts)
        case {"Not": part}:
            return not holds(part, values)
    path, [(test, wanted)] = condition["Variable"], [item for item in condition.items() if item[0] in _TESTS]
    return _TESTS[test](values, path, wanted)
