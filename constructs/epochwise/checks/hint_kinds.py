"""Which values a type hint takes, in words that a user knows: plain values, and things by what they are called."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from epochwise.checks.argument_kinds import construct_of_wrong_kind, setting_of_wrong_kind
from epochwise.checks.finding import Finding

LARGEST_NUMBER = 2**31 - 1
"""AWS's numbers are 32-bit integers (FSx API, StorageCapacity), and no count of this library comes near."""
_MOST_BITS = 128
_LONGEST_SHOWN = 60
_WORDS: Mapping[type, str] = {
    bool: "True or False",
    int: f"a whole number up to {LARGEST_NUMBER}",
    float: "a finite number",
    str: "text",
}
_FIXES: Mapping[type, str] = {
    bool: "write True or False, without quotes",
    int: "write it without quotes and without a fraction",
    float: "write it without quotes",
    str: "write it in quotes",
}
"""What is said of values of another kind that stand for none of this one."""
_THINGS: Mapping[str, tuple[str, str]] = {
    "Candidate": ("the choice of a plan", "pass plan(workload).choice"),
    "Plan": ("a Plan", "make one with plan(workload)"),
    "Workload": ("a Workload", "read one with Workload.from_file(path)"),
}


def thing_of(wanted: type) -> tuple[str, str]:
    """Return what a thing is called, and how one comes by it.

    >>> thing_of(Path)
    ('a path', 'make one and pass it')
    """
    name = wanted.__name__
    return _THINGS.get(name, (with_article("path" if wanted is Path else name), "make one and pass it"))


def with_article(name: str) -> str:
    """Put the article before a name.

    >>> with_article("Plan"), with_article("object")
    ('a Plan', 'an object')
    """
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def shown(value: object) -> str:
    """Write a value for a message: plain ones as they are written, others by what they are.

    >>> shown("vpc-1"), shown(2.0), shown([1, 2]), shown(Path), shown(2**200)
    ("'vpc-1'", '2.0', 'a list', 'the class Path', 'a number of 201 bits')
    """
    match value:
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case type():
            return f"the class {value.__name__}"
        case int() if value.bit_length() > _MOST_BITS:
            return f"a number of {value.bit_length()} bits"
        case None | bool() | int() | float():
            return repr(value)
        case str() | bytes():
            return f"{value[:_LONGEST_SHOWN]!r:.{_LONGEST_SHOWN}}"
        case _:
            return with_article(type(value).__name__)


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges values by hints; what a caller knows of things that are no plain values comes from the caller."""

    is_one: Callable[[object, type], bool] = isinstance
    """Whether a value is one of a class."""
    thing_of: Callable[[type], tuple[str, str]] = thing_of
    """What a thing is called, and how one comes by it."""
    shown: Callable[[object], str] = shown
    """How a value of the wrong kind is written."""
    later: Callable[[object], bool] = lambda _: False
    """Whether a value is known only after the app has run; text may be."""

    def findings(self, name: str, value: object, hint: Any) -> Iterator[Finding]:
        """Yield a remark about every part of a value that its hint does not take.

        Raises:
            TypeError: nothing is known of such a hint, which is a mistake of the signature.
        """
        options = _options(hint)
        if value is None and NoneType in options:
            return
        kinds = [option for option in options if option is not NoneType]
        if len(kinds) == 1:
            yield from self._one(name, value, kinds[0])
        elif all(any(self.findings(name, value, kind)) for kind in kinds):
            words = " or ".join(dict.fromkeys(self._words(kind) for kind in kinds))
            yield from setting_of_wrong_kind(
                name, self.shown(value), kind=self._timed(words, value), right=False, fix=self._fix(value, kinds)
            )

    def _one(self, name: str, value: object, hint: Any) -> Iterator[Finding]:
        """Judge a value by a hint that is no union."""
        if hint in {Any, object}:
            return
        origin, parts = get_origin(hint) or hint, get_args(hint)
        if not isinstance(origin, type):
            raise TypeError(f"{name}: nothing is known of the hint {hint}")
        if not parts and not _is_plain(origin):
            noun, fix = self.thing_of(origin)
            right = self.is_one(value, origin)
            yield from construct_of_wrong_kind(name, self.shown(value), kind=noun, right=right, fix=fix)
            return
        words = self._timed(self._words(hint), value)
        right = _takes(origin, value) and (origin is str or not self.later(value))
        yield from setting_of_wrong_kind(name, self.shown(value), kind=words, right=right, fix=self._fix(value, [hint]))
        if right and isinstance(value, Mapping):
            for key, each in value.items():
                yield from self.findings(f"a key of {name}", key, parts[0])
                yield from self.findings(f"{name}[{self.shown(key)}]", each, parts[1])
        elif right and parts and isinstance(value, Sequence):
            for index, each in enumerate(value):
                yield from self.findings(f"{name}[{index}]", each, parts[0])

    def _timed(self, words: str, value: object) -> str:
        """Say when a value must be known, where that is what is wrong with it."""
        return f"{words}, known when the app runs" if self.later(value) else words

    def _fix(self, value: object, kinds: Sequence[Any]) -> str:
        """Say what would be taken; of what is not known yet nothing is near."""
        return "pass a value that is written in the app" if self.later(value) else _fix(value, kinds)

    def _words(self, hint: Any) -> str:
        """Return what a hint takes, for a message."""
        origin, parts = get_origin(hint) or hint, get_args(hint)
        if issubclass(origin, Mapping):
            return f"a dict of {self._words(parts[0])} to {self._words(parts[1])}"
        if parts:
            return f"a {'tuple' if origin is tuple else 'list'}, each {self._words(parts[0])}"
        if issubclass(origin, StrEnum):
            return " or ".join(origin)
        if issubclass(origin, Enum):
            return f"one of {origin.__name__}"
        return _WORDS.get(origin) or self.thing_of(origin)[0]


def taken(value: Any, hint: Any) -> Any:
    """Return a value as its hint has it: the member of an enumeration for its text.

    >>> from epochwise.checks.finding import Level
    >>> taken("error", Level | None), taken("error", str)
    (<Level.ERROR: 'error'>, 'error')
    """
    for option in _options(hint):
        if isinstance(value, str) and isinstance(option, type) and issubclass(option, StrEnum):
            return option(value)
    return value


def _options(hint: Any) -> Collection[Any]:
    """Return the kinds of a union; text beside words of an enumeration means one of those words."""
    options = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    has_words = any(isinstance(option, type) and issubclass(option, StrEnum) for option in options)
    return [option for option in options if not (has_words and option is str)]


def _is_plain(kind: type) -> bool:
    """Tell whether values of a kind are written down, not made."""
    return kind in _WORDS or issubclass(kind, Enum)


def _takes(kind: type, value: object) -> bool:
    """Tell whether a value is of a plain kind, or a list or a mapping whose parts are still to be judged."""
    if kind is bool:
        return type(value) is bool
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
    if kind is float:
        largest = sys.float_info.max
        return isinstance(value, int | float) and not isinstance(value, bool) and -largest <= value <= largest
    if kind is str:
        return isinstance(value, str) and _is_whole(value)
    if issubclass(kind, StrEnum):
        return isinstance(value, str) and value in list(kind)
    return isinstance(value, kind) and not isinstance(value, str | bytes | bytearray | memoryview)


def _is_whole(text: str) -> bool:
    """Tell whether a text has no halves of surrogate pairs, which no file and no service takes."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _fix(value: object, kinds: Sequence[Any]) -> str:
    """Say what would be taken: the nearest value where there is one."""
    nearest = next(filter(None, (_nearest(value, kind) for kind in kinds)), "")
    if nearest:
        return f"nearest legal: {nearest}"
    [kind, *_] = (get_origin(kind) or kind for kind in kinds)
    if issubclass(kind, Mapping):
        return 'write it like {"team": "vision"}'
    if issubclass(kind, StrEnum):
        return f"write one of them, such as {next(iter(kind))}"
    if issubclass(kind, Enum):
        return f"take one of them, such as {kind.__name__}.{next(iter(kind)).name}"
    if issubclass(kind, Sequence) and kind is not str:
        return "write it as (a, b), or (a,) for one" if kind is tuple else "put it into a list"
    return _FIXES.get(kind) or "pass one of them"


def _nearest(value: object, kind: Any) -> str:
    """Return the value of a kind that another kind's value stands for, as it is written; empty where there is none."""
    if kind in {int, float}:
        number = _number_of(value)
        if number is None or (kind is int and not (number.is_integer() and abs(number) <= LARGEST_NUMBER)):
            return ""
        return f"{number:.0f}" if kind is int else repr(number)
    if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, str):
        written = {each: str(each) if issubclass(kind, StrEnum) else shown(each) for each in kind}
        members = {each.name.lower(): text for each, text in written.items()}
        return next((members[name] for name in get_close_matches(value[:_LONGEST_SHOWN].lower(), members, n=1)), "")
    return ""


def _number_of(value: object) -> float | None:
    """Return the finite number that a text or a number stands for."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if _takes(float, found) else None
