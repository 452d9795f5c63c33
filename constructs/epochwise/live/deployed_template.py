"""Fetch the template of a stack that is deployed."""

from typing import Any

from epochwise.live.aws import Aws
from epochwise.live.failure import AwsError, NotFoundError
from epochwise.templates.template_file import UnreadableTemplateError, as_template, parse_template


class UnreachableStackError(UnreadableTemplateError):
    """AWS gave no template: the message says why, in one line."""


def deployed_template(stack_name: str, aws: Aws | None = None) -> dict[str, Any]:
    """Return the template of a stack, as it was given to CloudFormation, with the functions in their long form.

    Needs the permission cloudformation:GetTemplate.

    Args:
        stack_name: name or ARN of the stack.
        aws: where it is asked; as the environment says by default.

    Raises:
        UnreachableStackError: there is no such stack, or AWS cannot be asked: credentials, permission, connection.
        UnreadableTemplateError: what is deployed is no template.
    """
    origin = f"stack {stack_name}"
    try:
        found = (aws or Aws()).ask("cloudformation", "get_template", StackName=stack_name, TemplateStage="Original")
    except NotFoundError:
        raise UnreachableStackError(f"{origin}: does not exist in this account and Region") from None
    except AwsError as error:
        raise UnreachableStackError(f"{origin}: {error}") from None
    body = found["TemplateBody"]
    return parse_template(body, origin) if isinstance(body, str) else as_template(body, origin)
