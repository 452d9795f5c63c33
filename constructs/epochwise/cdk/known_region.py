"""The Region of a construct, where the app knows it."""

from aws_cdk import Stack, Token
from constructs import IConstruct


def known_region(construct: IConstruct) -> str | None:
    """Return the Region of a construct's stack, None when only the deploy knows it."""
    region = Stack.of(construct).region
    return None if Token.is_unresolved(region) else region
