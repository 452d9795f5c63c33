"""Versions that are supported, from the project's own declaration."""

import tomllib

from docs.made.command_line import ROOT
from docs.made.markdown import code, table

_PYTHON = "Programming Language :: Python :: 3."
_NAMED = ("aws-cdk-lib", "constructs", "pydantic")


def supported_versions() -> str:
    """Write a table of Python, and of what decides a template or a declaration."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    minors = [kind.removeprefix(_PYTHON) for kind in project["classifiers"] if kind.startswith(_PYTHON)]
    rows = [("Python", f"3.{minors[0]} to 3.{minors[-1]}")]
    rows += [(each.partition(">")[0], code(each)) for each in project["dependencies"] if each.startswith(_NAMED)]
    return table(("", "supported"), rows)
