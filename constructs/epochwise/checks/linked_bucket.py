"""Remarks about a bucket that is to be linked: what is known of it, and what is not. One rule, one function, one id."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from epochwise.checks.finding import Finding, Level
from epochwise.checks.policy_statement import listed, matches_action

_ALIAS = "-s3alias"
"""How the alias of an access point ends (Amazon S3 User Guide, access-points-alias)."""
_BUCKET_NAME = re.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_ADDRESS = re.compile(r"(\d{1,3}\.){3}\d{1,3}")
_RESERVED_BEGINNINGS = ("xn--", "sthree-", "amzn-s3-demo-")
_RESERVED_ENDS = (_ALIAS, "--ol-s3", ".mrap", "--x-s3", "--table-s3")
_EVENTS_OF_FSX = ("s3:ObjectCreated:", "s3:ObjectRemoved:")
_KEY_IN_USE = "Enabled"
ROLE_OF_FSX = "AWSServiceRoleForFSxS3Access"
"""How the role begins that FSx makes for each file system's first link (FSx User Guide, using-service-linked-roles)."""


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


def bucket_name_illegal(name: str) -> Iterator[Finding]:
    """A general purpose bucket has a name that S3 gives.

    Names from before March 2018 with capitals or underscores are refused too: FSx's own pattern has neither.

    Source: Amazon S3 User Guide, bucketnamingrules.
    """
    legal = _BUCKET_NAME.fullmatch(name) and ".." not in name and not _ADDRESS.fullmatch(name)
    if not legal or name.startswith(_RESERVED_BEGINNINGS) or name.endswith(_RESERVED_ENDS):
        yield Finding(
            "BUCKET_NAME_ILLEGAL",
            Level.ERROR,
            "bucket must have a name of 3 to 63 of a-z, 0-9, . and -, beginning and ending with a letter or digit, no "
            f"address and none that S3 reserves, got {name!r:.80}",
            "pass the name of a general purpose bucket, without s3:// and without a prefix",
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


def bucket_absent(name: str, *, there: bool) -> Iterator[Finding]:
    """The bucket of the dataset is there before it is linked. Source: FSx User Guide, s3-validation-error."""
    if not there:
        yield Finding(
            "BUCKET_ABSENT",
            Level.ERROR,
            f"bucket {name:.80} does not exist",
            "correct dataset.source, or make the bucket",
        )


def bucket_is_access_point(name: str, *, alias: bool) -> Iterator[Finding]:
    """What is linked is a bucket, not an access point to one.

    FSx's own words are a bucket or a prefix; that it refuses an access point's alias is assumed, since it sets the
    bucket's event notifications, which no alias stands for.

    Source: FSx API, DataRepositoryPath; Amazon S3 User Guide, access-points-alias.
    """
    if alias or name.endswith(_ALIAS):
        yield Finding(
            "BUCKET_IS_ACCESS_POINT",
            Level.ERROR,
            f"dataset.source names {name:.80}, an access point; FSx links buckets alone (assumed)",
            "name the bucket behind it",
        )


def bucket_key_unusable(key: str, state: str) -> Iterator[Finding]:
    """The key that encrypts the bucket can be used. Source: KMS API, KeyState."""
    if state != _KEY_IN_USE:
        yield Finding(
            "BUCKET_KEY_UNUSABLE",
            Level.ERROR,
            f"key {key:.120} of the linked bucket is {state}, so that nothing in it can be read",
            "enable it, or cancel its deletion: `aws kms enable-key`, `aws kms cancel-key-deletion`",
        )


def bucket_requester_pays(name: str, *, requester_pays: bool) -> Iterator[Finding]:
    """Who reads a bucket whose requester pays must say so in each request, and whether FSx does is unverified.

    Source: Amazon S3 User Guide, ObjectsinRequesterPaysBuckets.
    """
    if requester_pays:
        yield Finding(
            "BUCKET_REQUESTER_PAYS",
            Level.WARNING,
            f"requests to bucket {name:.80} are paid by the requester; whether FSx can read it is unverified",
            "try a small link first, or copy the dataset into a bucket of your own",
        )


def bucket_events_overlap(name: str, events: Sequence[str], *, imports: bool) -> Iterator[Finding]:
    """Automatic import needs a bucket's notifications of objects for FSx; others of the same kind break the link.

    The link is MISCONFIGURED then, and imports nothing any more.

    Source: FSx User Guide, dra-lifecycles and troubleshooting-misconfigured-data-repository.
    """
    overlapping = [event for event in events if event.startswith(_EVENTS_OF_FSX)]
    if imports and overlapping:
        yield Finding(
            "BUCKET_EVENTS_OVERLAP",
            Level.ERROR,
            f"bucket {name:.80} notifies somebody else of {', '.join(dict.fromkeys(overlapping))}, as FSx needs it to",
            "remove these notifications, or send them through EventBridge, or leave import_events of the link empty",
        )


def key_policy_lets_fsx_in(policy: Mapping[str, Any]) -> bool:
    """Tell whether a key's policy allows what FSx needs to FSx's role, or to everyone under some condition.

    FSx's role is made with the link, so that a policy names it by a pattern, or everyone with a condition; a policy
    that only hands the key to the account does not let it in.

    Source: FSx User Guide, s3-server-side-encryption-support.
    """
    for statement in listed(policy.get("Statement")):
        if not isinstance(statement, dict) or statement.get("Effect") != "Allow":
            continue
        principal = statement.get("Principal")
        principals = listed(principal.get("AWS") if isinstance(principal, dict) else principal)
        to_fsx = any(each == "*" or ROLE_OF_FSX in str(each) for each in principals)
        if to_fsx and matches_action("kms:Decrypt", listed(statement.get("Action"))):
            return True
    return False
