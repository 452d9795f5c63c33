"""Boundaries of what is said about a stack's state."""

from functools import partial

from epochwise.checks.deployed_stack import stack_not_updatable
from tests.checks.boundaries import Row

STACK = partial(stack_not_updatable, "storage", failure="")

ROWS = (
    *(
        Row("STACK_NOT_UPDATABLE", partial(STACK, status), f"storage is in {status}")
        for status in ("ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "UPDATE_IN_PROGRESS", "REVIEW_IN_PROGRESS")
    ),
    *(
        Row("STACK_NOT_UPDATABLE", partial(STACK, status), None)
        for status in ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
    ),
)
