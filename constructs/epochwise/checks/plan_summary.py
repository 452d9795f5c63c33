"""Remarks about the summary of a plan in a template. One rule, one function, one id."""

import re
from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def summary_name_invalid(name: str) -> Iterator[Finding]:
    """A summary's name is part of the names of outputs, which have letters and digits only.

    Source: CloudFormation User Guide, outputs section.
    """
    if not re.fullmatch("[A-Za-z0-9]{0,100}", name):
        yield Finding(
            "SUMMARY_NAME_INVALID",
            Level.ERROR,
            f"name must be up to 100 letters and digits, got {name!r:.60}",
            "write it like Second",
        )


def summary_twice(name: str, *, taken: bool) -> Iterator[Finding]:
    """Each summary of a stack has a name of its own, since its outputs have."""
    if taken:
        yield Finding(
            "SUMMARY_TWICE",
            Level.ERROR,
            f"name must be another than that of the stack's other plan summary, got {name!r}",
            "pass one, such as name='Second'",
        )
