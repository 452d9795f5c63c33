"""Boundaries of what is said about a bucket that the account shows, and what is in it."""

from functools import partial

from epochwise.checks import linked_bucket as bucket
from epochwise.checks import linked_objects as objects
from tests.checks.boundaries import Row

CREATED = ["s3:ObjectCreated:Put"]
WHERE = "s3://mine/guide/"

ROWS = (
    *(
        Row("BUCKET_NAME_ILLEGAL", partial(bucket.bucket_name_illegal, name), f"got {name!r}")
        for name in ("ab", "Mine", "my_data", "a..b", "10.0.0.1", "-mine", "xn--mine", "mine--x-s3", "mine-s3alias")
    ),
    Row("BUCKET_NAME_ILLEGAL", partial(bucket.bucket_name_illegal, "a" * 64), "got 'aaa"),
    Row("BUCKET_NAME_ILLEGAL", partial(bucket.bucket_name_illegal, "a" * 63), None),
    Row("BUCKET_NAME_ILLEGAL", partial(bucket.bucket_name_illegal, "my.data-3"), None),
    Row("BUCKET_ABSENT", partial(bucket.bucket_absent, "mine", there=False), "bucket mine"),
    Row("BUCKET_ABSENT", partial(bucket.bucket_absent, "mine", there=True), None),
    Row("BUCKET_IS_ACCESS_POINT", partial(bucket.bucket_is_access_point, "mine-s3alias", alias=False), "mine-s3alias"),
    Row("BUCKET_IS_ACCESS_POINT", partial(bucket.bucket_is_access_point, "mine", alias=True), "names mine"),
    Row("BUCKET_IS_ACCESS_POINT", partial(bucket.bucket_is_access_point, "s3alias", alias=False), None),
    Row("BUCKET_KEY_UNUSABLE", partial(bucket.bucket_key_unusable, "key-1", "PendingDeletion"), "is PendingDeletion"),
    Row("BUCKET_KEY_UNUSABLE", partial(bucket.bucket_key_unusable, "key-1", "Enabled"), None),
    Row("BUCKET_REQUESTER_PAYS", partial(bucket.bucket_requester_pays, "mine", requester_pays=True), "bucket mine"),
    Row("BUCKET_REQUESTER_PAYS", partial(bucket.bucket_requester_pays, "mine", requester_pays=False), None),
    Row("BUCKET_EVENTS_OVERLAP", partial(bucket.bucket_events_overlap, "mine", CREATED, imports=True), "Created:Put"),
    Row("BUCKET_EVENTS_OVERLAP", partial(bucket.bucket_events_overlap, "mine", CREATED, imports=False), None),
    Row(
        "BUCKET_EVENTS_OVERLAP", partial(bucket.bucket_events_overlap, "mine", ["s3:Replication:*"], imports=True), None
    ),
    Row("OBJECTS_ARCHIVED", partial(objects.objects_archived, WHERE, {"GLACIER": 1}, "9"), "1 in GLACIER"),
    Row("OBJECTS_ARCHIVED", partial(objects.objects_archived, WHERE, {"GLACIER_IR": 9}, "9"), None),
    Row("NO_OBJECTS", partial(objects.no_objects, WHERE, 0), "no object below s3://mine/guide/"),
    Row("NO_OBJECTS", partial(objects.no_objects, WHERE, 1), None),
)
