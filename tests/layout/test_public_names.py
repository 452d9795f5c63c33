"""What a user imports comes from `epochwise`, and nothing is loaded before it is used."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import epochwise
from epochwise.catalog.watch_rule_names import WATCH_RULE_NAMES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "constructs" / "epochwise"
MADE_BY_OTHERS = {"JobEvaluator", "JobStopper"}
"""Constructs that `TrainingJob` makes, and nobody else."""
TREES = {
    file: ast.parse(file.read_text(encoding="utf-8")) for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"
}
DOCUMENTED = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md"))

NAMED = {*re.findall(r"`([A-Z][a-z]\w+)`", DOCUMENTED)}
"""What may be a class; rules that watch a job are declared by their names and not imported."""


def classes(room: str = "") -> dict[str, ast.ClassDef]:
    """Return the public classes of a room, or of all."""
    return {
        node.name: node
        for file, tree in TREES.items()
        if file.is_relative_to(PACKAGE / room)
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }


def bases(node: ast.ClassDef) -> set[str]:
    """Return the names of a class's bases."""
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


CONSTRUCTS = {name: node for name, node in classes("cdk").items() if bases(node) & {"Construct", "LustreFileSystem"}}


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules, and those of the package, that a fresh process has loaded after some code."""
    shown = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True, cwd=ROOT)
    return {name for name in done.stdout.split() if "." not in name or name.startswith("epochwise")}


def test_the_constructs_are_found() -> None:
    assert {"TrainingNetwork", "TrainingFileSystem", "ImportedTrainingFileSystem", "PreloadDocument"} <= set(CONSTRUCTS)


@pytest.mark.parametrize("name", sorted(set(CONSTRUCTS) - MADE_BY_OTHERS))
def test_a_construct_is_imported_from_epochwise_and_told_in_the_readme(name: str) -> None:
    assert getattr(epochwise, name).__name__ == name
    assert f"`{name}`" in DOCUMENTED


@pytest.mark.parametrize("name", sorted(NAMED & set(classes()) - set(WATCH_RULE_NAMES)))
def test_a_class_that_is_documented_is_imported_from_epochwise(name: str) -> None:
    assert getattr(epochwise, name).__name__ == name


@pytest.mark.parametrize("name", sorted(set(CONSTRUCTS) - MADE_BY_OTHERS))
def test_the_choices_of_a_constructs_arguments_are_imported_from_epochwise(name: str) -> None:
    choices = {each for each, node in classes().items() if bases(node) & {"StrEnum", "Enum"}}
    named = {
        part.id
        for method in ast.walk(CONSTRUCTS[name])
        if isinstance(method, ast.FunctionDef)
        for argument in (*method.args.args, *method.args.kwonlyargs)
        if argument.annotation is not None
        for part in ast.walk(argument.annotation)
        if isinstance(part, ast.Name)
    }
    assert named & choices <= set(epochwise.__all__)


def test_names_and_homes_are_the_same_and_in_order() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    [typed] = [node for node in tree.body if isinstance(node, ast.If)]
    checked = {alias.name for node in typed.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert checked == set(epochwise.__all__) == set(epochwise._HOMES)
    assert sorted(epochwise.__all__) == list(epochwise.__all__)
    homes = {alias.name: node.module for node in typed.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert homes == epochwise._HOMES


@pytest.mark.parametrize("name", ["DeploymentType", "LogLevel", "ClientOs", "plan", "Workload", "stripe_command"])
def test_a_name_without_constructs_loads_neither_cdk_nor_boto3(name: str) -> None:
    assert not {"aws_cdk", "jsii", "boto3", "botocore", "constructs"} & loaded_by(f"from epochwise import {name}")


def test_a_construct_loads_cdk_and_no_boto3() -> None:
    found = loaded_by("from epochwise import TrainingFileSystem")
    assert "aws_cdk" in found
    assert not {"boto3", "botocore"} & found
