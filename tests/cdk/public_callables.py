"""Everything of `epochwise.cdk` that an app calls: found by looking, so that what is new is found too."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from constructs import Construct

import epochwise.cdk
from epochwise.checks.judged_arguments import judged_arguments

ROOT = Path(__file__).parents[2]
PACKAGE = epochwise.cdk.__name__


@dataclass(frozen=True)
class PublicCallable:
    """A construct, one of its methods, or a function."""

    name: str
    """As it is called, such as TrainingFileSystem.link_bucket."""
    owner: type | None
    """The class of a construct or a method."""
    function: Callable[..., Any]

    @property
    def makes(self) -> bool:
        """Whether it makes a construct in a scope."""
        return {"scope", "construct_id"} <= set(self.hints)

    @property
    def hints(self) -> Mapping[str, Any]:
        """What it takes."""
        return {name: hint for name, hint in get_type_hints(self.function).items() if name != "return"}

    @property
    def required(self) -> list[str]:
        """Arguments without a default."""
        given = inspect.signature(self.function).parameters.values()
        return [each.name for each in given if each.default is each.empty and each.name in self.hints]

    @property
    def unknown(self) -> list[str]:
        """Arguments of which the signature says nothing."""
        found = inspect.signature(self.function).parameters.values()
        plain = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
        return [
            each.name
            for place, each in enumerate(found)
            if each.kind not in plain or (each.name not in self.hints and (place or self.owner is None))
        ]

    @property
    def is_judged(self) -> bool:
        """Whether the arguments are judged by the signature."""
        return self.function.__code__.co_filename == judged_arguments.__code__.co_filename


@cache
def every_callable() -> tuple[PublicCallable, ...]:
    """Return constructs and their methods, and functions that the reference app and the README import.

    A method that several constructs share stands there once, with the construct that has most of them.
    """
    found = sorted([*_of_constructs(), *_functions()], key=lambda each: len(getattr(each.owner, "__mro__", ())))
    return tuple({each.function: each for each in found}.values())


def _of_constructs() -> Iterator[PublicCallable]:
    """Yield the public constructs of the package and everything public that they offer, inherited from here or own."""
    for module in pkgutil.iter_modules(epochwise.cdk.__path__):
        for name, found in vars(import_module(f"{PACKAGE}.{module.name}")).items():
            if name.startswith("_") or not inspect.isclass(found) or not _is_ours(found):
                continue
            if not issubclass(found, Construct):
                continue
            for owner in found.__mro__:
                for attribute, value in vars(owner).items() if _is_ours(owner) else ():
                    function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
                    if attribute == "__init__" and owner is found:
                        yield PublicCallable(found.__name__, found, function)
                    elif not attribute.startswith("_") and inspect.isfunction(function):
                        yield PublicCallable(f"{found.__name__}.{attribute}", found, function)


def _functions() -> Iterator[PublicCallable]:
    """Yield functions that an app imports, as the reference app and the README's blocks do."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stacks = [file.read_text(encoding="utf-8") for file in (ROOT / "constructs" / "epochwise" / "stacks").glob("*.py")]
    for text in [*re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL), *stacks]:
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ImportFrom) or not f"{node.module}".startswith(f"{PACKAGE}."):
                continue
            for alias in node.names:
                found = getattr(import_module(f"{node.module}"), alias.name)
                if inspect.isfunction(found):
                    yield PublicCallable(alias.name, None, found)


def _is_ours(found: type) -> bool:
    """Tell whether a class is one of the package."""
    return found.__module__.startswith(f"{PACKAGE}.")
