"""Whether a stack that is deployed can be updated, and what the update would do to its file system."""

import shlex
from typing import Any

from epochwise.checks.deployed_stack import stack_not_updatable
from epochwise.checks.finding import Level
from epochwise.checks.preflight import Preflight, judged
from epochwise.live.answer_fields import first_of
from epochwise.live.by_hand import aws_command
from epochwise.live.deployed_template import template_of_stack
from epochwise.live.failure import AwsError, NotFoundError
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import CannotTellError, Subject
from epochwise.templates.diff import diff_templates
from epochwise.templates.template_file import UnreadableTemplateError

_FAILED = "_FAILED"
_FOLLOWED = "cancelled"
"""In the reason of what failed only since something else did."""


def _is_named(subject: Subject) -> bool:
    """Tell whether a stack is named."""
    return subject.named.stack is not None


def _stack_name(subject: Subject) -> str:
    """Return the name of the stack."""
    return str(subject.named.stack)


def _stack(subject: Subject) -> Preflight:
    """Look at the stack's state, and at what failed where it is a bad one."""
    name = _stack_name(subject)
    status = str(first_of(_found(subject, "describe_stacks"), "Stacks")["StackStatus"])
    findings = list(stack_not_updatable(name, status, ""))
    if findings:
        findings = list(stack_not_updatable(name, status, _failure(subject)))
    return judged("stack", f"stack {name} is in {status}", findings)


def _failure(subject: Subject) -> str:
    """Return what failed first in the stack's last operations, and why; empty where nothing tells."""
    try:
        events: list[dict[str, Any]] = _found(subject, "describe_stack_events")["StackEvents"]
    except AwsError:
        return ""
    # the newest comes first
    failed = [
        f"{each.get('LogicalResourceId')} failed with {' '.join(str(each.get('ResourceStatusReason')).split())}"
        for each in events
        if str(each.get("ResourceStatus", "")).endswith(_FAILED)
        and _FOLLOWED not in str(each.get("ResourceStatusReason", "")).lower()
    ]
    return failed[-1].rstrip(".")[:300] if failed else ""


def _found(subject: Subject, method: str) -> dict[str, Any]:
    """Ask CloudFormation about the stack."""
    try:
        return subject.account.ask("cloudformation", method, StackName=_stack_name(subject))
    except NotFoundError:
        where = f"stack {_stack_name(subject)} does not exist in this account and Region"
        raise NotFoundError(f"{where}; leave --stack out before the first deploy") from None


def _template(subject: Subject) -> Preflight:
    """Compare the new template with the deployed one."""
    name, new = _stack_name(subject), subject.named.template
    if new is None:
        raise CannotTellError("no new template is named; name what `cdk synth` wrote with --template")
    try:
        old = template_of_stack(name, subject.account)
    except NotFoundError:
        raise CannotTellError(f"stack {name} does not exist in this account and Region") from None
    except UnreadableTemplateError as error:
        raise CannotTellError(str(error)) from None
    changes = diff_templates(old, dict(new))
    findings = [change.finding for change in changes]
    harmless = [finding.message for finding in findings if finding.level is not Level.ERROR]
    said = "; ".join(harmless) if harmless else "nothing changes about a file system"
    return judged("template", said, findings)


def _stack_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look at the stack's state and events."""
    region, name = subject.region, _stack_name(subject)
    return (
        aws_command("cloudformation", "describe-stacks", region=region, stack_name=name, query="Stacks[].StackStatus"),
    )


def _template_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to compare the templates, or to read the deployed one."""
    if subject.named.template_file:
        return (shlex.join(["epochwise", "diff", subject.named.template_file, "--deployed", _stack_name(subject)]),)
    return (
        aws_command(
            "cloudformation",
            "get-template",
            region=subject.region,
            stack_name=_stack_name(subject),
            template_stage="Original",
            query="TemplateBody",
        ),
    )


CHECKS = (
    Check("stack", _stack, _stack_by_hand, _is_named),
    Check("template", _template, _template_by_hand, _is_named),
)
