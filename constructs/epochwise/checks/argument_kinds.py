"""Whether an argument is of the kind that its signature asks for, told before anything else looks at it."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def setting_of_wrong_kind(name: str, got: str, *, kind: str, right: bool, fix: str) -> Iterator[Finding]:
    """A setting is of its kind: text, a number, True or False, one of a few words, or a list of such.

    True is no number, 2.0 is no whole one, and neither is a number what is infinite or none at all.
    """
    if not right:
        yield Finding("SETTING_OF_WRONG_KIND", Level.ERROR, f"{name} must be {kind}, got {got}", fix)


def construct_of_wrong_kind(name: str, got: str, *, kind: str, right: bool, fix: str) -> Iterator[Finding]:
    """An argument that stands for a thing, such as a resource or a plan, is that thing and not merely like it.

    A class is not one of its things, and a resource of CloudFormation's own level is none of the CDK's.
    """
    if not right:
        yield Finding("CONSTRUCT_OF_WRONG_KIND", Level.ERROR, f"{name} must be {kind}, got {got}", fix)
