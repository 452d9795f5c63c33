"""Remarks about where a construct is put. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def construct_id_invalid(construct_id: str, *, token: bool) -> Iterator[Finding]:
    """A construct's id is text that is known when the app runs, since names of resources are made of it.

    Source: CDK Developer Guide, identifiers.
    """
    if token or not construct_id:
        yield Finding(
            "CONSTRUCT_ID_INVALID",
            Level.ERROR,
            f"construct_id must be text that is not empty and known when the app runs, got {construct_id!r:.60}",
            "write a name, such as Network",
        )


def construct_id_taken(construct_id: str, path: str, *, taken: bool) -> Iterator[Finding]:
    """A construct's id is the only one of its name in its scope.

    Source: CDK Developer Guide, identifiers.
    """
    if taken:
        yield Finding(
            "CONSTRUCT_ID_TAKEN",
            Level.ERROR,
            f"construct_id must be another than those in {path}, got {construct_id!r:.60} again",
            "write another",
        )


def construct_of_other_app(name: str, path: str, *, same_app: bool) -> Iterator[Finding]:
    """What refers to each other is in one app. Source: CDK Developer Guide, apps."""
    if not same_app:
        yield Finding(
            "CONSTRUCT_OF_OTHER_APP",
            Level.ERROR,
            f"{name} must be of the same app, got {path} of another",
            "create or import it in this app",
        )


def scope_without_stack(name: str, *, in_stack: bool) -> Iterator[Finding]:
    """What is created belongs to a stack. Source: CDK Developer Guide, stacks."""
    if not in_stack:
        yield Finding(
            "SCOPE_WITHOUT_STACK",
            Level.ERROR,
            f"scope must be a stack or in one, got {name}",
            "create a Stack in it and pass that",
        )
