"""Boundaries of what is said about the key that a construct is given."""

from functools import partial

from epochwise.checks import encryption_key
from tests.checks.boundaries import Row

_spec = partial(encryption_key.encryption_key_not_symmetric, "a")

ROWS = (
    Row("ENCRYPTION_KEY_IS_ALIAS", partial(encryption_key.encryption_key_is_alias, "a", alias=True), "got a, an alias"),
    Row("ENCRYPTION_KEY_IS_ALIAS", partial(encryption_key.encryption_key_is_alias, "a", alias=False), None),
    Row("ENCRYPTION_KEY_NOT_SYMMETRIC", partial(_spec, "RSA_2048", None), "got a, which is RSA_2048"),
    Row("ENCRYPTION_KEY_NOT_SYMMETRIC", partial(_spec, "HMAC_256", "GENERATE_VERIFY_MAC"), "HMAC_256 for GENERATE_"),
    Row("ENCRYPTION_KEY_NOT_SYMMETRIC", partial(_spec, None, "SIGN_VERIFY"), "got a, which is SIGN_VERIFY"),
    Row("ENCRYPTION_KEY_NOT_SYMMETRIC", partial(_spec, "SYMMETRIC_DEFAULT", "ENCRYPT_DECRYPT"), None),
    Row("ENCRYPTION_KEY_NOT_SYMMETRIC", partial(_spec, None, None), None),
)
