"""Every type and every setting of a file system, as CloudFormation gets it."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, RemovalPolicy, Stack, Tags
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk.assertions import Annotations, Match, Template
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from epochwise import Plan, Workload
from epochwise.catalog.fsx_lustre import DriveCacheType, MetadataMode
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.checks.file_system_settings import AutoImportPolicy, LogLevel, ReadCacheMode
from tests.cdk.file_systems import (
    EFA,
    FILE_SYSTEM,
    HDD,
    PERSISTENT_1,
    PERSISTENT_2,
    SCRATCH_1,
    SCRATCH_2,
    TIERING,
    build,
    imported_vpc,
    properties_of,
)

BACKUP = "backup-0123456789abcdef0"
REACHED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "PERSISTENT_2 with everything",
        EFA
        | {
            "automatic_backup_retention_days": 7,
            "daily_automatic_backup_start_time": "03:00",
            "copy_tags_to_backups": True,
            "weekly_maintenance_start_time": "7:04:30",
            "data_compression": True,
            "metadata_iops": 12000,
            "log_level": LogLevel.ERROR_ONLY,
        },
        {
            "AutomaticBackupRetentionDays": 7,
            "DailyAutomaticBackupStartTime": "03:00",
            "CopyTagsToBackups": True,
            "WeeklyMaintenanceStartTime": "7:04:30",
            "DataCompressionType": "LZ4",
            "DeploymentType": "PERSISTENT_2",
            "EfaEnabled": True,
            "LogConfiguration": {"Level": "ERROR_ONLY", "Destination": Match.any_value()},
            "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000},
            "PerUnitStorageThroughput": 500,
        },
    ),
    (
        "SCRATCH_1 linked the older way",
        SCRATCH_1
        | {
            "import_path": "s3://example-data/train",
            "export_path": "s3://example-data/out",
            "auto_import_policy": AutoImportPolicy.NEW_CHANGED,
            "imported_file_chunk_size_mib": 512,
        },
        {
            "ImportPath": "s3://example-data/train",
            "ExportPath": "s3://example-data/out",
            "AutoImportPolicy": "NEW_CHANGED",
            "ImportedFileChunkSize": 512,
        },
    ),
    ("HDD with a read cache", HDD | {"drive_cache_type": DriveCacheType.READ}, {"DriveCacheType": "READ"}),
    ("HDD without", HDD, {"DriveCacheType": "NONE", "PerUnitStorageThroughput": 40}),
    (
        "Intelligent-Tiering with a cache of a size",
        TIERING | {"read_cache_gib": 64, "metadata_iops": 12000, "efa_enabled": True},
        {
            "ThroughputCapacity": 8000,
            "DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": 64},
            "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000},
            "PerUnitStorageThroughput": Match.absent(),
        },
    ),
    (
        "Intelligent-Tiering as it is",
        TIERING,
        {
            "DataReadCacheConfiguration": {
                "SizingMode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY",
                "SizeGiB": Match.absent(),
            },
            "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000},
        },
    ),
    (
        "Intelligent-Tiering without a cache",
        TIERING | {"read_cache_mode": ReadCacheMode.NO_CACHE},
        {"DataReadCacheConfiguration": {"SizingMode": "NO_CACHE"}},
    ),
    ("SCRATCH_2 as it is", SCRATCH_2, {"DeploymentType": "SCRATCH_2", "MetadataConfiguration": Match.absent()}),
    ("PERSISTENT_1 as it is", PERSISTENT_1, {"PerUnitStorageThroughput": 100, "DriveCacheType": Match.absent()}),
    (
        "PERSISTENT_2 with an older Lustre",
        PERSISTENT_2 | {"lustre_version": "2.12"},
        {"MetadataConfiguration": Match.absent()},
    ),
]


@pytest.mark.parametrize(("settings", "expected"), [case[1:] for case in REACHED], ids=[case[0] for case in REACHED])
def test_each_type_is_written_as_cloudformation_takes_it(
    stack: Stack, settings: dict[str, Any], expected: dict[str, Any]
) -> None:
    build(stack, **settings)
    template = Template.from_stack(stack)
    template.has_resource_properties(FILE_SYSTEM, {"LustreConfiguration": expected})


def test_every_property_of_the_lustre_configuration_is_reached_by_an_argument() -> None:
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", FILE_SYSTEM).schema
    every = set(schema["definitions"]["LustreConfiguration"]["properties"])
    assert len(every) == 17
    assert {name for _, _, expected in REACHED for name in expected} == every


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (SCRATCH_2, "2.15"),
        (PERSISTENT_1, "2.15"),
        (PERSISTENT_1 | {"lustre_version": "2.10"}, "2.10"),
        (TIERING, "2.15"),
    ],
)
def test_f41_the_version_is_never_left_to_the_service(stack: Stack, settings: dict[str, Any], expected: str) -> None:
    assert properties_of(stack, **settings)["FileSystemTypeVersion"] == expected


def test_intelligent_tiering_has_no_storage_capacity(stack: Stack) -> None:
    properties = properties_of(stack, **TIERING)
    assert properties["StorageType"] == "INTELLIGENT_TIERING"
    assert "StorageCapacity" not in properties


def test_a_restored_one_takes_capacity_and_throughput_from_its_backup_and_says_so(stack: Stack) -> None:
    settings = PERSISTENT_2 | {"storage_capacity_gib": None, "per_unit_storage_throughput": None}
    properties = properties_of(stack, **settings, backup_id=BACKUP)
    assert properties["BackupId"] == BACKUP
    assert "StorageCapacity" not in properties
    assert Annotations.from_stack(stack).find_warning("/test/FileSystem", Match.string_like_regexp("RESTORED_AS"))


def test_tags_are_on_everything_that_is_made_and_keys_on_what_is_encrypted(stack: Stack) -> None:
    build(stack, **PERSISTENT_2, tags={"team": "vision"}, encryption_key=kms.Key(stack, "Key"))
    template = Template.from_stack(stack)
    for kind in (FILE_SYSTEM, "AWS::EC2::SecurityGroup"):
        template.has_resource_properties(kind, {"Tags": Match.array_with([{"Key": "team", "Value": "vision"}])})
    template.has_resource_properties(FILE_SYSTEM, {"KmsKeyId": {"Fn::GetAtt": Match.any_value()}})


@pytest.mark.parametrize(("of_stack", "around", "too_many"), [(40, 0, 0), (41, 0, 51), (20, 20, 0), (20, 21, 51)])
def test_tags_of_the_stack_and_of_all_around_count_too(
    new_app: Callable[..., App], of_stack: int, around: int, too_many: int
) -> None:
    app = new_app()
    stack = Stack(app, "test", tags={f"stack{number}": "x" for number in range(of_stack)})
    build(stack, **SCRATCH_2, tags={f"own{number}": "x" for number in range(10)})
    for number in range(around):
        Tags.of(app).add(f"around{number}", "x")
    if too_many:
        with pytest.raises(RuntimeError, match=rf"tags must be 50 or fewer, got {too_many}; [\s\S]*TOO_MANY_TAGS"):
            app.synth()
    else:
        app.synth()


class TestLogs:
    def test_are_written_to_a_group_that_is_made_under_the_services_own_name(self, stack: Stack) -> None:
        file_system = build(stack, **PERSISTENT_2, log_level=LogLevel.WARN_ERROR)
        template = Template.from_stack(stack)
        [(logical_id, group)] = template.find_resources("AWS::Logs::LogGroup").items()
        name = group["Properties"]["LogGroupName"]["Fn::Join"][1]
        assert name[0].startswith("/aws/fsx/")
        assert {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]} in name
        assert (group["DeletionPolicy"], group["UpdateReplacePolicy"]) == ("Retain", "Retain")
        [resource] = template.find_resources(FILE_SYSTEM).values()
        destination = resource["Properties"]["LustreConfiguration"]["LogConfiguration"]["Destination"]
        assert destination["Fn::Join"][1][-2:] == [":log-group:", {"Ref": logical_id}]
        assert file_system.log_group is not None

    def test_go_to_a_given_group_and_then_to_all_levels(self, stack: Stack) -> None:
        group = logs.LogGroup.from_log_group_name(stack, "Logs", "/aws/fsx/own")
        properties = properties_of(stack, **PERSISTENT_2, log_group=group)
        configuration = properties["LustreConfiguration"]["LogConfiguration"]
        assert configuration["Level"] == "WARN_ERROR"
        assert configuration["Destination"]["Fn::Join"][1][-1] == ":log-group:/aws/fsx/own"

    def test_can_be_switched_off_and_then_have_no_destination(self, stack: Stack) -> None:
        properties = properties_of(stack, **PERSISTENT_2, log_level=LogLevel.DISABLED)
        assert properties["LustreConfiguration"]["LogConfiguration"] == {"Level": "DISABLED"}
        Template.from_stack(stack).resource_count_is("AWS::Logs::LogGroup", 0)

    def test_of_a_scratch_one_go_with_it(self, stack: Stack) -> None:
        build(stack, **SCRATCH_2, log_level=LogLevel.WARN_ONLY)
        Template.from_stack(stack).has_resource("AWS::Logs::LogGroup", {"DeletionPolicy": "Delete"})


def test_tokens_are_left_to_the_deploy(stack: Stack) -> None:
    parameter = CfnParameter(stack, "Number", type="Number", default=500).value_as_number
    text = CfnParameter(stack, "Text", default="7:03:00").value_as_string
    settings = PERSISTENT_2 | {
        "per_unit_storage_throughput": parameter,
        "metadata_iops": parameter,
        "weekly_maintenance_start_time": text,
    }
    lustre = properties_of(stack, **settings)["LustreConfiguration"]
    assert lustre["PerUnitStorageThroughput"] == {"Ref": "Number"}
    assert lustre["MetadataConfiguration"] == {"Mode": "USER_PROVISIONED", "Iops": {"Ref": "Number"}}
    assert lustre["WeeklyMaintenanceStartTime"] == {"Ref": "Text"}


@pytest.mark.parametrize(
    ("settings", "finding"),
    [
        (SCRATCH_2 | {"deployment_type": "SCRATCH_3"}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"storage_capacity_gib": "1200"}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"storage_capacity_gib": 1200.5}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"storage_capacity_gib": 2400 * 2**31}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"efa_enabled": None}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"subnet": []}, "SUBNETS_NOT_ONE"),
        (SCRATCH_2 | {"subnet": ["subnet-1", "subnet-2"]}, "SUBNETS_NOT_ONE"),
        (SCRATCH_2 | {"subnet": "subnet-1"}, "CONSTRUCT_OF_WRONG_KIND"),
        (SCRATCH_2 | {"vpc": "vpc-1"}, "CONSTRUCT_OF_WRONG_KIND"),
        (SCRATCH_2 | {"security_groups": []}, "FILE_SYSTEM_GROUPS_OUT_OF_RANGE"),
        (SCRATCH_2 | {"security_groups": ["sg-1"]}, "CONSTRUCT_OF_WRONG_KIND"),
        (SCRATCH_2 | {"client_security_groups": "sg-1"}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"client_security_groups": ["sg-1"]}, "CONSTRUCT_OF_WRONG_KIND"),
        (SCRATCH_2 | {"tags": {"aws:team": "x"}}, "TAG_INVALID"),
        (SCRATCH_2 | {"tags": ["team"]}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"tags": {"team": 1}}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"removal_policy": "destroy"}, "SETTING_OF_WRONG_KIND"),
        (SCRATCH_2 | {"removal_policy": RemovalPolicy.SNAPSHOT}, "REMOVAL_POLICY_UNSUPPORTED"),
        (PERSISTENT_2 | {"encryption_key": "alias/x"}, "CONSTRUCT_OF_WRONG_KIND"),
        (PERSISTENT_2 | {"log_group": "/aws/fsx/x"}, "CONSTRUCT_OF_WRONG_KIND"),
        ({"size": "4800 GiB"}, "CONSTRUCT_OF_WRONG_KIND"),
        ({}, "SIZE_MISSING"),
    ],
)
def test_arguments_of_the_wrong_kind_are_told_by_id_and_leave_nothing_behind(
    stack: Stack, settings: dict[str, Any], finding: str
) -> None:
    with pytest.raises(ValueError, match=rf"got .*\[{finding}\]"):
        build(stack, **settings)
    assert stack.node.try_find_child("FileSystem") is None


def test_a_plans_choice_of_intelligent_tiering_is_taken_whole(stack: Stack, guide: Workload) -> None:
    pinned = guide.model_dump(mode="json", exclude_none=True) | {"file_system": {"storage_type": "INTELLIGENT_TIERING"}}
    pinned["dataset"].pop("source")
    file_system = TrainingFileSystem.for_workload(
        stack,
        "FileSystem",
        workload=Workload.model_validate(pinned),
        vpc=imported_vpc(stack),
        subnet=imported_vpc(stack, "Again").private_subnets[0],
    )
    assert file_system.settings.is_tiering
    assert file_system.settings.metadata == (MetadataMode.USER_PROVISIONED, file_system.settings.metadata_iops)
    Template.from_stack(stack).resource_count_is("AWS::FSx::DataRepositoryAssociation", 0)


def test_for_workload_is_what_the_plan_chose_linked_to_the_dataset(
    stack: Stack, guide: Workload, guide_plan: Plan
) -> None:
    vpc = imported_vpc(stack)
    TrainingFileSystem.for_workload(stack, "FileSystem", workload=guide, vpc=vpc, subnet=vpc.private_subnets[0])
    template = Template.from_stack(stack)
    choice = guide_plan.choice
    assert choice is not None
    template.has_resource_properties(FILE_SYSTEM, {"StorageCapacity": choice.storage_capacity_gib})
    template.has_resource_properties(
        "AWS::FSx::DataRepositoryAssociation", {"DataRepositoryPath": "s3://example-training-data/guide/"}
    )


def test_for_workload_says_why_nothing_can_be_built(stack: Stack, guide: Workload) -> None:
    impossible = guide.model_dump(mode="json", exclude_none=True) | {"epoch": {"target": "0.001 s"}}
    vpc = imported_vpc(stack)
    with pytest.raises(ValueError, match="NOTHING_FEASIBLE"):
        TrainingFileSystem.for_workload(
            stack,
            "FileSystem",
            workload=Workload.model_validate(impossible),
            vpc=vpc,
            subnet=vpc.private_subnets[0],
        )


def test_two_of_everything_live_in_one_stack(new_app: Callable[..., App], guide_plan: Plan) -> None:
    from epochwise.cdk.plan_summary import add_plan_summary

    stack = Stack(new_app(), "test")
    for name in ("First", "Second"):
        settings = {"size": guide_plan.choice, "log_level": LogLevel.WARN_ERROR, "tags": {"n": name}}
        file_system = build(stack, name, **settings)
        add_plan_summary(stack, plan=guide_plan, file_system=file_system, name=name)
    template = Template.from_stack(stack).to_json()
    groups = [each for each in template["Resources"].values() if each["Type"] == "AWS::Logs::LogGroup"]
    assert len({str(group["Properties"]["LogGroupName"]) for group in groups}) == 2
    assert {"FirstFileSystemId", "SecondFileSystemId"} <= set(template["Outputs"])
    assert not [output for output in template["Outputs"].values() if "Export" in output]
    with pytest.raises(ValueError, match="SUMMARY_TWICE"):
        add_plan_summary(stack, plan=guide_plan, file_system=file_system, name="Second")
    with pytest.raises(ValueError, match="SUMMARY_NAME_INVALID"):
        add_plan_summary(stack, plan=guide_plan, file_system=file_system, name="not-a-name")


def test_a_log_group_of_the_app_is_where_logs_go_also_without_a_level(stack: Stack) -> None:
    group = logs.LogGroup(stack, "Logs", log_group_name="/aws/fsx/training")
    logged = properties_of(stack, **PERSISTENT_2, log_group=group)["LustreConfiguration"]["LogConfiguration"]
    [made] = Template.from_stack(stack).find_resources("AWS::Logs::LogGroup")
    assert logged["Level"] == "WARN_ERROR"
    assert {"Ref": made} in logged["Destination"]["Fn::Join"][1]


def test_a_log_group_without_a_name_hears_of_one_that_is_legal(stack: Stack) -> None:
    says = "got one without a name, which CloudFormation makes up; name it /aws/fsx/lustre, or leave log_group out"
    with pytest.raises(ValueError, match=says):
        build(stack, **PERSISTENT_2, log_group=logs.LogGroup(stack, "Logs"))


@pytest.mark.parametrize("name", ["/x", None])
def test_a_log_group_of_the_app_is_refused_by_its_own_name(stack: Stack, name: str | None) -> None:
    group = logs.LogGroup(stack, "Logs", log_group_name=name)
    with pytest.raises(ValueError, match="LOG_GROUP_NAME_ILLEGAL"):
        build(stack, log_group=group, **PERSISTENT_2)
