"""Every check, read from its own source: nothing is listed by hand, so nothing can go stale.

A check is a function of this room that makes a `Finding`. Its id and level stand in that call as literals, what is
wrong is the first line of its docstring, why is the rest, and where the rule comes from follows the word `Source:`.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from epochwise.checks.finding import Level

_PACKAGE = "epochwise.checks"
_SECTION = re.compile(r"\n\s*(Args|Raises|Returns|Yields):\n.*", re.DOTALL)
_SOURCE = re.compile(r"(?:^|\s)Sources?:\s(?P<source>.*?)(?=\n\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Check:
    """One rule: its id, how much it weighs, what it says and why."""

    id: str
    levels: tuple[Level, ...]
    title: str
    """What is wrong, the first sentence of the function's docstring."""
    why: str
    """The rest of the docstring; empty when the title says it all."""
    source: str
    """Where the rule comes from; empty when the docstring names no source."""
    messages: tuple[str, ...]
    """What it says, with <names> in the place of values."""
    fixes: tuple[str, ...]
    """What to do about it, likewise."""
    module: str
    function: str


@cache
def every_check() -> tuple[Check, ...]:
    """Return every check by id; one that two functions make stands there twice.

    Raises:
        ValueError: a finding's id or level is no literal.
    """
    found = (
        check
        for source in files(_PACKAGE).iterdir()
        if source.name.endswith(".py")
        for check in checks_in(source.read_text(encoding="utf-8"), f"{_PACKAGE}.{source.name.removesuffix('.py')}")
    )
    return tuple(sorted(found, key=lambda check: (check.id, check.module, check.function)))


def checks_in(source: str, module: str) -> Iterator[Check]:
    """Yield the checks in a module's source text, in the order of their functions.

    Raises:
        ValueError: a finding's id or level is no literal.
    """
    for function in ast.parse(source).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        calls: dict[str, list[dict[str, ast.expr]]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                arguments = _arguments(node)
                calls.setdefault(_id_of(arguments, f"{module}.{function.name}"), []).append(arguments)
        title, why, made_by = _documented(ast.get_docstring(function) or "")
        for finding_id, made in calls.items():
            levels = {level for arguments in made for level in _levels(arguments, f"{module}.{function.name}")}
            yield Check(
                id=finding_id,
                levels=tuple(level for level in Level if level in levels),
                title=title,
                why=why,
                source=made_by,
                messages=tuple(dict.fromkeys(_text(arguments.get("message")) for arguments in made)),
                fixes=tuple(dict.fromkeys(_text(arguments.get("fix")) for arguments in made)),
                module=module,
                function=function.name,
            )


def explain(finding_id: str) -> str:
    """Render a check for a person: what, why, what it says, what to do and where the rule comes from.

    Raises:
        ValueError: there is no such id; names the nearest ones.
    """
    wanted = finding_id.strip().upper().replace("-", "_")
    checks = [check for check in every_check() if check.id == wanted]
    if not checks:
        ids = sorted({check.id for check in every_check()})
        near = get_close_matches(wanted, ids, n=3, cutoff=0.5)
        if near:
            meant = f"did you mean {' or '.join(near)}?"
        else:
            far = ", ".join(get_close_matches(wanted, ids, n=3, cutoff=0.2)) or "none"
            meant = f"nearest: {far}; `epochwise explain` lists all {len(ids)}"
        raise ValueError(f"id must be one of a finding, got {finding_id[:60]!r}; {meant}")
    return "\n\n".join(_explained(check) for check in checks)


def _explained(check: Check) -> str:
    """Render one check."""
    lines = [f"{check.id} ({' or '.join(check.levels)})", check.title]
    lines += [check.why] if check.why else []
    lines += [f"says: {message}" for message in check.messages]
    lines += [f"fix: {fix}" for fix in check.fixes]
    lines += [f"source: {check.source or 'none named'}", f"rule: {check.module}.{check.function}"]
    return "\n".join(lines)


def _arguments(call: ast.Call) -> dict[str, ast.expr]:
    """Return the arguments of a call of Finding by name."""
    by_place = dict(zip(("id", "level", "message", "fix"), call.args, strict=False))
    return by_place | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}


def _id_of(arguments: dict[str, ast.expr], where: str) -> str:
    """Return a finding's id."""
    match arguments.get("id"):
        case ast.Constant(value=str(finding_id)):
            return finding_id
    raise ValueError(f"{where}: the id of a finding must be a literal, so that it can be looked up")


def _levels(arguments: dict[str, ast.expr], where: str) -> set[Level]:
    """Return the levels that a finding may have."""
    expression = arguments.get("level", ast.Constant(None))
    levels = {
        Level[node.attr]
        for node in ast.walk(expression)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Level"
    }
    if not levels:
        raise ValueError(f"{where}: the level of a finding must be written as Level.…")
    return levels


def _documented(docstring: str) -> tuple[str, str, str]:
    r"""Split a docstring into its first sentence, the reason and the source, each on one line.

    >>> _documented("Refuse it.\n\nIt breaks. Source: User Guide,\nlimits.")
    ('Refuse it', 'It breaks.', 'User Guide, limits')
    """
    text = _SECTION.sub("", inspect.cleandoc(docstring))
    named = _SOURCE.search(text)
    source = _line(named["source"]).rstrip(".") if named else ""
    first, _, rest = _SOURCE.sub("", text).strip().partition("\n\n")
    return _line(first).removesuffix("."), _line(rest), source


def _text(expression: ast.expr | None) -> str:
    """Render what a finding says, with <names> in the place of values.

    >>> _text(ast.parse("f'got {settings.nodes} of {min(a, b)}'", mode="eval").body)
    'got <nodes> of <…>'
    """
    match expression:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part.value if isinstance(part, ast.FormattedValue) else part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left) + _text(right)
        case ast.IfExp(body=body, orelse=otherwise):
            return " | ".join(filter(None, (_text(body), _text(otherwise))))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return f"<{name.strip('_').lower()}>"
    return "<…>"


def _line(text: str) -> str:
    """Join lines."""
    return " ".join(text.split())
