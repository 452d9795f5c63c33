"""Boundaries of what only a deployment can say about a rule's actions; the others are among training's options."""

from functools import partial
from typing import Any

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding
from epochwise.checks.rule_actions import rule_action_closed_vpc
from tests.checks.boundaries import Row
from tests.checks.test_training_option_findings import CLOSED_VPC_BOUNDARIES, rules, trained


def _found(rule: Any, *, closed: bool) -> Finding | None:
    job = DeclaredJob.of(trained(**rules(rule)))
    assert job is not None
    return rule_action_closed_vpc(job, closed=closed)


ROWS = tuple(
    Row("RULE_ACTION_CLOSED_VPC", partial(_found, rule, closed=closed), "LossNotDecreasing" if expected else None)
    for rule, closed, expected in CLOSED_VPC_BOUNDARIES
)
