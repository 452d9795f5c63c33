"""Fetch the template of a stack that is deployed."""

from typing import Any

from epochwise.live.answers import Answers
from epochwise.live.aws import Aws
from epochwise.live.failure import AwsError, NotFoundError
from epochwise.templates.template_file import UnreadableTemplateError, as_template, parse_template


class UnreachableStackError(UnreadableTemplateError):
    """AWS gave no template: the message says why, in one line."""


class AbsentStackError(UnreachableStackError):
    """There is no such stack where it was asked for."""


def deployed_template(stack_name: str, aws: Aws | None = None, *, region: str | None = None) -> dict[str, Any]:
    """Return the template of a stack, as it was given to CloudFormation, with the functions in their long form.

    Needs the permission cloudformation:GetTemplate.

    Args:
        stack_name: name or ARN of the stack.
        aws: where it is asked; as the environment says by default.
        region: Region, where `aws` is left out; the environment's by default.

    Raises:
        AbsentStackError: there is no such stack.
        UnreachableStackError: AWS cannot be asked: credentials, permission, connection.
        UnreadableTemplateError: what is deployed is no template.
    """
    try:
        return template_of_stack(stack_name, aws or Aws(region))
    except NotFoundError:
        raise AbsentStackError(f"stack {stack_name}: does not exist in this account and Region") from None
    except AwsError as error:
        raise UnreachableStackError(f"stack {stack_name}: {error}") from None


def template_of_stack(stack_name: str, aws: Aws | Answers) -> dict[str, Any]:
    """Return the template of a stack as `deployed_template` does.

    Raises:
        AwsError: there is no such stack, or AWS cannot be asked.
        UnreadableTemplateError: what is deployed is no template.
    """
    found = aws.ask("cloudformation", "get_template", StackName=stack_name, TemplateStage="Original")
    body, origin = found["TemplateBody"], f"stack {stack_name}"
    return parse_template(body, origin) if isinstance(body, str) else as_template(body, origin)
