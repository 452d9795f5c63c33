"""What people who create file systems ran into, and what is true of this library; each test names its row.

What no template can show stands in test_every_row.py.
"""

import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template
from hypothesis import HealthCheck, given, settings

from epochwise import Workload, plan
from epochwise.catalog.fsx_lustre import families
from epochwise.catalog.legality import Wanted, illegal_settings
from epochwise.catalog.replacement import FILE_SYSTEM, create_only
from epochwise.checks.file_system_settings import LUSTRE_VERSIONS
from tests.cdk.file_systems import (
    EFA,
    HDD,
    LINK,
    PERSISTENT_1,
    PERSISTENT_2,
    RULES,
    SCRATCH_1,
    SCRATCH_2,
    TIERING,
    build,
    imported_vpc,
)
from tests.sizing.strategies import workloads

TYPES = {"SCRATCH_1": SCRATCH_1, "SCRATCH_2": SCRATCH_2, "PERSISTENT_1": PERSISTENT_1, "HDD": HDD}
PERSISTENT_2_TYPES = {"PERSISTENT_2": PERSISTENT_2, "EFA": EFA, "TIERING": TIERING}
EVERY_TYPE = TYPES | PERSISTENT_2_TYPES


def every_type(types: dict[str, dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("settings", list(types.values()), ids=list(types))


def bucket(stack: Stack) -> s3.IBucket:
    return s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")


def lustre_of(stack: Stack, **settings: Any) -> dict[str, Any]:
    build(stack, **settings)
    [resource] = Template.from_stack(stack).find_resources(FILE_SYSTEM).values()
    found: dict[str, Any] = resource["Properties"]["LustreConfiguration"]
    return found


@every_type(EVERY_TYPE)
def test_f8_f13_the_file_system_is_made_after_every_rule_of_its_group(stack: Stack, settings: dict[str, Any]) -> None:
    build(stack, **settings)
    template = Template.from_stack(stack)
    [resource] = template.find_resources(FILE_SYSTEM).values()
    rules = {name for kind in RULES for name in template.find_resources(kind)}
    assert rules
    assert rules <= set(resource["DependsOn"])


def test_f11_a_retained_file_system_keeps_its_group_and_rules_those_added_later_too(stack: Stack) -> None:
    file_system = build(stack, **PERSISTENT_2)
    client = ec2.SecurityGroup(stack, "Client", vpc=imported_vpc(stack, "Other"))
    file_system.allow_client(client)
    file_system.connections.allow_from(client, ec2.Port.tcp(1017))
    template = Template.from_stack(stack)
    kept = [rule for kind in RULES for rule in template.find_resources(kind).values()]
    kept += [
        group
        for name, group in template.find_resources("AWS::EC2::SecurityGroup").items()
        if name.startswith("FileSystem")
    ]
    of_servers = [each for each in kept if "Client" not in str(each["Properties"].get("GroupId", ""))]
    assert {(each["DeletionPolicy"], each["UpdateReplacePolicy"]) for each in of_servers} == {("Retain", "Retain")}


def test_f12_the_file_system_goes_before_its_group_which_its_interfaces_use(stack: Stack) -> None:
    build(stack, **SCRATCH_2)
    template = Template.from_stack(stack)
    [group] = template.find_resources("AWS::EC2::SecurityGroup")
    template.has_resource_properties(FILE_SYSTEM, {"SecurityGroupIds": [{"Fn::GetAtt": [group, "GroupId"]}]})


@every_type(EVERY_TYPE)
def test_f16_a_client_by_address_is_refused_whether_over_efa_or_not(stack: Stack, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"got .*\[CLIENT_NOT_A_GROUP\]"):
        build(stack, **settings).allow_client(ec2.Peer.ipv4("10.0.0.0/16"))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, 2])
def test_f24_f26_more_or_less_than_one_subnet_is_refused(stack: Stack, count: int) -> None:
    subnets = [imported_vpc(stack, f"Of{number}").private_subnets[0] for number in range(count)]
    with pytest.raises(ValueError, match=rf"exactly one, got {count}.*\[SUBNETS_NOT_ONE\]"):
        build(stack, **SCRATCH_2, subnet=subnets)


@every_type(EVERY_TYPE)
def test_f26_there_is_one_subnet_on_every_type(stack: Stack, settings: dict[str, Any]) -> None:
    build(stack, **settings)
    Template.from_stack(stack).has_resource_properties(FILE_SYSTEM, {"SubnetIds": ["subnet-0123456789abcdef0"]})


@pytest.mark.parametrize("settings", [SCRATCH_1, SCRATCH_2, PERSISTENT_1, HDD], ids=list(TYPES))
def test_f36_efa_is_refused_where_it_would_be_ignored(stack: Stack, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"efa_enabled must be false .*got True.*\[FILE_SYSTEM_ILLEGAL\]"):
        build(stack, **settings, efa_enabled=True)


@every_type(PERSISTENT_2_TYPES)
def test_f39_an_import_policy_of_persistent_2_is_refused_in_favour_of_a_link(
    stack: Stack, settings: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"link_bucket \[IMPORT_PATH_UNSUPPORTED\]"):
        build(stack, **settings, import_path="s3://example-data", auto_import_policy="NEW")


def test_f40_several_buckets_are_linked_one_after_the_other(stack: Stack) -> None:
    file_system = build(stack, **PERSISTENT_2)
    for name in ("train", "validation"):
        file_system.link_bucket(bucket(stack) if name == "train" else s3.Bucket(stack, name), file_system_path=name)
    links = Template.from_stack(stack).find_resources(LINK)
    first, second = sorted(links)
    assert links[second]["DependsOn"] == [first]


@pytest.mark.parametrize("version", LUSTRE_VERSIONS)
@every_type(EVERY_TYPE)
def test_f41_versions_are_those_of_the_type(stack: Stack, settings: dict[str, Any], version: str) -> None:
    oldest = {"SCRATCH_1": "2.10", "SCRATCH_2": "2.10", "PERSISTENT_1": "2.10", "PERSISTENT_2": "2.12"}
    least = oldest[settings["deployment_type"]]
    if settings.get("efa_enabled") or settings is TIERING:
        least = "2.15"
    if version < least:
        with pytest.raises(ValueError, match=r"\[(LUSTRE_VERSION_TOO_OLD|EFA_NEEDS_METADATA)\]"):
            build(stack, **settings, lustre_version=version)
        return
    build(stack, **settings, lustre_version=version)
    Template.from_stack(stack).has_resource_properties(FILE_SYSTEM, {"FileSystemTypeVersion": version})


def test_f41_without_a_word_it_is_the_newest_and_another_is_refused(stack: Stack) -> None:
    build(stack, **SCRATCH_2)
    Template.from_stack(stack).has_resource_properties(FILE_SYSTEM, {"FileSystemTypeVersion": "2.15"})
    with pytest.raises(ValueError, match=r"2.10 or 2.12 or 2.15, got '2.14'.*\[LUSTRE_VERSION_UNKNOWN\]"):
        build(stack, "Other", **SCRATCH_2, lustre_version="2.14")


@every_type(EVERY_TYPE)
def test_f89_the_version_stands_in_the_template_and_is_not_left_to_a_default(
    stack: Stack, settings: dict[str, Any]
) -> None:
    build(stack, **settings)
    [resource] = Template.from_stack(stack).find_resources(FILE_SYSTEM).values()
    assert resource["Properties"]["FileSystemTypeVersion"] in LUSTRE_VERSIONS


def test_f105a_a_file_system_with_efa_is_made_whole_without_a_step_by_hand(stack: Stack) -> None:
    lustre = lustre_of(stack, **EFA)
    assert lustre["EfaEnabled"] is True
    assert {"DeploymentType", "PerUnitStorageThroughput", "MetadataConfiguration"} <= set(lustre)
    template = Template.from_stack(stack)
    [group] = template.find_resources("AWS::EC2::SecurityGroup")
    [resource] = template.find_resources(FILE_SYSTEM).values()
    assert resource["Properties"]["SecurityGroupIds"] == [{"Fn::GetAtt": [group, "GroupId"]}]
    for kind in RULES:
        assert template.find_resources(kind)
    assert Annotations.from_stack(stack).find_error("*", Match.any_value()) == []


def test_f42_compression_and_backups_are_there_to_be_asked_for(stack: Stack) -> None:
    lustre = lustre_of(stack, **PERSISTENT_2, data_compression=True, automatic_backup_retention_days=90)
    assert lustre["DataCompressionType"] == "LZ4"
    assert lustre["AutomaticBackupRetentionDays"] == 90


@every_type(PERSISTENT_2_TYPES)
def test_f43_f54_metadata_is_configured_from_the_start(stack: Stack, settings: dict[str, Any]) -> None:
    mode = "USER_PROVISIONED" if settings is TIERING else "AUTOMATIC"
    assert lustre_of(stack, **settings)["MetadataConfiguration"]["Mode"] == mode


def test_f43_leaving_it_out_for_good_is_warned_about(stack: Stack) -> None:
    build(stack, **PERSISTENT_2, lustre_version="2.12")
    found = Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("none can be added later"))
    assert found


@pytest.mark.parametrize(
    ("settings", "iops", "finding"),
    [
        (PERSISTENT_2, 6000, None),
        (PERSISTENT_2, 192_000, None),
        (PERSISTENT_2, 7500, "METADATA_IOPS_ILLEGAL"),
        (PERSISTENT_2, 3000, "METADATA_IOPS_BELOW_AUTOMATIC"),
        (TIERING, 6000, None),
        (TIERING, 12_000, None),
        (TIERING, 24_000, "METADATA_IOPS_ILLEGAL"),
        (PERSISTENT_1, 6000, "METADATA_NEEDS_PERSISTENT_2"),
    ],
)
def test_f44_metadata_iops_are_of_the_set_of_values(
    stack: Stack, settings: dict[str, Any], iops: int, finding: str | None
) -> None:
    if finding is None:
        configuration = lustre_of(stack, **settings, metadata_iops=iops)["MetadataConfiguration"]
        assert configuration == {"Mode": "USER_PROVISIONED", "Iops": iops}
        return
    with pytest.raises(ValueError, match=rf"got {iops}.*\[{finding}\]"):
        build(stack, **settings, metadata_iops=iops)


@pytest.mark.parametrize(
    ("settings", "changed", "near"),
    [
        (PERSISTENT_2, {"per_unit_storage_throughput": 333}, "125 or 250 or 500 or 1000"),
        (PERSISTENT_1, {"per_unit_storage_throughput": 125}, "50 or 100 or 200"),
        (PERSISTENT_2, {"storage_capacity_gib": 1500}, "1200 or 2400"),
        (HDD, {"storage_capacity_gib": 2000}, "1800 or 3600"),
        (TIERING, {"throughput_capacity_mbps": 2000}, "nearest legal: 4000"),
    ],
)
def test_f45_throughput_and_capacity_are_refused_at_synth_with_the_nearest_legal(
    stack: Stack, settings: dict[str, Any], changed: dict[str, Any], near: str
) -> None:
    with pytest.raises(ValueError, match=rf"{near}.*\[FILE_SYSTEM_ILLEGAL\]"):
        build(stack, **(settings | changed))


def test_f46_f71_what_replaces_a_file_system_is_known_and_its_data_is_kept(stack: Stack) -> None:
    replacing = create_only(FILE_SYSTEM)
    assert replacing is not None
    assert {"SubnetIds", "SecurityGroupIds", "KmsKeyId", "LustreConfiguration.DeploymentType"} <= replacing
    assert "StorageCapacity" not in replacing
    build(stack, **PERSISTENT_2)
    Template.from_stack(stack).has_resource(FILE_SYSTEM, {"UpdateReplacePolicy": "Retain"})


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({}, None),
        ({"lustre_version": "2.12"}, "EFA_NEEDS_METADATA"),
        ({"storage_capacity_gib": 4800}, "FILE_SYSTEM_ILLEGAL"),
    ],
)
def test_f48_f54_efa_comes_with_persistent_2_metadata_and_its_own_rules(
    stack: Stack, changed: dict[str, Any], finding: str | None
) -> None:
    if finding is not None:
        with pytest.raises(ValueError, match=finding):
            build(stack, **(EFA | changed))
        return
    lustre = lustre_of(stack, **EFA)
    assert lustre["EfaEnabled"] is True
    assert lustre["MetadataConfiguration"] == {"Mode": "AUTOMATIC"}
    template = Template.from_stack(stack)
    for kind in RULES:
        template.all_resources_properties(kind, {"IpProtocol": "-1"})


def test_f49_no_backup_is_taken_unless_it_is_asked_for(stack: Stack) -> None:
    lustre = lustre_of(stack, **PERSISTENT_2)
    assert not [name for name in lustre if "Backup" in name]


@pytest.mark.parametrize("settings", [PERSISTENT_1, HDD, PERSISTENT_2, EFA], ids=["P1", "HDD", "P2", "EFA"])
def test_f50_a_persistent_type_without_throughput_is_refused(stack: Stack, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"got None.*\[THROUGHPUT_REQUIRED\]"):
        build(stack, **(settings | {"per_unit_storage_throughput": None}))


@given(workload=workloads())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_f52_every_size_that_is_planned_is_a_legal_one(workload: Workload) -> None:
    planned = plan(workload)
    for candidate in [planned.choice, *(alternative.candidate for alternative in planned.alternatives)]:
        if candidate is not None:
            wanted = Wanted(
                deployment_types=(candidate.deployment_type,),
                storage_type=candidate.storage_type,
                storage_capacity_gib=candidate.storage_capacity_gib,
                per_unit_storage_throughput=candidate.per_unit_storage_throughput,
                drive_cache_type=candidate.drive_cache_type,
                efa_enabled=candidate.efa_enabled,
                throughput_capacity_mbps=candidate.throughput_capacity_mbps,
            )
            assert illegal_settings(wanted) == []


def test_f53_nothing_waits_for_the_file_system_with_a_time_limit(stack: Stack) -> None:
    build(stack, **PERSISTENT_2).link_bucket(bucket(stack))
    text = json.dumps(Template.from_stack(stack).to_json())
    assert "CreationPolicy" not in text
    assert "Timeout" not in text


@pytest.mark.parametrize("capacity", [3600, 7200, 10_800])
def test_f56_steps_of_3600_are_those_of_scratch_1_alone(stack: Stack, capacity: int) -> None:
    legal = {family.deployment_type for family in families() if family.is_capacity(capacity) and not family.efa_enabled}
    assert "SCRATCH_1" in legal
    if capacity % 2400:
        with pytest.raises(ValueError, match="a multiple of 2400"):
            build(stack, **(PERSISTENT_2 | {"storage_capacity_gib": capacity}))
    build(stack, "First", **(SCRATCH_1 | {"storage_capacity_gib": capacity}))
