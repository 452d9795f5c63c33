"""An app of many environments grows with their number, not with its square."""

from collections.abc import Callable

import pytest
from aws_cdk import App
from constructs import ConstructOrder, IConstruct, Node

from epochwise import Plan


def test_no_environment_walks_the_whole_app(
    new_app: Callable[..., App], guide_plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stacks.deployment import create_stacks

    app = new_app()
    walked: list[str] = []
    find_all = Node.find_all

    def noted(node: Node, order: ConstructOrder | None = None) -> list[IConstruct]:
        walked.append(node.path)
        return find_all(node, order)

    monkeypatch.setattr(Node, "find_all", noted)
    stacks = create_stacks(app, guide_plan)
    assert len(app.node.find_all()) > 100
    assert walked == [""], "only what this test walked itself"
    assert stacks
