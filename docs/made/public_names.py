"""The reference of what Python imports from `epochwise`, from docstrings; they are read, never run."""

from functools import cache

import griffe

import epochwise
from docs.made.command_line import ROOT
from docs.made.markdown import code, prose, table

_KINDS = (
    ("Constructs", "epochwise.cdk."),
    ("Declaring and planning", "epochwise.workload", "epochwise.sizing."),
    ("Training request", "epochwise.training."),
    ("Files on servers", "epochwise.clients."),
    ("Choices and findings", "epochwise.catalog.", "epochwise.checks."),
)
"""Title, and the rooms whose names stand under it."""


def public_names() -> str:
    """Write an overview, then each name by kind; mkdocstrings fills in the docstrings."""
    parts = [_overview()]
    for title, *rooms in _KINDS:
        parts.append(f"## {title}")
        parts += [f"::: {home(name)}.{name}" for name in epochwise.__all__ if home(name).startswith(tuple(rooms))]
    return "\n\n".join(parts)


@cache
def home(name: str) -> str:
    """Return the module in which a public name is defined.

    >>> home("Workload"), home("plan")
    ('epochwise.workload.model', 'epochwise.sizing.planner')
    """
    module = epochwise._HOMES[name]
    member = _read(module).members[name]
    return member.target_path.rpartition(".")[0] if isinstance(member, griffe.Alias) else module


def _overview() -> str:
    """Write a table of every name with the first line of its docstring."""
    rows = []
    for name in epochwise.__all__:
        docstring = _read(home(name)).members[name].docstring
        first = docstring.value.strip().partition("\n")[0] if docstring else ""
        rows.append((f"[{code(name)}][{home(name)}.{name}]", prose(first)))
    return table(("name", "is"), rows)


@cache
def _read(module: str) -> griffe.Module:
    """Return a module as griffe reads it from its source."""
    place = ROOT / "constructs" / module.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return griffe.visit(module, filepath=file, code=file.read_text(encoding="utf-8"))
