"""Who calls which check: the package's own source, read as a graph of its top-level definitions."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PACKAGES = {"epochwise": PROJECT / "constructs" / "epochwise", "stacks": PROJECT / "stacks"}

Definition = tuple[str, str]
"""A module and a name in it."""


def _module(package: str, file: Path) -> str:
    parts = (package, *file.relative_to(PACKAGES[package]).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the library and of the reference app's stacks, parsed."""
    return {
        _module(package, file): ast.parse(file.read_text(encoding="utf-8"))
        for package, folder in PACKAGES.items()
        for file in folder.rglob("*.py")
    }


def _imports(tree: ast.Module, trees: Iterable[str]) -> tuple[dict[str, Definition], dict[str, str]]:
    """Return the names that a module imports from the package, and the modules."""
    names: dict[str, Definition] = {}
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                local, whole = alias.asname or alias.name, f"{node.module}.{alias.name}"
                if whole in trees:
                    modules[local] = whole
                else:
                    names[local] = (node.module, alias.name)
        elif isinstance(node, ast.Import):
            modules |= {alias.asname: alias.name for alias in node.names if alias.asname}
    return names, modules


def _defined(statement: ast.stmt) -> list[str]:
    """Return the names that a top-level statement defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


@cache
def calls() -> dict[Definition, frozenset[Definition]]:
    """Return, for each top-level definition, those of the package that it mentions."""
    graph: dict[Definition, frozenset[Definition]] = {}
    for module, tree in trees().items():
        imported, modules = _imports(tree, trees().keys())
        # a name that a module passes on
        graph |= {(module, name): frozenset({target}) for name, target in imported.items()}
        here = {name: (module, name) for statement in tree.body for name in _defined(statement)}
        for statement in tree.body:
            mentioned: set[Definition] = set()
            for node in ast.walk(statement):
                match node:
                    case ast.Name(id=name) if name in here or name in imported:
                        mentioned.add(here.get(name) or imported[name])
                    case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                        mentioned.add((modules[name], attribute))
            for name in _defined(statement):
                graph[module, name] = graph.get((module, name), frozenset()) | mentioned
    return graph


def _in(definition: Definition, rooms: Iterable[str]) -> bool:
    """Tell whether a definition stands in one of the rooms."""
    return f"{definition[0]}.".removeprefix("epochwise.").partition(".")[0] in rooms


def reached_from(*rooms: str, around: Iterable[str] = ()) -> set[Definition]:
    """Return every definition that a room's own definitions lead to, but not through the rooms to go around."""
    left = [definition for definition in calls() if _in(definition, rooms)]
    seen: set[Definition] = set(left)
    while left:
        for definition in calls().get(left.pop(), frozenset()) - seen:
            if _in(definition, around):
                continue
            seen.add(definition)
            left.append(definition)
    return seen
