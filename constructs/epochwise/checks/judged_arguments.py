"""A function whose arguments are judged by its own signature before its body runs, all of them at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar, get_type_hints

from epochwise.checks.finding import Finding
from epochwise.checks.hint_kinds import Judge, taken
from epochwise.checks.refusal import refuse_errors

P = ParamSpec("P")
T = TypeVar("T")
Arguments = Mapping[str, object]
Rule = Callable[[Any], Iterable[Finding]]
"""What is said of a value of the wrong kind in place of the general words; nothing leaves it to those."""


def judged_arguments(
    judge: Judge | None = None,
    *,
    skips: Callable[[str, object], bool] = lambda _name, _value: False,
    then: Callable[[Arguments], Iterable[Finding]] = lambda _: (),
    **instead: Rule,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that refuses arguments of the wrong kind; defaults are not judged, whatever is given is.

    The text of an enumeration's member reaches the body as the member. What Python itself refuses, such as a missing
    argument, is left to Python.

    Args:
        judge: knows the kinds; of Python's own and this library's things by default.
        skips: tells of an argument by name and value that its kind is not judged here.
        then: what else is said of arguments that are all of their kinds.
        instead: by an argument's name, what is said in place of the general words.

    Raises:
        ValueError: by the function, with every argument of the wrong kind.
    """
    knows = Judge() if judge is None else judge

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        bind = signature(function).bind

        @cache
        def hints() -> Mapping[str, Any]:
            return get_type_hints(function)

        def findings(given: Arguments) -> Iterator[Finding]:
            for name, value in given.items():
                if name in hints() and not skips(name, value):
                    found = list(knows.findings(name, value, hints()[name]))
                    yield from (list(instead[name](value)) if found and name in instead else []) or found

        @wraps(function)
        def judged(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                bound = bind(*args, **kwargs)
            except TypeError:
                bound = None
            if bound is None:
                return function(*args, **kwargs)
            refuse_errors(findings(bound.arguments))
            refuse_errors(then(bound.arguments))
            for name, value in bound.arguments.items():
                bound.arguments[name] = taken(value, hints().get(name))
            return function(*bound.args, **bound.kwargs)

        return judged

    return decorate
