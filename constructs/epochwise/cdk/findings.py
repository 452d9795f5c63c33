"""How findings reach a CDK user: an error refuses, a warning annotates and can be acknowledged."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import jsii
from aws_cdk import Aspects, IAspect, Validations
from constructs import IConstruct

from epochwise.checks import refusal
from epochwise.checks.finding import Finding, Level

_TOKEN = re.compile(r"(?P<quote>'?)\$\{Token\[[^]]*\]\}(?P=quote)")


def refuse_errors(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are no errors; a token in a message is said to be one.

    Raises:
        ValueError: with every error, one per line.
    """
    return refusal.refuse_errors(
        replace(each, message=_TOKEN.sub("a token, which only the deploy knows", each.message)) for each in findings
    )


def annotate(construct: IConstruct, findings: Iterable[Finding]) -> None:
    """Add every warning to a construct under its id, so that a user can acknowledge `Annotation::<id>`."""
    for finding in findings:
        if finding.level is Level.WARNING:
            Validations.of(construct).add_warning(id=finding.id, message=f"{finding.message}; {finding.fix}")


@jsii.implements(IAspect)
class _AtSynth:
    """Says at synth, once, what only the whole app shows."""

    def __init__(self, construct: IConstruct, find: Callable[[], Iterable[Finding]]) -> None:
        """Take what is called then."""
        self._construct = construct
        self._find: Callable[[], Iterable[Finding]] | None = find

    def visit(self, _node: IConstruct) -> None:
        """Annotate the construct at the first visit."""
        find, self._find = self._find, None
        if find is not None:
            found = list(find())
            annotate(self._construct, found)
            for finding in found:
                if finding.level is Level.ERROR:
                    Validations.of(self._construct).add_error(
                        id=finding.id, message=f"{finding.message}; {finding.fix}"
                    )


def annotate_at_synth(construct: IConstruct, find: Callable[[], Iterable[Finding]]) -> None:
    """Add what is found once the app is whole: warnings as `annotate` does, and errors, which end the synth."""
    Aspects.of(construct).add(_AtSynth(construct, find))
