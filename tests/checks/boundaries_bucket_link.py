"""Boundaries of what is said about links to S3 and the buckets behind them."""

from functools import partial
from typing import Any

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.checks.bucket_link import BucketLink, bucket_link_findings, normalised_path, normalised_prefix
from epochwise.checks.finding import Finding
from epochwise.checks.linked_bucket import bucket_in_another_region, bucket_not_seen, key_policy_of_others
from tests.checks.boundaries import Row


def _link(path: str = "/data", prefix: str = "data", events: tuple[str, ...] = (), export: tuple[str, ...] = ()) -> Any:
    return BucketLink("bucket", normalised_prefix(prefix), path, events, export)


def _linked(
    *links: Any, deployment_type: str = "SCRATCH_2", backup_days: int | None = None, **more: Any
) -> list[Finding]:
    return list(
        bucket_link_findings(
            links[0],
            existing=links[1:],
            deployment_type=DeploymentType(deployment_type),
            automatic_backup_retention_days=backup_days,
            **more,
        )
    )


def _links(count: int) -> list[Any]:
    return [_link(normalised_path(f"p{number}"), f"p{number}") for number in range(count)]


CASES: list[tuple[str, list[Any], dict[str, Any], str | None]] = [
    ("BUCKET_LINK_UNSUPPORTED", [_link()], {"deployment_type": "SCRATCH_1"}, "got SCRATCH_1"),
    ("BUCKET_LINK_UNSUPPORTED", [_link()], {"lustre_version": "2.10"}, "got lustre_version 2.10"),
    ("BUCKET_LINK_UNSUPPORTED", [_link()], {"lustre_version": "2.12"}, None),
    ("TOO_MANY_BUCKET_LINKS", [_link(), *_links(8)], {}, "got 9"),
    ("TOO_MANY_BUCKET_LINKS", [_link(), *_links(7)], {}, None),
    ("BUCKET_LINK_PATH_INVALID", [_link("/a/../b")], {}, "/a/../b"),
    ("BUCKET_LINK_PATH_INVALID", [_link("/a/..b")], {}, None),
    ("BUCKET_LINK_EVENTS_UNKNOWN", [_link(events=("NEW", "MOVED"))], {}, "got 'MOVED'"),
    ("BUCKET_LINK_EVENTS_UNKNOWN", [_link(events=("NEW",))], {}, None),
    ("BUCKET_LINKS_OVERLAP", [_link("/a/b", "x"), _link("/a", "y")], {}, "/a/b overlaps with /a"),
    ("BUCKET_LINKS_OVERLAP", [_link("/a", "x/y"), _link("/b", "x")], {}, "x/y/ overlaps with x/"),
    ("BUCKET_LINKS_OVERLAP", [_link("/ab", "ab"), _link("/a", "a")], {}, None),
    ("BACKUPS_EXCLUDE_BUCKET_LINKS", [_link()], {"backup_days": 1}, "got 1"),
    ("BACKUPS_EXCLUDE_BUCKET_LINKS", [_link()], {"backup_days": 0}, None),
    ("COPIED_TAGS_EXCLUDE_BUCKET_LINKS", [_link()], {"copy_tags_to_backups": True}, "got True"),
    ("COPIED_TAGS_EXCLUDE_BUCKET_LINKS", [_link()], {"copy_tags_to_backups": False}, None),
    ("IMPORT_PATH_EXCLUDES_BUCKET_LINKS", [_link()], {"import_path": "s3://bucket/a"}, "got 's3://bucket/a'"),
    ("IMPORT_PATH_EXCLUDES_BUCKET_LINKS", [_link()], {"import_path": None}, None),
    ("EXPORT_DELETES_OBJECTS", [_link(export=("DELETED",))], {}, "below /data deletes its object below data/"),
    ("EXPORT_DELETES_OBJECTS", [_link(export=("NEW", "CHANGED"))], {}, None),
]

ROWS = (
    *(Row(finding_id, partial(_linked, *links, **others), says) for finding_id, links, others, says in CASES),
    *(
        Row("BUCKET_IN_ANOTHER_REGION", partial(bucket_in_another_region, *regions, events), says)
        for regions, events, says in [
            (("us-west-2", "us-east-1"), ["NEW"], "got one in us-west-2"),
            (("us-east-1", "us-east-1"), ["NEW"], None),
            (("us-west-2", "us-east-1"), [], None),
        ]
    ),
    Row("BUCKET_NOT_SEEN", partial(bucket_not_seen, "example", seen=False), "bucket example is imported"),
    Row("BUCKET_NOT_SEEN", partial(bucket_not_seen, "example", seen=True), None),
    Row("KEY_POLICY_OF_OTHERS", partial(key_policy_of_others, "Stack/Key", ours=False), "key Stack/Key"),
    Row("KEY_POLICY_OF_OTHERS", partial(key_policy_of_others, "Stack/Key", ours=True), None),
)
