"""What our rules find in templates that never heard of us: each rule on both sides of its boundary."""

import json
from typing import Any

import pytest

from epochwise.policy.violation import Violation
from epochwise.policy.violations import violations

LUSTRE = {
    "DeploymentType": "PERSISTENT_2",
    "PerUnitStorageThroughput": 250,
    "MetadataConfiguration": {"Mode": "AUTOMATIC"},
}
GROUP = {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "servers"}}
REF, OUT = {"Ref": "FileSystem"}, {"Fn::GetAtt": ["Storage", "Outputs.Files"]}
HERE, THERE = {"Fn::GetAtt": ["Group", "GroupId"]}, {"Fn::GetAtt": "Group.GroupId"}


def file_system(
    lustre: dict[str, Any] | None = None, /, *, attributes: Any = None, **properties: Any
) -> dict[str, Any]:
    """Return a file system that nothing is wrong with, with changes."""
    return {
        "Type": "AWS::FSx::FileSystem",
        "Properties": {
            "FileSystemType": "LUSTRE",
            "FileSystemTypeVersion": "2.15",
            "StorageCapacity": 1200,
            "SubnetIds": ["subnet-0"],
            "LustreConfiguration": LUSTRE | (lustre or {}),
        }
        | properties,
        **(attributes or {}),
    }


def found(**resources: Any) -> list[Violation]:
    return violations({"template": {"Resources": resources}})


def ids(**resources: Any) -> set[str]:
    return {violation.finding.id for violation in found(**resources)}


def test_a_legal_file_system_is_left_alone() -> None:
    assert ids(FileSystem=file_system()) == set()
    assert ids(Windows={"Type": "AWS::FSx::FileSystem", "Properties": {"FileSystemType": "WINDOWS"}}) == set()


@pytest.mark.parametrize(
    ("changed", "finding_id"),
    [
        (file_system(StorageCapacity=1300), "FILE_SYSTEM_ILLEGAL"),
        (file_system(StorageCapacity="1300"), "FILE_SYSTEM_ILLEGAL"),
        (file_system({"PerUnitStorageThroughput": 200}), "FILE_SYSTEM_ILLEGAL"),
        (file_system({"DeploymentType": "PERSISTENT_3"}), "PROPERTY_UNKNOWN_WORD"),
        (file_system(StorageType="NVME"), "PROPERTY_UNKNOWN_WORD"),
        (file_system(FileSystemTypeVersion="2.11"), "LUSTRE_VERSION_UNKNOWN"),
        (file_system(FileSystemTypeVersion="2.10"), "LUSTRE_VERSION_TOO_OLD"),
        (file_system({"AutomaticBackupRetentionDays": 91}), "BACKUP_RETENTION_OUT_OF_RANGE"),
        (file_system({"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 1600}}), "METADATA_IOPS_ILLEGAL"),
        (file_system({"WeeklyMaintenanceStartTime": "8:00:00"}), "MAINTENANCE_TIME_INVALID"),
    ],
)
def test_a_shape_that_fsx_refuses_is_found(changed: dict[str, Any], finding_id: str) -> None:
    assert finding_id in ids(FileSystem=changed)


def test_text_for_numbers_and_flags_is_what_cloudformation_takes() -> None:
    asked = file_system({"PerUnitStorageThroughput": "250", "CopyTagsToBackups": "false"}, StorageCapacity="1200")
    assert ids(FileSystem=asked) == set()


def test_fsx_default_of_2_10_is_found_where_nothing_is_said() -> None:
    scratch = file_system(LustreConfiguration={"DeploymentType": "SCRATCH_2"})
    assert ids(FileSystem=scratch) == set()
    del scratch["Properties"]["FileSystemTypeVersion"]
    assert ids(FileSystem=scratch) == {"LUSTRE_2_10_CLIENTS"}


def test_a_metadata_configuration_that_is_left_out_is_found_and_with_efa_refused() -> None:
    left_out = {key: value for key, value in LUSTRE.items() if key != "MetadataConfiguration"}
    assert ids(FileSystem=file_system(LustreConfiguration=left_out)) == {"METADATA_LEFT_OUT"}
    efa = left_out | {"EfaEnabled": True}
    assert ids(FileSystem=file_system(LustreConfiguration=efa, StorageCapacity=19200)) == {
        "METADATA_LEFT_OUT",
        "EFA_NEEDS_METADATA",
    }
    assert ids(FileSystem=file_system(efa | LUSTRE, StorageCapacity=19200)) == set()


def test_what_only_a_deploy_knows_is_not_judged() -> None:
    unknown = {"Ref": "Parameter"}
    assert ids(FileSystem=file_system(StorageCapacity=unknown)) == set()
    assert ids(FileSystem=file_system({"PerUnitStorageThroughput": unknown, "DeploymentType": unknown})) == set()
    assert ids(FileSystem=file_system(LustreConfiguration={"Fn::If": ["Big", {}, {}]})) == set()


def rule(direction: str, **properties: Any) -> dict[str, Any]:
    return {
        "Type": f"AWS::EC2::SecurityGroup{direction}",
        "Properties": {"GroupId": HERE, "IpProtocol": "-1"} | properties,
    }


EFA = file_system({"EfaEnabled": "true"}, StorageCapacity=19200, SecurityGroupIds=[HERE])
INTERFACES = {"NetworkInterfaces": [{"InterfaceType": "efa-only", "Groups": [HERE]}]}


@pytest.mark.parametrize(
    "owner",
    [
        EFA,
        {"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": INTERFACES}},
        {
            "Type": "AWS::EC2::Instance",
            "Properties": {"NetworkInterfaces": [{"InterfaceType": "efa", "GroupSet": [THERE]}]},
        },
    ],
    ids=["file system", "launch template", "instance"],
)
def test_a_group_that_carries_efa_has_both_rules_to_itself(owner: dict[str, Any]) -> None:
    into, out = rule("Ingress", SourceSecurityGroupId=THERE), rule("Egress", DestinationSecurityGroupId=HERE)
    [bare] = found(Owner=owner, Group=GROUP)
    assert bare.finding.id == "EFA_SELF_RULES_ABSENT"
    assert "in from itself and none out to itself, by its id" in bare.finding.message
    [half] = found(Owner=owner, Group=GROUP, In=into)
    assert "all traffic out to itself" in half.finding.message
    by_address = rule("Egress", CidrIp="0.0.0.0/0")
    assert len(found(Owner=owner, Group=GROUP, In=into, Out=by_address)) == 1
    tcp = rule("Egress", DestinationSecurityGroupId=HERE, IpProtocol="tcp", FromPort=0, ToPort=65535)
    assert len(found(Owner=owner, Group=GROUP, In=into, Out=tcp)) == 1
    assert found(Owner=owner, Group=GROUP, In=into, Out=out) == []


def test_a_group_without_efa_needs_no_rules_to_itself() -> None:
    plain = {"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": {"SecurityGroupIds": [HERE]}}}
    assert ids(Owner=plain, Group=GROUP, FileSystem=file_system(SecurityGroupIds=[HERE])) == set()


@pytest.mark.parametrize(
    ("properties", "open_"),
    [
        ({"CidrIp": "0.0.0.0/0", "IpProtocol": "tcp", "FromPort": 988, "ToPort": 988}, True),
        ({"CidrIpv6": "::/0", "IpProtocol": "tcp", "FromPort": "1000", "ToPort": "1018"}, True),
        ({"CidrIp": "0.0.0.0/0"}, True),
        ({"CidrIp": "128.0.0.0/1"}, True),
        ({"CidrIpv6": "0::0/0"}, True),
        ({"CidrIp": "10.0.0.0/8"}, False),
        ({"CidrIp": "8.0.0.0/7"}, True),
        ({"CidrIpv6": "fc00::/7"}, False),
        ({"CidrIp": "anyone"}, False),
        ({"CidrIp": "10.0.0.0/16", "IpProtocol": "tcp", "FromPort": 988, "ToPort": 988}, False),
        ({"CidrIp": "0.0.0.0/0", "IpProtocol": "tcp", "FromPort": 989, "ToPort": 1017}, False),
        ({"CidrIp": "0.0.0.0/0", "IpProtocol": "udp", "FromPort": 988, "ToPort": 988}, False),
        ({"CidrIp": {"Ref": "Range"}, "IpProtocol": "tcp", "FromPort": 988, "ToPort": 988}, False),
        ({"SourceSecurityGroupId": HERE}, False),
    ],
)
def test_lustre_ports_that_anyone_reaches_are_found(properties: dict[str, Any], open_: bool) -> None:
    servers = file_system(SecurityGroupIds=[HERE])
    expected = {"LUSTRE_PORTS_OPEN"} if open_ else set()
    assert ids(FileSystem=servers, Group=GROUP, Rule=rule("Ingress", **properties)) == expected
    inline = {key: value for key, value in ({"IpProtocol": "-1"} | properties).items() if key != "GroupId"}
    group = {"Type": GROUP["Type"], "Properties": {"SecurityGroupIngress": [inline]}}
    assert ids(FileSystem=servers, Group=group) == expected
    assert ids(Group=group) == set(), "no file servers behind it"


@pytest.mark.parametrize(
    ("of_file_system", "of_group", "finding_ids"),
    [
        ("Retain", None, {"RETAINED_WITHOUT_ITS_GROUP"}),
        ("RetainExceptOnCreate", "Delete", {"RETAINED_WITHOUT_ITS_GROUP"}),
        ("Retain", "Retain", set()),
        (None, None, set()),
        ("Snapshot", None, set()),
    ],
)
def test_a_retained_file_system_keeps_its_group(
    of_file_system: str | None, of_group: str | None, finding_ids: set[str]
) -> None:
    policy = {} if of_file_system is None else {"DeletionPolicy": of_file_system}
    group = GROUP | ({} if of_group is None else {"DeletionPolicy": of_group})
    assert ids(FileSystem=file_system(SecurityGroupIds=[HERE], attributes=policy), Group=group) == finding_ids


def link(path: Any, place: str, of: Any = REF, /, **s3: Any) -> dict[str, Any]:
    return {
        "Type": "AWS::FSx::DataRepositoryAssociation",
        "Properties": {
            "FileSystemId": of,
            "DataRepositoryPath": path,
            "FileSystemPath": place,
            "S3": {f"Auto{kind}Policy": {"Events": events} for kind, events in s3.items()},
        },
    }


def test_links_are_judged_together_and_by_what_they_export() -> None:
    of_app = {"Fn::Join": ["", ["s3://", {"Ref": "Bucket"}, "/one"]]}
    one, two = link(of_app, "/one", Import=["NEW"]), link("s3://other-bucket/two", "/two", Export=["NEW", "CHANGED"])
    assert ids(FileSystem=file_system(), One=one, Two=two) == set()
    assert ids(FileSystem=file_system(), One=one, Two=link(of_app, "/one/inside")) == {"BUCKET_LINKS_OVERLAP"}
    deleting = link(of_app, "/one", Export=["DELETED"])
    assert ids(FileSystem=file_system(), One=deleting) == {"EXPORT_DELETES_OBJECTS"}
    tiering = file_system(
        {"ThroughputCapacity": 4000, "PerUnitStorageThroughput": {"Ref": "AWS::NoValue"}},
        StorageType="INTELLIGENT_TIERING",
    )
    assert "BUCKET_LINK_UNSUPPORTED" in ids(FileSystem=tiering, One=one)


CREATES = "arn:aws:states:::sagemaker:createTrainingJob.sync"


def machine(request: Any, *, resource: str = CREATES) -> dict[str, Any]:
    """Return a state machine that starts a job, its definition joined around a reference as CDK writes it."""
    states = {"Train": {"Type": "Task", "Resource": resource, "Parameters": request, "End": True}}
    definition = json.dumps({"StartAt": "Train", "States": states})
    before, mark, after = definition.partition("SUBNET")
    pieces = [before, {"Ref": "There"}, after] if mark else [before]
    return {
        "Type": "AWS::StepFunctions::StateMachine",
        "Properties": {"DefinitionString": {"Fn::Join": ["", pieces]}},
    }


def test_a_job_of_several_nodes_is_in_a_vpc() -> None:
    many = {"ResourceConfig": {"InstanceCount": 2}}
    assert ids(Machine=machine(many)) == {"MULTI_NODE_JOB_WITHOUT_VPC"}
    aws_sdk = "arn:aws:states:::aws-sdk:sagemaker:createTrainingJob"
    assert ids(Machine=machine(many, resource=aws_sdk)) == {"MULTI_NODE_JOB_WITHOUT_VPC"}
    assert ids(Machine=machine(many, resource="arn:aws:states:::sns:publish")) == set()
    assert ids(Machine=machine({"ResourceConfig": {"InstanceCount": 1}})) == set()
    assert ids(Machine=machine({"ResourceConfig": {"InstanceCount.$": "$.nodes"}})) == set()
    assert ids(Machine=machine(many | {"VpcConfig": {"Subnets": ["subnet-0"]}})) == set()
    assert ids(Machine=machine(many | {"VpcConfig.$": "$.vpc"})) == set()
    task = {"Type": "Task", "Resource": aws_sdk, "Parameters": many}
    inside = {"Type": "Parallel", "Branches": [{"States": {"Train": task}}]}
    nested = {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"Definition": {"States": {"All": inside}}}}
    [violation] = found(Machine=nested)
    assert "state Train starts a training job of 2 nodes" in violation.finding.message


@pytest.mark.parametrize(
    ("zone", "finding_ids"), [("us-east-1b", {"TRAINING_SUBNET_IN_ANOTHER_ZONE"}), ("us-east-1a", set())]
)
def test_nodes_train_in_the_zone_of_the_file_system(zone: str, finding_ids: set[str]) -> None:
    request = {"ResourceConfig": {"InstanceCount": 2}, "VpcConfig": {"Subnets": ["SUBNET"]}}
    subnets = {
        name: {"Type": "AWS::EC2::Subnet", "Properties": {"AvailabilityZone": where}}
        for name, where in (("Here", "us-east-1a"), ("There", zone))
    }
    assert ids(FileSystem=file_system(SubnetIds=[{"Ref": "Here"}]), Machine=machine(request), **subnets) == finding_ids


def picked(index: int) -> dict[str, Any]:
    return {"Fn::Select": [index, {"Fn::GetAZs": ""}]}


@pytest.mark.parametrize(
    ("here", "there", "comparable"),
    [
        (picked(0), picked(1), True),
        (picked(0), "us-east-1b", False),
        ("us-east-1a", picked(1), False),
        ("us-east-1a", "use1-az2", False),
        ("use1-az1", "use1-az2", True),
        ({"Ref": "Zone"}, {"Ref": "Other"}, False),
    ],
)
def test_zones_are_compared_where_two_texts_are_two_zones(here: Any, there: Any, *, comparable: bool) -> None:
    request = {"ResourceConfig": {"InstanceCount": 2}, "VpcConfig": {"Subnets": ["SUBNET"]}}
    subnets = {
        name: {"Type": "AWS::EC2::Subnet", "Properties": {"AvailabilityZone": where}}
        for name, where in (("Here", here), ("There", there))
    }
    storage = file_system(SubnetIds=[{"Ref": "Here"}])
    expected = {"TRAINING_SUBNET_IN_ANOTHER_ZONE"} if comparable else set()
    assert ids(FileSystem=storage, Machine=machine(request), **subnets) == expected
    imported = file_system(SubnetIds=["subnet-0"])
    assert ids(FileSystem=storage, Imported=imported, Machine=machine(request), **subnets) == set()


@pytest.mark.parametrize(
    ("source", "judged"),
    [
        ({"FileSystemDataSource": {"FileSystemId": "FILES"}}, True),
        ({"FileSystemDataSource": {"FileSystemId": "fs-1"}}, False),
        ({"S3DataSource": {"S3Uri": "s3://bucket/train"}}, False),
        ({}, False),
    ],
)
def test_a_job_is_held_to_the_file_system_that_it_reads(source: dict[str, Any], *, judged: bool) -> None:
    request = {
        "ResourceConfig": {"InstanceCount": 2},
        "VpcConfig": {"Subnets": ["SUBNET"]},
        "InputDataConfig": [{"ChannelName": "train", "DataSource": source}],
    }
    text = json.dumps({"States": {"Train": {"Type": "Task", "Resource": CREATES, "Parameters": request}}})
    zones = {"Here": "us-east-1a", "There": "us-east-1b"}
    resources: dict[str, Any] = {
        name: {"Type": "AWS::EC2::Subnet", "Properties": {"AvailabilityZone": zone}} for name, zone in zones.items()
    }
    resources |= {f"Files{name}": file_system(SubnetIds=[{"Ref": name}]) for name in zones}
    joined = {"Fn::Sub": text.replace("SUBNET", "${There}").replace("FILES", "${FilesHere}")}
    resources["Machine"] = {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": joined}}
    assert ids(**resources) == ({"TRAINING_SUBNET_IN_ANOTHER_ZONE"} if judged else set())


def test_a_definition_that_is_no_json_is_left_alone() -> None:
    broken = {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": "{"}}
    assert ids(Machine=broken, Other={"Type": broken["Type"], "Properties": {}}) == set()


def test_groups_and_subnets_are_followed_through_exports_into_other_templates() -> None:
    export = {"Value": HERE, "Export": {"Name": "servers"}}
    templates: dict[str, dict[str, Any]] = {
        "network": {"Resources": {"Group": GROUP}, "Outputs": {"Servers": export}},
        "storage": {
            "Resources": {
                "FileSystem": file_system(SecurityGroupIds=[{"Fn::ImportValue": "servers"}]),
                "Rule": {
                    "Type": "AWS::EC2::SecurityGroupIngress",
                    "Properties": {
                        "GroupId": {"Fn::ImportValue": "servers"},
                        "IpProtocol": "-1",
                        "CidrIp": "0.0.0.0/0",
                    },
                },
            }
        },
    }
    [violation] = violations(templates)
    assert (violation.template, violation.logical_id) == ("network", "Group")
    assert violation.finding.id == "LUSTRE_PORTS_OPEN"


def test_groups_are_followed_through_the_parameters_and_outputs_of_nested_stacks() -> None:
    anyone = rule("Ingress", GroupId={"Ref": "given"}, CidrIp="0.0.0.0/0")
    templates: dict[str, dict[str, Any]] = {
        "outer": {
            "Resources": {
                "Group": GROUP,
                "Storage": {"Type": "AWS::CloudFormation::Stack", "Properties": {"Parameters": {"given": HERE}}},
                "Deletes": link("s3://bucket-name/", "/", OUT, Export=["DELETED"]),
            }
        },
        "inner": {
            "Resources": {"FileSystem": file_system(SecurityGroupIds=[{"Ref": "given"}]), "Rule": anyone},
            "Outputs": {"Files": {"Value": {"Ref": "FileSystem"}}},
        },
    }
    found_ = violations(templates, {"inner": ("outer", "Storage")})
    assert {(each.template, each.logical_id, each.finding.id) for each in found_} == {
        ("outer", "Group", "LUSTRE_PORTS_OPEN"),
        ("outer", "Deletes", "EXPORT_DELETES_OBJECTS"),
    }
    assert violations(templates) == [], "what is not known to be nested has no parameters"


def test_values_that_refer_to_each_other_in_a_ring_stand_for_nothing() -> None:
    ring = {"Fn::ImportValue": "ring"}
    template: dict[str, Any] = {
        "Resources": {"FileSystem": file_system(SecurityGroupIds=[ring])},
        "Outputs": {"Ring": {"Value": ring, "Export": {"Name": "ring"}}},
    }
    assert violations({"template": template}) == []


@pytest.mark.parametrize("junk", [None, 1, "text", [], {}, [None], {"Fn::GetAtt": None}, {"Ref": 3}, {"Fn::If": 1}])
def test_nonsense_in_a_template_never_breaks_the_reading(junk: Any) -> None:
    for name in ("SecurityGroupIds", "SubnetIds", "LustreConfiguration", "StorageCapacity", "FileSystemTypeVersion"):
        found(FileSystem=file_system(**{name: junk}), Group=GROUP)
    for name in ("DataRepositoryPath", "FileSystemPath", "S3", "FileSystemId"):
        broken = link("s3://bucket-name/", "/")
        broken["Properties"][name] = junk
        found(FileSystem=file_system(), One=broken)
    for name in ("GroupId", "CidrIp", "IpProtocol", "FromPort", "SourceSecurityGroupId"):
        found(FileSystem=file_system(SecurityGroupIds=[HERE]), Group=GROUP, Rule=rule("Ingress", **{name: junk}))
    for request in (junk, {"ResourceConfig": junk}, {"VpcConfig": junk}, {"VpcConfig": {"Subnets": junk}}):
        found(Machine=machine(request), FileSystem=file_system(SubnetIds=[junk]))
    found(Machine={"Type": "AWS::StepFunctions::StateMachine", "Properties": {"Definition": junk}}, Odd=junk)
    found(Template={"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": junk}})
    found(Group={"Type": GROUP["Type"], "Properties": {"SecurityGroupIngress": junk}}, FileSystem=EFA)
    odd: dict[str, Any] = {"Resources": {}, "Outputs": {"Odd": junk, "Export": {"Export": junk}}}
    violations({"template": odd})
