"""Apps as the CDK CLI would start them, and the guide's templates."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template

from epochwise import Plan, Workload, plan

ROOT = Path(__file__).parents[2]
CONTEXT = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]


@pytest.fixture(scope="session")
def new_app() -> Callable[..., App]:
    """Return how to make an app with cdk.json's context, which App does not read by itself."""

    def make(outdir: str | None = None, **context: Any) -> App:
        return App(context={**CONTEXT, **context}, outdir=outdir)

    return make


@pytest.fixture
def stack(new_app: Callable[..., App]) -> Stack:
    return Stack(new_app(), "test")


@pytest.fixture(scope="session")
def guide() -> Workload:
    return Workload.from_file(ROOT / "workloads" / "guide.yaml")


@pytest.fixture(scope="session")
def guide_plan(guide: Workload) -> Plan:
    return plan(guide)


@pytest.fixture(scope="session")
def guide_stacks(new_app: Callable[..., App], guide_plan: Plan) -> dict[str, Stack]:
    from stacks.deployment import create_stacks

    return {stack.stack_name.rpartition("-")[2]: stack for stack in create_stacks(new_app(), guide_plan)}


@pytest.fixture(scope="session")
def templates(guide_stacks: dict[str, Stack]) -> dict[str, Template]:
    """Return the guide's templates by stack: network, storage, training."""
    return {name: Template.from_stack(stack) for name, stack in guide_stacks.items()}
