"""Keys of S3 as policies name them."""

import re


def key_in_policy(key: str) -> str:
    """Write a key or prefix so that a policy takes it literally, not for a pattern or a variable.

    Source: IAM User Guide, reference_policies_variables: special characters.

    >>> key_in_policy("runs/a*b?${aws:username}")
    'runs/a${*}b${?}${$}{aws:username}'
    """
    return re.sub(r"[*?$]", lambda special: f"${{{special[0]}}}", key)
