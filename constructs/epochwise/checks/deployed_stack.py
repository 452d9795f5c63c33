"""Rules about the state of a stack that is deployed."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

_UPDATABLE = {
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_COMPLETE",
}
_FIXES = {
    "ROLLBACK_COMPLETE": "delete the stack, whose creation failed, and deploy again",
    "ROLLBACK_FAILED": "delete the stack, whose creation failed, and deploy again",
    "CREATE_FAILED": "delete the stack, whose creation failed, and deploy again",
    "DELETE_FAILED": "delete the stack again, and deploy anew",
    "UPDATE_ROLLBACK_FAILED": "continue its rollback first: `aws cloudformation continue-update-rollback`",
    "REVIEW_IN_PROGRESS": "execute or delete its change set first",
}


def stack_not_updatable(name: str, status: str, failure: str) -> Iterator[Finding]:
    """A deploy can only update a stack that is at rest after a success.

    Source: CloudFormation User Guide, view-stack-events (stack status codes).

    Args:
        name: of the stack.
        status: as CloudFormation has it.
        failure: what failed in it last and why; empty where nothing did.
    """
    if status not in _UPDATABLE:
        why = f": {failure}" if failure else ""
        fix = _FIXES.get(status, "wait until it is at rest")
        yield Finding("STACK_NOT_UPDATABLE", Level.ERROR, f"stack {name} is in {status}{why}", fix)
