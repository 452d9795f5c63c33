"""The bucket of the dataset, as several checks look at it."""

from typing import Any

from epochwise.live.failure import AwsError, NotFoundError
from epochwise.live.preflight_subject import CannotTellError, Subject


def has_source(subject: Subject) -> bool:
    """Tell whether the dataset lies in a bucket."""
    return subject.workload.dataset.source is not None


def bucket_and_prefix(subject: Subject) -> tuple[str, str]:
    """Return where the dataset lies: the bucket, and the prefix without a slash before it."""
    bucket, _, prefix = str(subject.workload.dataset.source).removeprefix("s3://").partition("/")
    return bucket, prefix


def head_of_bucket(subject: Subject) -> dict[str, Any]:
    """Return what S3 says of the bucket.

    Raises:
        AwsError: it does not exist, or AWS does not answer.
    """
    return subject.account.ask("s3", "head_bucket", Bucket=bucket_and_prefix(subject)[0])


def ask_of_bucket(subject: Subject, method: str, **request: Any) -> dict[str, Any] | None:
    """Return what S3 says of a part of the bucket's configuration; None where the bucket has none of it.

    Raises:
        AwsError: AWS does not answer.
        CannotTellError: the bucket does not exist.
    """
    bucket = bucket_and_prefix(subject)[0]
    try:
        head_of_bucket(subject)
    except NotFoundError:
        raise CannotTellError(f"bucket {bucket} does not exist") from None
    except AwsError:
        # whoever may not list it may still read its configuration
        pass
    try:
        return subject.account.ask("s3", method, Bucket=bucket, **request)
    except NotFoundError:
        return None
