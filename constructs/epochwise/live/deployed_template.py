"""Fetch the template of a stack that is deployed."""

from typing import TYPE_CHECKING, Any

from epochwise.templates.template_file import UnreadableTemplateError, as_template, parse_template

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

CONNECT_TIMEOUT_S = 5
READ_TIMEOUT_S = 30


class UnreachableStackError(UnreadableTemplateError):
    """AWS gave no template: the message says why, in one line."""


def deployed_template(stack_name: str) -> dict[str, Any]:
    """Return the template of a stack, as it was given to CloudFormation, with the functions in their long form.

    Credentials, Region, profile and endpoint (`AWS_ENDPOINT_URL`) come from the environment as boto3 takes them. Needs
    the permission cloudformation:GetTemplate.

    Args:
        stack_name: name or ARN of the stack.

    Raises:
        UnreachableStackError: there is no such stack, or AWS cannot be asked: credentials, permission, connection.
        UnreadableTemplateError: what is deployed is no template.
    """
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise UnreachableStackError(
            f"stack {stack_name}: boto3 is not installed; install epochwise[live], or pass the deployed template's file"
        ) from None
    config = Config(connect_timeout=CONNECT_TIMEOUT_S, read_timeout=READ_TIMEOUT_S, retries={"total_max_attempts": 2})
    try:
        client = boto3.client("cloudformation", config=config)
        body = client.get_template(StackName=stack_name, TemplateStage="Original")["TemplateBody"]
    except ClientError as error:
        raise UnreachableStackError(f"stack {stack_name}: {_refusal(error)}") from None
    except (BotoCoreError, ValueError) as error:
        # a profile that does not exist, no credentials, no Region, no connection, an endpoint that is no address
        reason = " ".join(str(error).split()).rstrip(".")
        raise UnreachableStackError(f"stack {stack_name}: AWS cannot be asked: {reason}") from None
    origin = f"stack {stack_name}"
    return parse_template(body, origin) if isinstance(body, str) else as_template(body, origin)


def _refusal(error: "ClientError") -> str:
    """Say why AWS refused, in one line without full stop."""
    details = error.response.get("Error", {})
    code, message = details.get("Code", "unknown"), " ".join(str(details.get("Message", error)).split()).rstrip(".")
    if code in {"ValidationError", "ResourceNotFoundException"} and "does not exist" in message:
        return "does not exist in this account and Region"
    if code in {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"}:
        return f"cloudformation:GetTemplate is not allowed: {message}"
    return f"AWS refused: {message} ({code})"
