from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.checks.bucket_link import MOST_LINKS, normalised_path, normalised_prefix

LINK = "AWS::FSx::DataRepositoryAssociation"


@pytest.fixture
def bucket(stack: Stack) -> s3.IBucket:
    return s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")


def build(stack: Stack, **settings: Any) -> TrainingFileSystem:
    vpc = ec2.Vpc(stack, "Vpc", max_azs=1)
    size: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_2, "storage_capacity_gib": 1200} | settings
    return TrainingFileSystem(stack, "FileSystem", vpc=vpc, subnet=vpc.private_subnets[0], **size)


def test_f58a_f64_the_guide_links_its_dataset_import_only(templates: dict[str, Template]) -> None:
    templates["storage"].has_resource_properties(
        LINK,
        {
            "FileSystemPath": "/",
            "DataRepositoryPath": "s3://example-training-data/guide/",
            "BatchImportMetaDataOnCreate": True,
            "S3": {"AutoImportPolicy": {"Events": ["NEW", "CHANGED", "DELETED"]}, "AutoExportPolicy": Match.absent()},
        },
    )


def test_f40_links_are_created_one_after_the_other(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(stack)
    for part in ("train", "validation", "test"):
        file_system.link_bucket(bucket, prefix=part, file_system_path=part)
    links = Template.from_stack(stack).find_resources(LINK)
    waits = {name: [each for each in link.get("DependsOn", []) if each in links] for name, link in links.items()}
    first, second, third = sorted(links)
    assert waits == {first: [], second: [first], third: [second]}


def test_links_of_a_retained_file_system_are_retained(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(
        stack, deployment_type=DeploymentType.PERSISTENT_2, storage_capacity_gib=1200, per_unit_storage_throughput=125
    )
    file_system.link_bucket(bucket)
    Template.from_stack(stack).has_resource(LINK, {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"})


def test_an_export_is_asked_for_and_one_of_deletions_warned_about(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(stack)
    file_system.link_bucket(bucket, prefix="a", file_system_path="/a", export_events=["NEW"])
    file_system.link_bucket(bucket, prefix="b", file_system_path="/b", export_events=["NEW", "DELETED"])
    Template.from_stack(stack).has_resource_properties(LINK, {"S3": {"AutoExportPolicy": {"Events": ["NEW"]}}})
    warnings = Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("EXPORT_DELETES_OBJECTS"))
    assert [warning.id for warning in warnings] == ["/test/FileSystem/BucketLink2"]


@pytest.mark.parametrize(
    ("first", "second", "at_fault"),
    [
        (("a", "/"), ("b", "/b"), "file_system_path /b overlaps with /"),
        (("a", "/data"), ("b", "/"), "file_system_path / overlaps with /data"),
        (("a", "/data"), ("b", "/data/train"), "file_system_path /data/train overlaps with /data"),
        (("a", "/data"), ("b", "//data/"), "file_system_path /data overlaps with /data"),
        (("", "/a"), ("b", "/b"), "prefix b/ overlaps with /"),
        (("a/b", "/a"), ("a", "/b"), "prefix a/ overlaps with a/b/"),
        (("a", "/a"), ("ab", "/ab"), None),
        (("data", "/data"), ("database", "/database"), None),
    ],
)
def test_f58_links_lie_side_by_side(
    stack: Stack, bucket: s3.IBucket, first: tuple[str, str], second: tuple[str, str], at_fault: str | None
) -> None:
    file_system = build(stack)
    file_system.link_bucket(bucket, prefix=first[0], file_system_path=first[1])
    if at_fault is None:
        file_system.link_bucket(bucket, prefix=second[0], file_system_path=second[1])
        return
    with pytest.raises(ValueError, match=f"{at_fault}.*BUCKET_LINKS_OVERLAP"):
        file_system.link_bucket(bucket, prefix=second[0], file_system_path=second[1])


def test_f58_the_same_prefix_of_two_buckets_does_not_overlap(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(stack)
    file_system.link_bucket(bucket, file_system_path="/a")
    file_system.link_bucket(s3.Bucket.from_bucket_name(stack, "Other", "other-data"), file_system_path="/b")
    Template.from_stack(stack).resource_count_is(LINK, 2)


def test_eight_links_are_taken_and_the_ninth_is_refused(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(stack)
    for number in range(MOST_LINKS):
        file_system.link_bucket(bucket, prefix=f"p{number}", file_system_path=f"/p{number}")
    with pytest.raises(ValueError, match="8 bucket links or fewer, got 9"):
        file_system.link_bucket(bucket, prefix="p8", file_system_path="/p8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"file_system_path": "/a/../b"}, "must not hold"),
        ({"prefix": "a/./b"}, "must not hold"),
        ({"prefix": "a//b"}, "must not hold"),
        ({"import_events": ["NEW", "MOVED"]}, "must be of NEW, CHANGED, DELETED, got 'MOVED'"),
    ],
)
def test_paths_and_events_are_checked(
    stack: Stack, bucket: s3.IBucket, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        build(stack).link_bucket(bucket, **arguments)


@pytest.mark.parametrize("name", ["My_Data", "xn--data", "data--x-s3", "data-s3alias"])
def test_a_bucket_of_others_has_a_name_that_s3_gives(stack: Stack, name: str) -> None:
    with pytest.raises(ValueError, match=rf"got '{name}'; .*BUCKET_NAME_ILLEGAL"):
        build(stack).link_bucket(s3.Bucket.from_bucket_name(stack, "Theirs", name))


def test_f57_scratch_1_takes_no_link(stack: Stack, bucket: s3.IBucket) -> None:
    with pytest.raises(ValueError, match="BUCKET_LINK_UNSUPPORTED"):
        build(stack, deployment_type=DeploymentType.SCRATCH_1).link_bucket(bucket)


def test_f66_backups_exclude_a_link(stack: Stack, bucket: s3.IBucket) -> None:
    file_system = build(
        stack,
        deployment_type=DeploymentType.PERSISTENT_2,
        per_unit_storage_throughput=125,
        automatic_backup_retention_days=7,
    )
    with pytest.raises(ValueError, match="BACKUPS_EXCLUDE_BUCKET_LINKS"):
        file_system.link_bucket(bucket)


def test_paths_are_written_as_fsx_compares_them() -> None:
    assert [normalised_path(path) for path in ("data/", "/data", "//data//train")] == ["/data", "/data", "/data/train"]
    assert [normalised_prefix(path) for path in ("data", "/data/", "")] == ["data/", "data/", ""]
