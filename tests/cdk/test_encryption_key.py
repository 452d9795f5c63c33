"""A key that a construct is given is one that AWS's services encrypt with."""

from collections.abc import Callable

import pytest
from aws_cdk import Stack
from aws_cdk import aws_kms as kms

from epochwise import Workload
from tests.cdk.file_systems import PERSISTENT_2, build
from tests.cdk.jobs import file_system_in, job_in, network_in

KEYS: dict[str, tuple[str | None, Callable[[Stack], kms.IKey]]] = {
    "alias": ("ENCRYPTION_KEY_IS_ALIAS", lambda stack: kms.Key(stack, "Key").add_alias("alias/data")),
    "imported alias": (
        "ENCRYPTION_KEY_IS_ALIAS",
        lambda stack: kms.Alias.from_alias_name(stack, "Key", "alias/data"),
    ),
    "RSA": (
        "ENCRYPTION_KEY_NOT_SYMMETRIC",
        lambda stack: kms.Key(stack, "Key", key_spec=kms.KeySpec.RSA_2048, key_usage=kms.KeyUsage.ENCRYPT_DECRYPT),
    ),
    "HMAC": (
        "ENCRYPTION_KEY_NOT_SYMMETRIC",
        lambda stack: kms.Key(stack, "Key", key_spec=kms.KeySpec.HMAC_256, key_usage=kms.KeyUsage.GENERATE_VERIFY_MAC),
    ),
    "symmetric": (None, lambda stack: kms.Key(stack, "Key", key_spec=kms.KeySpec.SYMMETRIC_DEFAULT)),
    "unsaid": (None, lambda stack: kms.Key(stack, "Key")),
    "imported": (
        None,
        lambda stack: kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-east-1:111122223333:key/1"),
    ),
}


@pytest.mark.parametrize(("finding", "key"), KEYS.values(), ids=KEYS)
def test_a_file_system_is_encrypted_with_a_symmetric_key_alone(
    stack: Stack, finding: str | None, key: Callable[[Stack], kms.IKey]
) -> None:
    given = key(stack)
    if finding is None:
        assert build(stack, encryption_key=given, **PERSISTENT_2).retained
    else:
        with pytest.raises(ValueError, match=rf"encryption_key must be .*\[{finding}\]$"):
            build(stack, encryption_key=given, **PERSISTENT_2)


def test_a_job_takes_no_other_key_either(stack: Stack, guide: Workload) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    with pytest.raises(ValueError, match=r"test/Key, which is RSA_2048; .*\[ENCRYPTION_KEY_NOT_SYMMETRIC\]$"):
        job_in(stack, guide, network, file_system, encryption_key=KEYS["RSA"][1](stack))
