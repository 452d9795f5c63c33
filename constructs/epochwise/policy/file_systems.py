"""Judge each FSx for Lustre file system of a template by the rules that our own constructs follow."""

from collections.abc import Iterator
from typing import Any

from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM
from epochwise.checks.bucket_link import (
    BucketLink,
    bucket_link_findings,
    export_deletes_objects,
    normalised_path,
    normalised_prefix,
)
from epochwise.checks.file_system import file_system_findings
from epochwise.checks.file_system_settings import (
    FileSystemSettings,
)
from epochwise.checks.plain_resources import retained_without_its_group
from epochwise.policy.app_resources import AppResources, Resource
from epochwise.policy.file_system_settings import settings_of
from epochwise.policy.joined_text import joined_text
from epochwise.policy.violation import Violation

SECURITY_GROUP = "AWS::EC2::SecurityGroup"
_KEPT = {"Retain", "RetainExceptOnCreate"}


def lustre_file_systems(app: AppResources) -> Iterator[Resource]:
    """Yield the FSx for Lustre file systems."""
    return (each for each in app.of_type(FILE_SYSTEM) if each.value("FileSystemType") == "LUSTRE")


def file_system_violations(app: AppResources) -> Iterator[Violation]:
    """Yield what is wrong with each file system, its links and what it stands on."""
    links = list(app.of_type(BUCKET_LINK))
    for resource in lustre_file_systems(app):
        settings, mistakes = settings_of(resource)
        for finding in mistakes:
            yield Violation.of(resource, "Properties", finding)
        if settings is not None:
            for finding in file_system_findings(settings):
                yield Violation.of(resource, "Properties", finding)
        own = app.identity(resource.template, {"Ref": resource.logical_id})
        linked = [each for each in links if app.identity(each.template, each.value("FileSystemId")) == own]
        yield from _link_violations(linked, settings)
        yield from _retention_violations(app, resource)


def _link_violations(links: list[Resource], settings: FileSystemSettings | None) -> Iterator[Violation]:
    """Yield what is wrong with the links of one file system."""
    seen: list[BucketLink] = []
    for resource in links:
        link = _link_of(resource)
        if link is None:
            continue
        if settings is not None:
            found = bucket_link_findings(
                link,
                existing=seen,
                deployment_type=settings.deployment_type,
                automatic_backup_retention_days=settings.automatic_backup_retention_days,
                storage_type=settings.storage_type,
                lustre_version=settings.lustre_version,
                copy_tags_to_backups=settings.copy_tags_to_backups,
                import_path=settings.import_path,
            )
            for finding in (*found, *export_deletes_objects(link)):
                yield Violation.of(resource, "Properties", finding)
        seen.append(link)


def _link_of(resource: Resource) -> BucketLink | None:
    """Return a link as the rules take it; None where a part of it is known to the deploy only."""
    s3, path = resource.mapping("S3"), joined_text(resource.value("DataRepositoryPath"))
    place = joined_text(resource.value("FileSystemPath"))
    if path is None or not path.startswith("s3://") or place is None:
        return None
    bucket, _, prefix = path.removeprefix("s3://").partition("/")
    return BucketLink(
        bucket=bucket,
        prefix=normalised_prefix(prefix),
        file_system_path=normalised_path(place),
        import_events=_events(s3.get("AutoImportPolicy")),
        export_events=_events(s3.get("AutoExportPolicy")),
    )


def _events(policy: Any) -> tuple[str, ...]:
    """Return the events of a policy; none where it is absent or known to the deploy only."""
    events = policy.get("Events") if isinstance(policy, dict) else None
    return tuple(str(event) for event in events) if isinstance(events, list) else ()


def _retention_violations(app: AppResources, resource: Resource) -> Iterator[Violation]:
    """Yield each group of the app that goes while the file system it lets clients into stays."""
    if resource.attributes.get("DeletionPolicy") not in _KEPT:
        return
    for value in resource.items("SecurityGroupIds"):
        group = app.resource(resource.template, value)
        if group is None or group.type != SECURITY_GROUP or group.attributes.get("DeletionPolicy") in _KEPT:
            continue
        for finding in retained_without_its_group(resource.logical_id, group.logical_id):
            yield Violation.of(resource, "Properties/SecurityGroupIds", finding)
