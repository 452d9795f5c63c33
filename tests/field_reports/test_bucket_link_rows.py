"""What people who link S3 to a file system ran into, and what is true of this library; each test names its row."""

import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise import Plan, Workload
from epochwise.catalog.replacement import FILE_SYSTEM
from epochwise.training.request import JobDeployment, create_training_job_request
from tests.cdk.file_systems import LINK, PERSISTENT_1, PERSISTENT_2, SCRATCH_2, build, summary


def bucket(stack: Stack) -> s3.IBucket:
    return s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")


@pytest.mark.parametrize("settings", [SCRATCH_2, PERSISTENT_1], ids=["SCRATCH_2", "PERSISTENT_1"])
def test_f57_a_link_is_refused_on_the_version_that_has_none(stack: Stack, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"got lustre_version 2.10.*2.15 \[BUCKET_LINK_UNSUPPORTED\]"):
        build(stack, **settings, lustre_version="2.10").link_bucket(bucket(stack))


def test_f58_links_that_overlap_are_refused_however_they_are_spelled(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    source = bucket(stack)
    file_system.link_bucket(source, prefix="/data/", file_system_path="data")
    for prefix, path in (("data/train", "/other"), ("other", "//data//train/"), ("data", "/x"), ("", "/y")):
        with pytest.raises(ValueError, match="BUCKET_LINKS_OVERLAP"):
            file_system.link_bucket(source, prefix=prefix, file_system_path=path)


def test_f58a_nothing_is_exported_by_default_and_deletions_only_with_a_warning(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    source = bucket(stack)
    file_system.link_bucket(source, prefix="data", file_system_path="/data")
    template = Template.from_stack(stack)
    template.all_resources_properties(LINK, {"S3": {"AutoExportPolicy": Match.absent()}})


def test_f58a_an_export_of_deletions_is_warned_about(stack: Stack) -> None:
    build(stack, **SCRATCH_2).link_bucket(bucket(stack), prefix="data", export_events=["DELETED"])
    assert Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("deletes its object below data/"))


def test_f59_scratch_2_exports_by_a_link_of_its_own(stack: Stack) -> None:
    build(stack, **SCRATCH_2).link_bucket(bucket(stack), prefix="out", file_system_path="/out", export_events=["NEW"])
    template = Template.from_stack(stack)
    template.has_resource_properties(LINK, {"S3": {"AutoExportPolicy": {"Events": ["NEW"]}}})
    template.has_resource_properties(FILE_SYSTEM, {"LustreConfiguration": {"ExportPath": Match.absent()}})
    with pytest.raises(ValueError, match=r"export_path must be absent.*\[IMPORT_SETTING_WITHOUT_PATH\]"):
        build(stack, "Other", **SCRATCH_2, export_path="s3://example-data/out")


def test_f60_the_key_of_a_bucket_lets_fsx_in_and_what_is_not_seen_is_said(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    ours = s3.Bucket(stack, "Ours", encryption_key=kms.Key(stack, "Key"))
    file_system.link_bucket(ours, file_system_path="/ours")
    file_system.link_bucket(bucket(stack), file_system_path="/theirs")
    template = Template.from_stack(stack)
    [key] = template.find_resources("AWS::KMS::Key").values()
    assert "AWSServiceRoleForFSxS3Access" in json.dumps(key)
    assert Annotations.from_stack(stack).find_info("*", Match.string_like_regexp("bucket example-data is imported"))


def test_f64_f65_files_of_a_link_appear_at_once_and_changes_later(stack: Stack) -> None:
    build(stack, **SCRATCH_2).link_bucket(bucket(stack))
    Template.from_stack(stack).has_resource_properties(
        LINK,
        {
            "BatchImportMetaDataOnCreate": True,
            "S3": {"AutoImportPolicy": {"Events": ["NEW", "CHANGED", "DELETED"]}},
        },
    )


def test_f66_backups_and_a_link_to_s3_exclude_each_other_in_either_form(stack: Stack) -> None:
    with pytest.raises(ValueError, match="BACKUPS_EXCLUDE_BUCKET_LINKS"):
        build(stack, **PERSISTENT_2, automatic_backup_retention_days=1).link_bucket(bucket(stack))
    with pytest.raises(ValueError, match="BACKUPS_EXCLUDE_IMPORT_PATH"):
        build(stack, "Other", **PERSISTENT_1, automatic_backup_retention_days=1, import_path="s3://example-data")
    with pytest.raises(ValueError, match="COPIED_TAGS_NEED_BACKUPS"):
        build(stack, "Third", **PERSISTENT_1, copy_tags_to_backups=True, import_path="s3://example-data")


def test_f67_the_template_names_what_binds_the_epoch(stack: Stack, guide_plan: Plan) -> None:
    choice = guide_plan.choice
    assert choice is not None
    found = summary(stack, guide_plan)
    assert found["choice"]["binding"] == choice.binding
    assert f"bound by {choice.binding}" in found["why"]


def test_f69_the_mount_name_is_the_file_systems_own(stack: Stack) -> None:
    mount_name = stack.resolve(build(stack, **SCRATCH_2).mount_name)
    [file_system] = Template.from_stack(stack).find_resources(FILE_SYSTEM)
    assert mount_name == {"Fn::GetAtt": [file_system, "LustreMountName"]}


@pytest.mark.parametrize("mount_name", ["fsx", "abcdefgh"])
def test_f69_f70a_any_launcher_takes_the_request_whose_path_begins_with_the_mount_name(
    guide: Workload, mount_name: str
) -> None:
    deployment = JobDeployment(
        job_name="guide",
        role_arn="arn:aws:iam::111122223333:role/training",
        subnet_ids=("subnet-0123456789abcdef0",),
        security_group_ids=("sg-0123456789abcdef0",),
        file_system_id="fs-0123456789abcdef0",
        mount_name=mount_name,
        output_s3_uri="s3://example-output/guide",
        region="us-east-1",
    )
    request = json.loads(json.dumps(create_training_job_request(guide, deployment)))
    source = request["InputDataConfig"][0]["DataSource"]["FileSystemDataSource"]
    assert source["DirectoryPath"].startswith(f"/{mount_name}")
    assert (source["FileSystemId"], source["FileSystemType"]) == ("fs-0123456789abcdef0", "FSxLustre")
