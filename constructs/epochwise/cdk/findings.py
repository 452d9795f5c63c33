"""How findings reach a CDK user: an error refuses, a warning annotates and can be acknowledged."""

from collections.abc import Iterable

from aws_cdk import Validations
from constructs import IConstruct

from epochwise.checks.finding import Finding, Level
from epochwise.checks.refusal import refuse_errors

__all__ = ["annotate", "refuse_errors"]


def annotate(construct: IConstruct, findings: Iterable[Finding]) -> None:
    """Add every warning to a construct under its id, so that a user can acknowledge `Annotation::<id>`."""
    for finding in findings:
        if finding.level is Level.WARNING:
            Validations.of(construct).add_warning(id=finding.id, message=f"{finding.message}; {finding.fix}")
