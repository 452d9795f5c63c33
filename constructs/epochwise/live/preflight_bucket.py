"""Whether the bucket of the dataset can be linked, and what is in it can be read."""

from collections import Counter
from collections.abc import Callable

from epochwise.checks.bucket_link import LINK_EVENTS, normalised_prefix
from epochwise.checks.linked_bucket import (
    bucket_absent,
    bucket_events_overlap,
    bucket_in_another_region,
    bucket_is_access_point,
    bucket_requester_pays,
)
from epochwise.checks.linked_objects import no_objects, objects_archived
from epochwise.checks.preflight import Preflight, Verdict, judged
from epochwise.live.by_hand import aws_command
from epochwise.live.dataset_bucket import ask_of_bucket, bucket_and_prefix, has_source, head_of_bucket
from epochwise.live.failure import NotFoundError
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import CannotTellError, Subject

_OBJECTS = 1000
"""Objects that are looked at: S3's largest page."""
_OWN_NOTIFICATION = "FSx"
"""What FSx calls its own (FSx User Guide, troubleshooting-misconfigured-data-repository)."""
_NOTIFICATIONS = ("TopicConfigurations", "QueueConfigurations", "LambdaFunctionConfigurations")


def _bucket(subject: Subject) -> Preflight:
    """Look whether the bucket is there, and where."""
    bucket, _ = bucket_and_prefix(subject)
    try:
        head = head_of_bucket(subject)
    except NotFoundError:
        return judged("bucket", "", bucket_absent(bucket, there=False))
    region = head.get("BucketRegion")
    if not region:
        raise CannotTellError(f"the answer does not say in which Region bucket {bucket} is, as S3's own does")
    findings = [
        *bucket_is_access_point(bucket, alias=bool(head.get("AccessPointAlias"))),
        *bucket_in_another_region(region, subject.region, LINK_EVENTS),
    ]
    return judged("bucket", f"bucket {bucket} is in {region}", findings)


def _objects(subject: Subject) -> Preflight:
    """Look at the storage classes of the first objects."""
    bucket, prefix = bucket_and_prefix(subject)
    folder = normalised_prefix(prefix)
    page = ask_of_bucket(subject, "list_objects_v2", Prefix=folder, MaxKeys=_OBJECTS) or {}
    objects = page.get("Contents", [])
    classes = Counter(str(each.get("StorageClass", "STANDARD")) for each in objects)
    where, looked_at = f"s3://{bucket}/{folder}", f"{'the first ' if page.get('IsTruncated') else ''}{len(objects)}"
    findings = [*objects_archived(where, classes, looked_at), *no_objects(where, len(objects))]
    shown = ", ".join(f"{count} in {name}" for name, count in sorted(classes.items()))
    return judged("objects", f"objects looked at below {where}: {looked_at}, {shown or 'none'}", findings)


def _payer(subject: Subject) -> Preflight:
    """Look who pays for requests."""
    bucket, _ = bucket_and_prefix(subject)
    found = ask_of_bucket(subject, "get_bucket_request_payment") or {}
    findings = bucket_requester_pays(bucket, requester_pays=found.get("Payer") == "Requester")
    return judged("bucket-payer", f"the owner of bucket {bucket} pays", findings, warnings=Verdict.SKIP)


def _events(subject: Subject) -> Preflight:
    """Look at the notifications that the bucket sends to others than FSx."""
    bucket, _ = bucket_and_prefix(subject)
    found = ask_of_bucket(subject, "get_bucket_notification_configuration") or {}
    events = [
        str(event)
        for kind in _NOTIFICATIONS
        for each in found.get(kind, [])
        if each.get("Id") != _OWN_NOTIFICATION
        for event in each.get("Events", [])
    ]
    findings = bucket_events_overlap(bucket, events, imports=True)
    return judged("bucket-events", f"bucket {bucket} notifies nobody else of what FSx imports", findings)


def _by_hand(operation: str, query: str = "") -> Callable[[Subject], tuple[str, ...]]:
    """Return what writes a command about the bucket."""

    def written(subject: Subject) -> tuple[str, ...]:
        more = {"query": query} if query else {}
        bucket = bucket_and_prefix(subject)[0]
        return (aws_command("s3api", operation, region=subject.region, bucket=bucket, **more),)

    return written


def _objects_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to list the storage classes of the first objects."""
    bucket, prefix = bucket_and_prefix(subject)
    return (
        aws_command(
            "s3api",
            "list-objects-v2",
            region=subject.region,
            bucket=bucket,
            prefix=normalised_prefix(prefix),
            max_items=str(_OBJECTS),
            query="Contents[].[StorageClass,Key]",
            output="text",
        ),
    )


CHECKS = (
    Check("bucket", _bucket, _by_hand("head-bucket"), has_source),
    Check("objects", _objects, _objects_by_hand, has_source),
    Check("bucket-payer", _payer, _by_hand("get-bucket-request-payment"), has_source),
    Check("bucket-events", _events, _by_hand("get-bucket-notification-configuration"), has_source),
)
