"""Remarks about a bucket that is to be linked: what is known of it, and what is not. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def bucket_in_another_region(bucket_region: str | None, region: str | None, import_events: object) -> Iterator[Finding]:
    """What is imported automatically comes from a bucket in the file system's Region.

    None stands for a Region that only the deploy knows.

    Source: FSx User Guide, overview-dra-data-repo; an export may cross Regions.
    """
    if import_events and bucket_region is not None and region is not None and bucket_region != region:
        yield Finding(
            "BUCKET_IN_ANOTHER_REGION",
            Level.ERROR,
            f"bucket must be in {region} to be imported from automatically, got one in {bucket_region}",
            "replicate it, or leave import_events empty",
        )


def bucket_not_seen(name: str, *, seen: bool) -> Iterator[Finding]:
    """Of a bucket that others own neither Region nor encryption are seen.

    Source: FSx User Guide, overview-dra-data-repo and s3-server-side-encryption-support.
    """
    if not seen:
        yield Finding(
            "BUCKET_NOT_SEEN",
            Level.INFO,
            f"bucket {name:.80} is imported: its Region and its key are not known at synth",
            "make sure that it is in the file system's Region, and that a key of its own lets FSx in",
        )


def key_policy_of_others(path: str, *, ours: bool) -> Iterator[Finding]:
    """A key that others own has to let FSx in by its own policy.

    Source: FSx User Guide, s3-server-side-encryption-support.
    """
    if not ours:
        yield Finding(
            "KEY_POLICY_OF_OTHERS",
            Level.WARNING,
            f"key {path} of the linked bucket cannot be changed here, and FSx needs its policy to let it in",
            "allow Encrypt, Decrypt, ReEncrypt*, GenerateDataKey* and DescribeKey to FSx's role for S3 in its policy",
        )
