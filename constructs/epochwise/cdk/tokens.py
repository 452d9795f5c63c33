"""Which arguments only the deploy knows."""

from math import isfinite

from aws_cdk import Token


def is_token(value: object, kind: type) -> bool:
    """Tell whether a value is one of CDK's tokens that stands for text (`str`) or for a number (`int`).

    CDK writes the first as text and the second as a number with a fraction; others cannot stand for either.
    """
    match value:
        case str():
            return kind is str and "${Token[" in value
        case float():
            return kind is int and isfinite(value) and bool(Token.is_unresolved(value))
        case _:
            return False
