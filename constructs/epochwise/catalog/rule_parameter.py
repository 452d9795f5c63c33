"""One parameter of a rule that watches a job: what may be declared, and how it is sent."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

Kind = Literal[
    "percentile",
    "fraction",
    "within_0_100",
    "not_negative",
    "number",
    "positive",
    "from_0",
    "from_2",
    "flag",
    "text",
    "texts",
    "numbers",
    "s3_uris",
    "mode",
]
_MODES = ("EVAL", "TRAIN", "GLOBAL")
_S3_URI = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/\S*)?")


def _number(value: object) -> bool:
    """Tell a finite number from everything else, truth values included."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _whole(value: object) -> bool:
    """Tell a whole number, which a float never is."""
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: object) -> bool:
    """Tell a text that says something, in one line, which is all that RuleParameters takes."""
    return isinstance(value, str) and bool(value.strip()) and len(value.splitlines()) == 1


def _each(value: object, accepts: Callable[[object], bool]) -> bool:
    """Tell whether a value, or every value of a list of at least one, is accepted."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return bool(value) and all(accepts(part) for part in value)
    return accepts(value)


_ALLOWED: dict[Kind, tuple[str, Callable[[Any], bool]]] = {
    "percentile": ("a number from 0 to 100", lambda value: _number(value) and 0 <= value <= 100),
    "fraction": ("a number from 0 to 1", lambda value: _number(value) and 0 <= value <= 1),
    "within_0_100": ("a number above 0 and below 100", lambda value: _number(value) and 0 < value < 100),
    "not_negative": ("a number from 0", lambda value: _number(value) and value >= 0),
    "number": ("a number", _number),
    "positive": ("a whole number above 0", lambda value: _whole(value) and value > 0),
    "from_0": ("a whole number from 0", lambda value: _whole(value) and value >= 0),
    "from_2": ("a whole number from 2", lambda value: _whole(value) and value >= 2),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "text": ("a text", _text),
    "texts": ("a text or a list of texts", lambda value: _each(value, _text)),
    "numbers": ("a number or a list of numbers", lambda value: _each(value, _number)),
    "s3_uris": (
        "an s3:// address or a list of them",
        lambda value: _each(value, lambda part: isinstance(part, str) and bool(_S3_URI.fullmatch(part))),
    ),
    "mode": (f"one of {', '.join(_MODES)}", lambda value: value in _MODES),
}


@dataclass(frozen=True, slots=True)
class RuleParameter:
    """One parameter of a built-in rule. Source: see `data/debugger.json` and `data/tensor_rules.json`."""

    name: str
    kind: Kind
    default: int | float | None = None
    """What AWS's SDK sends when nothing is declared; None where it sends nothing, as for rules about tensors."""
    documented_default: int | float | str | None = None
    """What the guide says that the rule takes, where the SDK sends something else or nothing."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return _ALLOWED[self.kind][0]

    def accepts(self, value: object) -> bool:
        """Tell whether a value lies in the range; NaN never does, truth values only where a flag is meant.

        >>> RuleParameter("patience", "positive", 1000).accepts(0)
        False
        """
        return _ALLOWED[self.kind][1](value)

    def refusal(self, rule: str, value: object) -> str | None:
        """Say why a rule does not take a value, by the one judgement of files and arguments; None where it does.

        >>> RuleParameter("patience", "positive", 1000).refusal("LoadBalancing", 0)
        'patience of LoadBalancing must be a whole number above 0, got 0'
        """
        return None if self.accepts(value) else f"{self.name} of {rule} must be {self.allowed}, got {value!r:.60}"

    def encoded(self, value: Any) -> str:
        """Return a value as RuleParameters takes it, which knows strings only; lists are joined by commas.

        >>> RuleParameter("tensor_regex", "texts").encoded(["relu", "tanh"]), RuleParameter("a", "flag").encoded(True)
        ('relu,tanh', 'True')
        """
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ",".join(str(part) for part in value)
        return str(value)
