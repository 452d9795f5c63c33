"""`EpochwiseChecks`: our rules as a validation plugin of any CDK app."""

import json
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jsii
from aws_cdk import (
    IPolicyValidationContext,
    IPolicyValidationPlugin,
    PolicyValidationPluginReport,
    PolicyViolatingResource,
    PolicyViolation,
)

from epochwise.cdk.construct_notes import ConstructNotes
from epochwise.checks.finding import Finding, Level
from epochwise.checks.plain_resources import acknowledgement_matches_nothing
from epochwise.policy.violation import Violation
from epochwise.policy.violations import violations

NAME = "Epochwise"


@jsii.implements(IPolicyValidationPlugin)
class EpochwiseChecks:
    """Judges the resources of a whole app at synth, whoever made them, those of nested stacks too.

    ```python
    Validations.of(app).add_plugins(EpochwiseChecks())
    ```

    Findings have the ids of `epochwise explain`. One is acknowledged at its construct, or above it, with
    `Validations.of(construct).acknowledge(Acknowledgment(id="Epochwise::LUSTRE_PORTS_OPEN", reason="..."))`; an
    acknowledgement that matches nothing is itself a finding. Templates are read as they are written, no function is
    evaluated, and what only a deploy knows is not judged.
    """

    @property
    def name(self) -> str:
        """What stands before the id in an acknowledgement."""
        return NAME

    @property
    def version(self) -> str:
        """Version of the library."""
        return version("epochwise")

    @property
    def rule_ids(self) -> None:
        """Left out: CDK counts with it which rules are used."""

    @jsii.member(jsii_name="validate")
    def validate(self, context: IPolicyValidationContext) -> PolicyValidationPluginReport:
        """Judge the app's templates; CDK calls it."""
        stacks = [(each.stack_construct_path, each.template_path) for each in context.stack_templates]
        notes = ConstructNotes.of(context.app_construct, stacks)
        templates = {path: _read(Path(path)) for path in (*(path for _, path in stacks), *notes.nested)}
        found = violations(templates, notes.nested)
        reported = [*_resource_violations(found), *_unmatched(notes, found)]
        return PolicyValidationPluginReport(
            success=not any(violation.severity == "error" for violation in reported), violations=reported
        )


def _resource_violations(found: list[Violation]) -> Iterator[PolicyViolation]:
    """Yield what is found, resources with the same finding together."""
    alike: dict[Finding, list[Violation]] = defaultdict(list)
    for violation in found:
        alike[violation.finding].append(violation)
    for finding, violated in alike.items():
        yield _report(
            finding,
            [
                PolicyViolatingResource(
                    resource_logical_id=each.logical_id, template_path=each.template, locations=[each.location]
                )
                for each in violated
            ],
        )


def _unmatched(notes: ConstructNotes, found: list[Violation]) -> Iterator[PolicyViolation]:
    """Yield each acknowledgement of ours under which nothing is found."""
    matched = [(each.finding.id, notes.places.get((each.template, each.logical_id), "")) for each in found]
    for place, acknowledged in notes.acknowledgements():
        namespace, _, finding_id = acknowledged.partition("::")
        known = any(
            other == finding_id and (not place or f"{where}/".startswith(f"{place}/")) for other, where in matched
        )
        if namespace == NAME and not known:
            finding = acknowledgement_matches_nothing(acknowledged, place or "the app")
            yield _report(finding, [PolicyViolatingResource(construct_path=place, locations=[])])


def _report(finding: Finding, resources: list[PolicyViolatingResource]) -> PolicyViolation:
    """Say a finding in CDK's words."""
    return PolicyViolation(
        rule_name=finding.id,
        description=finding.message,
        fix=finding.fix,
        severity="error" if finding.level is Level.ERROR else "warning",
        violating_resources=resources,
    )


def _read(path: Path) -> dict[str, Any]:
    """Read a file of the assembly."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
