"""What a linked bucket brings along: its key, its Region, and what is not seen of it."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, Environment, Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.bucket_links import KEY_ACTIONS
from tests.cdk.file_systems import PERSISTENT_1, PERSISTENT_2, SCRATCH_1, SCRATCH_2, TIERING, build

LINK = "AWS::FSx::DataRepositoryAssociation"
LETS_FSX_IN = {
    "Sid": "AllowFsxForLustreThroughS3",
    "Effect": "Allow",
    "Principal": {"AWS": "*"},
    "Action": sorted(KEY_ACTIONS),
    "Resource": "*",
    "Condition": {
        "StringEquals": {"kms:CallerAccount": {"Ref": "AWS::AccountId"}, "kms:ViaService": Match.any_value()},
        "ArnLike": {"aws:PrincipalArn": Match.any_value()},
    },
}


def test_f60_the_key_of_a_bucket_lets_fsx_in_once_and_before_the_link(stack: Stack) -> None:
    key = kms.Key(stack, "Key")
    bucket = s3.Bucket(stack, "Bucket", encryption_key=key)
    for name in ("First", "Second"):
        build(stack, name, **SCRATCH_2).link_bucket(bucket)
    template = Template.from_stack(stack)
    [(key_id, resource)] = template.find_resources("AWS::KMS::Key").items()
    statements = resource["Properties"]["KeyPolicy"]["Statement"]
    template.has_resource_properties(
        "AWS::KMS::Key", {"KeyPolicy": {"Statement": Match.array_with([Match.object_like(LETS_FSX_IN)])}}
    )
    assert [statement.get("Sid") for statement in statements].count("AllowFsxForLustreThroughS3") == 1
    assert "AWSServiceRoleForFSxS3Access_fs-*" in str(statements)
    assert all(key_id in link["DependsOn"] for link in template.find_resources(LINK).values())


def test_the_key_of_a_bucket_of_another_account_lets_the_account_of_the_file_system_in(
    new_app: Callable[..., App],
) -> None:
    app = new_app()
    ours, theirs = (
        Stack(app, name, env=Environment(account=account, region="us-east-1"))
        for name, account in (("ours", "111122223333"), ("theirs", "999900001111"))
    )
    bucket = s3.Bucket(theirs, "Bucket", bucket_name="example-data", encryption_key=kms.Key(theirs, "Key"))
    build(ours, **SCRATCH_2).link_bucket(bucket)
    [resource] = Template.from_stack(theirs).find_resources("AWS::KMS::Key").values()
    [statement] = [each for each in resource["Properties"]["KeyPolicy"]["Statement"] if "Sid" in each]
    assert statement["Condition"]["StringEquals"]["kms:CallerAccount"] == "111122223333"
    assert ":iam::111122223333:role/" in str(statement["Condition"]["ArnLike"])
    assert ours.dependencies == [theirs]


def test_f60_a_key_that_others_own_is_warned_about(stack: Stack) -> None:
    key = kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-east-1:111122223333:key/0123")
    bucket = s3.Bucket.from_bucket_attributes(stack, "Bucket", bucket_name="example-data", encryption_key=key)
    build(stack, **SCRATCH_2).link_bucket(bucket)
    assert Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("KEY_POLICY_OF_OTHERS"))


def test_f60_what_is_not_seen_of_an_imported_bucket_is_said(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    file_system.link_bucket(s3.Bucket.from_bucket_name(stack, "Bucket", "example-data"), file_system_path="/a")
    file_system.link_bucket(s3.Bucket(stack, "Own"), file_system_path="/b")
    said = Annotations.from_stack(stack).find_info("*", Match.string_like_regexp("Region and its key are not known"))
    assert [each.id for each in said] == ["/test/FileSystem/BucketLink1"]


@pytest.mark.parametrize(
    ("bucket_region", "import_events", "refused"),
    [("eu-west-1", ["NEW"], True), ("eu-west-1", [], False), ("us-east-1", ["NEW"], False), (None, ["NEW"], False)],
)
def test_f60_a_bucket_is_imported_from_only_in_the_same_region(
    new_app: Callable[..., App], bucket_region: str | None, import_events: list[str], refused: bool
) -> None:
    stack = Stack(new_app(), "test", env=Environment(account="111122223333", region="us-east-1"))
    bucket = s3.Bucket.from_bucket_attributes(stack, "Bucket", bucket_name="example-data", region=bucket_region)
    file_system = build(stack, **SCRATCH_2)
    if refused:
        with pytest.raises(ValueError, match=r"must be in us-east-1 .* got one in eu-west-1.*BUCKET_IN_ANOTHER_REGION"):
            file_system.link_bucket(bucket, import_events=import_events)
    else:
        file_system.link_bucket(bucket, import_events=import_events)


@pytest.mark.parametrize(
    ("settings", "arguments", "finding"),
    [
        (SCRATCH_1, {}, "BUCKET_LINK_UNSUPPORTED"),
        (TIERING, {}, "BUCKET_LINK_UNSUPPORTED"),
        (SCRATCH_2 | {"lustre_version": "2.10"}, {}, "BUCKET_LINK_UNSUPPORTED"),
        (PERSISTENT_1 | {"lustre_version": "2.10"}, {}, "BUCKET_LINK_UNSUPPORTED"),
        (SCRATCH_2 | {"lustre_version": "2.12"}, {}, None),
        (PERSISTENT_1, {}, None),
        (SCRATCH_2 | {"import_path": "s3://example-data"}, {}, "IMPORT_PATH_EXCLUDES_BUCKET_LINKS"),
        (PERSISTENT_2 | {"copy_tags_to_backups": True}, {}, "COPIED_TAGS_EXCLUDE_BUCKET_LINKS"),
        (PERSISTENT_2 | {"automatic_backup_retention_days": 1}, {}, "BACKUPS_EXCLUDE_BUCKET_LINKS"),
        (SCRATCH_2, {"imported_file_chunk_size_mib": 0}, "CHUNK_SIZE_OUT_OF_RANGE"),
        (SCRATCH_2, {"imported_file_chunk_size_mib": 1}, None),
        (SCRATCH_2, {"imported_file_chunk_size_mib": 512_000}, None),
        (SCRATCH_2, {"imported_file_chunk_size_mib": 512_001}, "CHUNK_SIZE_OUT_OF_RANGE"),
        (SCRATCH_2, {"imported_file_chunk_size_mib": 1.5}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2, {"prefix": None}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2, {"import_events": "NEW"}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2, {"import_events": [1]}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2, {"file_system_path": "/a\nb"}, "BUCKET_LINK_PATH_INVALID"),
        (SCRATCH_2, {"file_system_path": "/" + "a" * 4095}, None),
        (SCRATCH_2, {"file_system_path": "/" + "a" * 4096}, "BUCKET_LINK_PATH_INVALID"),
    ],
)
def test_a_link_is_refused_by_id_where_fsx_would_refuse_it(
    stack: Stack, settings: dict[str, Any], arguments: dict[str, Any], finding: str | None
) -> None:
    bucket = s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")
    file_system = build(stack, **settings)
    if finding is None:
        file_system.link_bucket(bucket, **arguments)
        Template.from_stack(stack).resource_count_is(LINK, 1)
        return
    with pytest.raises(ValueError, match=rf"{finding}\]"):
        file_system.link_bucket(bucket, **arguments)
    assert file_system.node.try_find_child("BucketLink1") is None


def test_something_that_is_no_bucket_is_refused(stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"bucket must be a bucket, got 'example-data'.*CONSTRUCT_OF_WRONG_KIND"):
        build(stack, **SCRATCH_2).link_bucket("example-data")  # type: ignore[arg-type]


def test_the_chunk_size_is_passed_on_and_events_are_said_once(stack: Stack) -> None:
    bucket = s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")
    size = CfnParameter(stack, "Size", type="Number", default=512).value_as_number
    file_system = build(stack, **SCRATCH_2)
    file_system.link_bucket(bucket, prefix="a", file_system_path="a", imported_file_chunk_size_mib=256)
    file_system.link_bucket(
        bucket,
        prefix="b",
        file_system_path="b",
        imported_file_chunk_size_mib=size,  # type: ignore[arg-type]
        import_events=["NEW", "NEW"],
    )
    template = Template.from_stack(stack)
    template.has_resource_properties(LINK, {"ImportedFileChunkSize": 256})
    template.has_resource_properties(
        LINK, {"ImportedFileChunkSize": {"Ref": "Size"}, "S3": {"AutoImportPolicy": {"Events": ["NEW"]}}}
    )
