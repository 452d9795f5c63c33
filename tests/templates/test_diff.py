from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epochwise.checks.finding import Level
from epochwise.templates.change import Verdict, exit_status
from epochwise.templates.diff import diff_templates
from epochwise.templates.diff_text import diff_text
from tests.templates.small import template

EFA = {"EfaEnabled": True, "PerUnitStorageThroughput": 1000}
HDD = {
    "DeploymentType": "PERSISTENT_1",
    "StorageType": "HDD",
    "PerUnitStorageThroughput": 12,
    "DriveCacheType": "NONE",
    "StorageCapacity": 6000,
}
SCRATCH = {"DeploymentType": "SCRATCH_2", "PerUnitStorageThroughput": None}
TIERING = {
    "StorageType": "INTELLIGENT_TIERING",
    "StorageCapacity": None,
    "PerUnitStorageThroughput": None,
    "ThroughputCapacity": 8000,
    "DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": 1000},
}


def metadata(mode: str, iops: int | None = None) -> dict[str, Any]:
    return {"MetadataConfiguration": {"Mode": mode} | ({} if iops is None else {"Iops": iops})}


def cache_of(gib: int) -> dict[str, Any]:
    return {"DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": gib}}


CASES: list[tuple[dict[str, Any], dict[str, Any], str, Verdict]] = [
    # replaced
    ({}, {"SubnetIds": ["subnet-2"]}, "SubnetIds", Verdict.LOSES_DATA),
    ({}, {"SubnetIds": [{"Ref": "Group"}]}, "SubnetIds", Verdict.LOSES_DATA),
    ({}, {"SecurityGroupIds": ["sg-2"]}, "SecurityGroupIds", Verdict.LOSES_DATA),
    ({}, {"KmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/1"}, "KmsKeyId", Verdict.LOSES_DATA),
    ({}, {"BackupId": "backup-1"}, "BackupId", Verdict.LOSES_DATA),
    ({}, {"FileSystemType": "OPENZFS"}, "FileSystemType", Verdict.LOSES_DATA),
    (SCRATCH, {}, "LustreConfiguration.DeploymentType", Verdict.LOSES_DATA),
    ({}, {"CopyTagsToBackups": True}, "LustreConfiguration.CopyTagsToBackups", Verdict.LOSES_DATA),
    # cannot be updated
    ({}, EFA, "LustreConfiguration.EfaEnabled", Verdict.FAILS),
    (EFA, {"PerUnitStorageThroughput": 1000}, "LustreConfiguration.EfaEnabled", Verdict.FAILS),
    ({}, {"EfaEnabled": False}, "LustreConfiguration.EfaEnabled", Verdict.UNKNOWN),
    ({}, {"EfaEnabled": {"Ref": "Efa"}}, "LustreConfiguration.EfaEnabled", Verdict.FAILS),
    ({"EfaEnabled": False}, {"EfaEnabled": {"Ref": "Efa"}}, "LustreConfiguration.EfaEnabled", Verdict.UNKNOWN),
    ({}, {"StorageType": "HDD"}, "StorageType", Verdict.FAILS),
    ({}, {"StorageType": "SSD"}, "StorageType", Verdict.UNKNOWN),
    (SCRATCH, SCRATCH | {"ImportPath": "s3://b"}, "LustreConfiguration.ImportPath", Verdict.FAILS),
    (SCRATCH, SCRATCH | {"ExportPath": "s3://b"}, "LustreConfiguration.ExportPath", Verdict.FAILS),
    (SCRATCH, SCRATCH | {"ImportedFileChunkSize": 2}, "LustreConfiguration.ImportedFileChunkSize", Verdict.FAILS),
    (HDD, HDD | {"DriveCacheType": "READ"}, "LustreConfiguration.DriveCacheType", Verdict.FAILS),
    ({}, {"NetworkType": "DUAL"}, "NetworkType", Verdict.FAILS),
    # storage capacity
    ({}, {"StorageCapacity": 7200}, "StorageCapacity", Verdict.IN_PLACE),
    ({}, {"StorageCapacity": "7200"}, "StorageCapacity", Verdict.IN_PLACE),
    ({}, {"StorageCapacity": 6000}, "StorageCapacity", Verdict.FAILS),
    ({}, {"StorageCapacity": 2400}, "StorageCapacity", Verdict.FAILS),
    ({}, {"StorageCapacity": None}, "StorageCapacity", Verdict.FAILS),
    ({}, {"StorageCapacity": {"Ref": "Size"}}, "StorageCapacity", Verdict.UNKNOWN),
    (SCRATCH, SCRATCH | {"StorageCapacity": 7200}, "StorageCapacity", Verdict.IN_PLACE),
    (HDD, HDD | {"StorageCapacity": 12000}, "StorageCapacity", Verdict.IN_PLACE),
    (HDD, HDD | {"StorageCapacity": 8400}, "StorageCapacity", Verdict.FAILS),
    (EFA, EFA | {"StorageCapacity": 9600}, "StorageCapacity", Verdict.IN_PLACE),
    (EFA, EFA | {"StorageCapacity": 7200}, "StorageCapacity", Verdict.FAILS),
    (
        SCRATCH | {"DeploymentType": "SCRATCH_1", "StorageCapacity": 3600},
        SCRATCH | {"DeploymentType": "SCRATCH_1", "StorageCapacity": 7200},
        "StorageCapacity",
        Verdict.FAILS,
    ),
    # throughput
    ({}, {"PerUnitStorageThroughput": 500}, "LustreConfiguration.PerUnitStorageThroughput", Verdict.IN_PLACE),
    ({}, {"PerUnitStorageThroughput": 125}, "LustreConfiguration.PerUnitStorageThroughput", Verdict.IN_PLACE),
    ({}, {"PerUnitStorageThroughput": 200}, "LustreConfiguration.PerUnitStorageThroughput", Verdict.FAILS),
    (EFA, EFA | {"PerUnitStorageThroughput": 500}, "LustreConfiguration.PerUnitStorageThroughput", Verdict.FAILS),
    (HDD, HDD | {"PerUnitStorageThroughput": 40}, "LustreConfiguration.PerUnitStorageThroughput", Verdict.FAILS),
    (TIERING, TIERING | {"ThroughputCapacity": 12000}, "LustreConfiguration.ThroughputCapacity", Verdict.IN_PLACE),
    (TIERING, TIERING | {"ThroughputCapacity": 4000}, "LustreConfiguration.ThroughputCapacity", Verdict.FAILS),
    (TIERING, TIERING | {"ThroughputCapacity": 9000}, "LustreConfiguration.ThroughputCapacity", Verdict.FAILS),
    # metadata, version, cache
    ({}, metadata("AUTOMATIC"), "LustreConfiguration.MetadataConfiguration", Verdict.FAILS),
    (
        metadata("AUTOMATIC"),
        metadata("USER_PROVISIONED", 12000),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.IN_PLACE,
    ),
    (
        metadata("AUTOMATIC"),
        metadata("USER_PROVISIONED", 3000),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.FAILS,
    ),
    (
        metadata("USER_PROVISIONED", 6000),
        metadata("USER_PROVISIONED", 9000),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.FAILS,
    ),
    (
        metadata("USER_PROVISIONED", 12000),
        metadata("AUTOMATIC"),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.FAILS,
    ),
    (
        metadata("USER_PROVISIONED", 6000),
        metadata("AUTOMATIC"),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.IN_PLACE,
    ),
    (
        metadata("USER_PROVISIONED", 6000),
        metadata("USER_PROVISIONED"),
        "LustreConfiguration.MetadataConfiguration",
        Verdict.FAILS,
    ),
    (
        {"FileSystemTypeVersion": "2.12"},
        {"FileSystemTypeVersion": "2.15"},
        "FileSystemTypeVersion",
        Verdict.IN_PLACE,
    ),
    ({"FileSystemTypeVersion": "2.12"}, {"FileSystemTypeVersion": 2.1}, "FileSystemTypeVersion", Verdict.FAILS),
    (TIERING, TIERING | cache_of(1100), "LustreConfiguration.DataReadCacheConfiguration", Verdict.IN_PLACE),
    (TIERING, TIERING | cache_of(1099), "LustreConfiguration.DataReadCacheConfiguration", Verdict.FAILS),
    # at any time
    ({}, {"DataCompressionType": "LZ4"}, "LustreConfiguration.DataCompressionType", Verdict.IN_PLACE),
    ({}, {"AutomaticBackupRetentionDays": 7}, "LustreConfiguration.AutomaticBackupRetentionDays", Verdict.IN_PLACE),
    (
        {},
        {"DailyAutomaticBackupStartTime": "01:00"},
        "LustreConfiguration.DailyAutomaticBackupStartTime",
        Verdict.IN_PLACE,
    ),
    ({}, {"WeeklyMaintenanceStartTime": "1:01:00"}, "LustreConfiguration.WeeklyMaintenanceStartTime", Verdict.IN_PLACE),
    ({}, {"LogConfiguration": {"Level": "WARN_ERROR"}}, "LustreConfiguration.LogConfiguration", Verdict.IN_PLACE),
    ({}, {"AutoImportPolicy": "NEW"}, "LustreConfiguration.AutoImportPolicy", Verdict.IN_PLACE),
    ({}, {"Tags": [{"Key": "a", "Value": {"Ref": "Group"}}]}, "Tags", Verdict.IN_PLACE),
    ({}, {"RootSquashConfiguration": {}}, "LustreConfiguration.RootSquashConfiguration", Verdict.UNKNOWN),
]


@pytest.mark.parametrize(("old", "new", "name", "verdict"), CASES)
def test_f46_an_update_of_a_property_comes_to_its_verdict(
    old: dict[str, Any], new: dict[str, Any], name: str, verdict: Verdict
) -> None:
    changes = diff_templates(template(**old), template(**new))
    [change] = [each for each in changes if each.logical_id == "FileSystem" and each.property_name == name]
    assert change.verdict is verdict
    assert change.message.startswith(f"FileSystem.{name}: ")
    assert "\n" not in change.message
    assert (change.source != "") is (name != "LustreConfiguration.RootSquashConfiguration")
    assert exit_status([change]) == (1 if verdict in {Verdict.LOSES_DATA, Verdict.FAILS} else 0)
    assert change.as_dict()["verdict"] == verdict


def verdicts(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Verdict]:
    return {f"{each.logical_id}.{each.property_name}": each.verdict for each in diff_templates(old, new)}


def test_f71_a_group_that_is_replaced_takes_its_file_system_and_its_link_along() -> None:
    assert verdicts(template(), template(group={"GroupDescription": "other"})) == {
        "FileSystem.SecurityGroupIds": Verdict.LOSES_DATA,
        "Group.GroupDescription": Verdict.REPLACES,
        "Link.FileSystemId": Verdict.REPLACES,
    }
    assert verdicts(template(), template(group={"SecurityGroupIngress": [{"IpProtocol": "-1"}]})) == {}


@pytest.mark.parametrize("policy", ["Retain", "RetainExceptOnCreate"])
def test_f71_what_is_replaced_is_kept_only_with_an_update_replace_policy(policy: str) -> None:
    gone = diff_templates(template(), template(SubnetIds=["subnet-2"]))[0]
    assert "the old one goes with its data" in gone.message
    assert "set UpdateReplacePolicy and DeletionPolicy to Retain" in gone.finding.fix
    kept: dict[str, Any] = {"update_replace_policy": policy}
    stays = diff_templates(template(**kept), template(**kept, SubnetIds=["subnet-2"]))[0]
    assert "the old one stays, outside the stack, and keeps costing" in stays.message
    assert stays.verdict is gone.verdict is Verdict.LOSES_DATA


def test_another_logical_id_is_another_file_system() -> None:
    kept: dict[str, Any] = {"deletion_policy": "Retain", "update_replace_policy": "Retain"}
    changes = diff_templates(template(**kept), template(**kept, logical_id="Renamed"))
    assert [(each.logical_id, each.verdict) for each in changes] == [
        ("FileSystem", Verdict.LOSES_DATA),
        ("Link", Verdict.REPLACES),
    ]
    assert "Renamed is new, and another id is another resource" in changes[0].message


def test_a_file_system_that_goes_is_lost_or_left_behind() -> None:
    without = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    assert verdicts(template(), without)["FileSystem."] is Verdict.LOSES_DATA
    assert verdicts(template(deletion_policy="Retain"), without) == {
        "FileSystem.": Verdict.LEAVES,
        "Link.": Verdict.IN_PLACE,
    }
    assert verdicts(template(deletion_policy="Retain"), template())["FileSystem.DeletionPolicy"] is Verdict.IN_PLACE


def test_what_a_template_does_not_show_is_unknown_or_may_lose_data() -> None:
    size: dict[str, Any] = {"StorageCapacity": {"Ref": "Size"}}
    old = template(**size, SubnetIds=[{"Ref": "Subnet"}], parameters={"Size": {"Default": 4800}, "Subnet": {}})
    new = template(**size, SubnetIds=[{"Ref": "Subnet"}], parameters={"Size": {"Default": 2400}, "Subnet": {"a": "b"}})
    assert verdicts(old, new) == {
        "FileSystem.StorageCapacity": Verdict.UNKNOWN,
        "FileSystem.SubnetIds": Verdict.LOSES_DATA,
        "Link.FileSystemId": Verdict.REPLACES,
    }
    messages = " ".join(change.message for change in diff_templates(old, new))
    assert "may be replaced by an empty one" in messages
    imported = template(SubnetIds=[{"Fn::ImportValue": "network:Subnet"}])
    assert diff_templates(imported, imported) == []
    assert "may be" in diff_templates(imported, template(SubnetIds=["subnet-1"]))[0].message


def test_a_condition_that_changes_may_take_the_file_system() -> None:
    old, new = template(), template()
    new["Resources"]["FileSystem"]["Condition"] = "Wanted"
    assert verdicts(old, new) == {"FileSystem.Condition": Verdict.UNKNOWN, "Link.FileSystemId": Verdict.REPLACES}
    both = [template() | {"Conditions": {"Wanted": {"Fn::Equals": ["a", letter]}}} for letter in "ab"]
    for each in both:
        each["Resources"]["FileSystem"]["Condition"] = "Wanted"
    assert verdicts(*both)["FileSystem.Condition"] is Verdict.UNKNOWN


def test_a_type_is_not_updated() -> None:
    new = template()
    new["Resources"]["FileSystem"] = {"Type": "AWS::SNS::Topic"}
    assert verdicts(template(), new)["FileSystem.Type"] is Verdict.FAILS


def test_two_scalings_in_one_update_are_doubted() -> None:
    changes = diff_templates(template(), template(StorageCapacity=7200, PerUnitStorageThroughput=500))
    [doubt] = [change for change in changes if change.property_name == ""]
    assert doubt.finding.level is Level.WARNING
    assert "StorageCapacity change in one update" in doubt.message


def test_what_a_file_system_of_another_kind_would_do_is_not_known() -> None:
    old, new = template(FileSystemType="WINDOWS"), template(FileSystemType="WINDOWS", StorageCapacity=7200)
    assert verdicts(old, new) == {"FileSystem.StorageCapacity": Verdict.UNKNOWN}


def test_an_update_reads_as_text_worst_first() -> None:
    new = template(PerUnitStorageThroughput=500, NetworkType="DUAL", SubnetIds=["subnet-2"])
    text = diff_text(diff_templates(template(), new))
    headings = [line for line in text.splitlines() if not line.startswith(" ")]
    assert headings == ["loses data:", "can only fail:", "replaces what holds no data:", "in place:"]
    assert "CDK: replaces, FSx's API can update it; derived)" in text
    assert diff_text([]) == "nothing changes about a file system\n"


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 9600)
    | st.sampled_from(["4800", "SSD", "HDD", "LUSTRE", "PERSISTENT_2", "Retain", "A", "2.15", "x.y"])
    | st.fixed_dictionaries({"Ref": st.sampled_from(["A", "B", "AWS::NoValue"])})
    | st.fixed_dictionaries({"Fn::GetAtt": st.sampled_from([["A", "Arn"], "B.Arn", []])})
    | st.fixed_dictionaries({"Fn::Sub": st.sampled_from(["${A.Arn}", "${!A}", ["${B}", {}]])}),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["Iops", "Mode", "Fn::If"]), inner),
    max_leaves=4,
)
PROPERTIES = st.dictionaries(
    st.sampled_from(["FileSystemType", "StorageCapacity", "SubnetIds", "StorageType", "GroupDescription"]), VALUES
)
LUSTRE = st.dictionaries(
    st.sampled_from(["DeploymentType", "EfaEnabled", "PerUnitStorageThroughput", "MetadataConfiguration"]), VALUES
)
TYPES = ["AWS::FSx::FileSystem", "AWS::FSx::DataRepositoryAssociation", "AWS::EC2::SecurityGroup", "AWS::SNS::Topic"]
RESOURCE = st.fixed_dictionaries(
    {
        "Type": st.sampled_from(TYPES),
        "Properties": st.builds(lambda a, b: a | {"LustreConfiguration": b}, PROPERTIES, LUSTRE | VALUES),
    },
    optional={"DeletionPolicy": VALUES, "UpdateReplacePolicy": VALUES, "Condition": VALUES},
)
TEMPLATES = st.fixed_dictionaries(
    {"Resources": st.dictionaries(st.sampled_from(["A", "B", "C"]), RESOURCE | VALUES, max_size=3)},
    optional={"Parameters": st.dictionaries(st.sampled_from(["A", "D"]), VALUES), "Conditions": VALUES},
)


@given(TEMPLATES)
@settings(max_examples=50, deadline=None)
def test_a_template_does_not_differ_from_itself(one: dict[str, Any]) -> None:
    assert diff_templates(one, one) == []


@given(TEMPLATES, TEMPLATES)
@settings(max_examples=100, deadline=None)
def test_any_two_templates_are_compared(one: dict[str, Any], other: dict[str, Any]) -> None:
    changes = diff_templates(one, other)
    assert diff_text(changes).endswith("\n")
    assert exit_status(changes) == (1 if any(each.finding.level is Level.ERROR for each in changes) else 0)
