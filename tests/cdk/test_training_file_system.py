import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Annotations, Match, Template

from epochwise import Choice, Plan, Workload, plan
from epochwise.catalog.fsx_lustre import DeploymentType, StorageType, families
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.checks.file_system import FileSystemSettings, file_system_findings
from tests.cdk.rules import rules_of

SCRATCH: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_2, "storage_capacity_gib": 1200}
PERSISTENT: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_2,
    "storage_capacity_gib": 4800,
    "per_unit_storage_throughput": 500,
}
EFA: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_2,
    "storage_capacity_gib": 9600,
    "per_unit_storage_throughput": 500,
    "efa_enabled": True,
}
NAMES = {"FileSystemSecurityGroup": "servers", "Clients": "clients", "EfaSecurityGroup": "clients"}
LUSTRE = ((988, 988), (1018, 1023))
ALL = ((None, None),)


def build(stack: Stack, **settings: Any) -> TrainingFileSystem:
    vpc = ec2.Vpc(stack, "Vpc", max_azs=1, restrict_default_security_group=False)
    clients = ec2.SecurityGroup(stack, "Clients", vpc=vpc)
    return TrainingFileSystem(
        stack, "FileSystem", vpc=vpc, subnet=vpc.private_subnets[0], client_security_groups=[clients], **settings
    )


def vpc_of(stack: Stack) -> ec2.Vpc:
    """Return the VPC that `build` made."""
    vpc = stack.node.find_child("Vpc")
    assert isinstance(vpc, ec2.Vpc)
    return vpc


def template_of(stack: Stack, **settings: Any) -> Template:
    build(stack, **settings)
    return Template.from_stack(stack)


def expected_rules(protocol: str, ports: tuple[tuple[int | None, int | None], ...]) -> set[Any]:
    pairs = [("servers", "servers"), ("servers", "clients"), ("clients", "servers")]
    return {
        rule
        for source, target in pairs
        for first, last in ports
        for rule in (
            ("Egress", source, target, protocol, first, last),
            ("Ingress", target, source, protocol, first, last),
        )
    }


def test_f5_f6_f7_servers_and_clients_reach_each_other_on_lustre_ports_both_ways(stack: Stack) -> None:
    assert rules_of(template_of(stack, **SCRATCH), NAMES) == expected_rules("tcp", LUSTRE)


def test_f16_an_efa_enabled_one_has_all_traffic_by_group_id_instead(stack: Stack) -> None:
    assert rules_of(template_of(stack, **EFA), NAMES) == expected_rules("-1", ALL)


def test_f5_the_guide_has_the_same_rules_across_stacks(templates: dict[str, Template]) -> None:
    assert rules_of(templates["storage"], NAMES) == expected_rules("tcp", LUSTRE)


@pytest.mark.parametrize("settings", [SCRATCH, PERSISTENT, EFA])
def test_f8_the_file_system_waits_for_every_rule(stack: Stack, settings: dict[str, Any]) -> None:
    file_system = build(stack, **settings)
    file_system.allow_client(ec2.SecurityGroup(stack, "Late", vpc=vpc_of(stack)))
    template = Template.from_stack(stack)
    rules = {
        logical_id
        for direction in ("Ingress", "Egress")
        for logical_id in template.find_resources(f"AWS::EC2::SecurityGroup{direction}")
    }
    [resource] = template.find_resources("AWS::FSx::FileSystem").values()
    assert rules
    assert set(resource["DependsOn"]) == rules


def test_a_client_is_allowed_once(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH)
    before = len(stack.node.find_all())
    file_system.allow_client(stack.node.find_child("Clients"))  # type: ignore[arg-type]
    assert len(stack.node.find_all()) == before


def test_f16_a_client_by_address_is_refused(stack: Stack) -> None:
    with pytest.raises(ValueError, match="must be a security group"):
        build(stack, **EFA).allow_client(ec2.Peer.ipv4("10.0.0.0/16"))  # type: ignore[arg-type]


def test_connections_let_others_in_on_988(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH)
    other = ec2.SecurityGroup(stack, "Other", vpc=vpc_of(stack))
    file_system.connections.allow_default_port_from(other)
    rules = rules_of(Template.from_stack(stack), {"Other": "other", **NAMES})
    assert ("Ingress", "servers", "other", "tcp", 988, 988) in rules


def test_the_guide_is_exactly_what_was_chosen(templates: dict[str, Template], guide_plan: Plan) -> None:
    choice = guide_plan.choice
    assert choice is not None
    [resource] = templates["storage"].find_resources("AWS::FSx::FileSystem").values()
    properties = resource["Properties"]
    lustre = properties["LustreConfiguration"]
    assert properties["FileSystemType"] == "LUSTRE"
    assert properties["FileSystemTypeVersion"] == "2.15"
    assert properties["StorageCapacity"] == choice.storage_capacity_gib
    assert properties["StorageType"] == choice.storage_type
    assert lustre["DeploymentType"] == choice.deployment_type
    assert lustre.get("PerUnitStorageThroughput") == choice.per_unit_storage_throughput
    assert "DataCompressionType" not in lustre


@pytest.mark.parametrize(
    ("settings", "metadata"),
    [
        (SCRATCH, Match.absent()),
        (PERSISTENT, {"Mode": "AUTOMATIC", "Iops": Match.absent()}),
        (PERSISTENT | {"metadata_iops": 12000}, {"Mode": "USER_PROVISIONED", "Iops": 12000}),
        (EFA, {"Mode": "AUTOMATIC", "Iops": Match.absent()}),
    ],
)
def test_f43_f48_persistent_2_has_a_metadata_configuration_and_no_other_type(
    stack: Stack, settings: dict[str, Any], metadata: Any
) -> None:
    template_of(stack, **settings).has_resource_properties(
        "AWS::FSx::FileSystem", {"LustreConfiguration": {"MetadataConfiguration": metadata}}
    )


@pytest.mark.parametrize(
    ("settings", "enabled"), [(EFA, True), (PERSISTENT, Match.absent()), (SCRATCH, Match.absent())]
)
def test_f48_efa_is_enabled_where_it_is_asked_for(stack: Stack, settings: dict[str, Any], enabled: Any) -> None:
    template_of(stack, **settings).has_resource_properties(
        "AWS::FSx::FileSystem", {"LustreConfiguration": {"EfaEnabled": enabled}}
    )


def test_f42_compression_backups_and_key_are_set_when_asked_for(stack: Stack) -> None:
    template_of(
        stack,
        **PERSISTENT,
        data_compression=True,
        automatic_backup_retention_days=7,
        encryption_key=kms.Key(stack, "Key"),
    ).has_resource_properties(
        "AWS::FSx::FileSystem",
        {
            "KmsKeyId": Match.any_value(),
            "LustreConfiguration": {"DataCompressionType": "LZ4", "AutomaticBackupRetentionDays": 7},
        },
    )


def test_hdd_has_a_drive_cache_type_and_ssd_has_none(stack: Stack) -> None:
    hdd = {
        "deployment_type": DeploymentType.PERSISTENT_1,
        "storage_type": StorageType.HDD,
        "storage_capacity_gib": 6000,
        "per_unit_storage_throughput": 12,
    }
    template_of(stack, **hdd).has_resource_properties(
        "AWS::FSx::FileSystem", {"StorageType": "HDD", "LustreConfiguration": {"DriveCacheType": "NONE"}}
    )


@pytest.mark.parametrize(
    ("settings", "removal_policy", "context", "expected"),
    [
        (SCRATCH, None, {}, "Delete"),
        (SCRATCH, RemovalPolicy.RETAIN, {}, "Retain"),
        (SCRATCH, RemovalPolicy.DESTROY, {}, "Delete"),
        (PERSISTENT, None, {}, "Retain"),
        (PERSISTENT, None, {"epochwise:allow-destroy": True}, "Retain"),
        (PERSISTENT, RemovalPolicy.DESTROY, {}, "Retain"),
        (PERSISTENT, RemovalPolicy.DESTROY, {"epochwise:allow-destroy": False}, "Retain"),
        (PERSISTENT, RemovalPolicy.DESTROY, {"epochwise:allow-destroy": True}, "Delete"),
        (PERSISTENT, RemovalPolicy.DESTROY, {"epochwise:allow-destroy": "true"}, "Delete"),
    ],
)
def test_f11_f71_f72_group_and_rules_share_the_fate_of_the_file_system(
    new_app: Callable[..., App],
    settings: dict[str, Any],
    removal_policy: RemovalPolicy | None,
    context: dict[str, Any],
    expected: str,
) -> None:
    stack = Stack(new_app(**context), "test")
    template = template_of(stack, **settings, removal_policy=removal_policy)
    kinds = ["AWS::FSx::FileSystem", "AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"]
    resources = [each for kind in kinds for each in template.find_resources(kind).values()]
    groups = template.find_resources("AWS::EC2::SecurityGroup")
    resources += [group for logical_id, group in groups.items() if logical_id.startswith("FileSystem")]
    assert {(each["DeletionPolicy"], each["UpdateReplacePolicy"]) for each in resources} == {(expected, expected)}


@pytest.mark.parametrize(("context", "warned"), [({}, True), ({"epochwise:allow-destroy": True}, False)])
def test_destroy_that_does_not_count_is_warned_about(
    new_app: Callable[..., App], context: dict[str, Any], warned: bool
) -> None:
    stack = Stack(new_app(**context), "test")
    build(stack, **PERSISTENT, removal_policy=RemovalPolicy.DESTROY)
    found = Annotations.from_stack(stack).find_warning("/test/FileSystem", Match.string_like_regexp("DESTROY_NOT"))
    assert bool(found) is warned


def test_a_token_for_the_capacity_is_left_to_the_deploy(stack: Stack) -> None:
    capacity = CfnParameter(stack, "Capacity", type="Number", default=2400)
    build(stack, deployment_type=DeploymentType.SCRATCH_2, storage_capacity_gib=capacity.value_as_number)
    Template.from_stack(stack).has_resource_properties("AWS::FSx::FileSystem", {"StorageCapacity": {"Ref": "Capacity"}})


def findings(**changed: Any) -> list[str]:
    settings = {"storage_type": StorageType.SSD, "per_unit_storage_throughput": None, "efa_enabled": False} | changed
    return [finding.id for finding in file_system_findings(FileSystemSettings(**settings))]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (PERSISTENT | {"storage_capacity_gib": 2400}, []),
        (PERSISTENT | {"storage_capacity_gib": 2399}, ["FILE_SYSTEM_ILLEGAL"]),
        (PERSISTENT | {"storage_capacity_gib": 2401}, ["FILE_SYSTEM_ILLEGAL"]),
        (PERSISTENT | {"per_unit_storage_throughput": 333}, ["FILE_SYSTEM_ILLEGAL"]),
        (PERSISTENT | {"per_unit_storage_throughput": None}, ["THROUGHPUT_REQUIRED"]),
        (PERSISTENT | {"per_unit_storage_throughput": None, "unknown": {"per_unit_storage_throughput"}}, []),
        (EFA | {"storage_capacity_gib": 4800}, ["FILE_SYSTEM_ILLEGAL"]),
        (SCRATCH | {"efa_enabled": True}, ["FILE_SYSTEM_ILLEGAL"]),
        (SCRATCH | {"metadata_iops": 1500}, ["METADATA_NEEDS_PERSISTENT_2"]),
        (PERSISTENT | {"metadata_iops": 6000}, []),
        (PERSISTENT | {"metadata_iops": 3000}, ["METADATA_IOPS_BELOW_AUTOMATIC"]),
        (PERSISTENT | {"metadata_iops": 11999}, ["METADATA_IOPS_ILLEGAL"]),
        (PERSISTENT | {"metadata_iops": 192000}, []),
        (PERSISTENT | {"metadata_iops": 204000}, ["METADATA_IOPS_ILLEGAL"]),
        (SCRATCH | {"customer_key": True}, ["KEY_NEEDS_PERSISTENT"]),
        (PERSISTENT | {"customer_key": True}, []),
        (SCRATCH | {"automatic_backup_retention_days": 1}, ["BACKUPS_NEED_PERSISTENT"]),
        (SCRATCH | {"automatic_backup_retention_days": 0}, []),
        (PERSISTENT | {"automatic_backup_retention_days": 90}, []),
        (PERSISTENT | {"automatic_backup_retention_days": 91}, ["BACKUP_RETENTION_OUT_OF_RANGE"]),
        (PERSISTENT | {"automatic_backup_retention_days": -1}, ["BACKUP_RETENTION_OUT_OF_RANGE"]),
    ],
)
def test_f36_f45_f50_settings_are_refused_just_beyond_what_fsx_takes(
    settings: dict[str, Any], expected: list[str]
) -> None:
    assert findings(**settings) == expected


def test_a_refusal_says_value_limits_and_nearest_legal_and_leaves_nothing_behind(stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"storage_capacity_gib must be .*nearest legal: 2400 or 4800.*got 3600"):
        build(stack, **(PERSISTENT | {"storage_capacity_gib": 3600}))
    assert stack.node.try_find_child("FileSystem") is None


def test_size_is_alone_or_given_in_full(stack: Stack, guide_plan: Plan) -> None:
    with pytest.raises(ValueError, match="size must be alone"):
        build(stack, size=guide_plan.choice, storage_capacity_gib=4800)
    with pytest.raises(ValueError, match="must be given"):
        build(Stack(stack.node.root, "other"))  # type: ignore[arg-type]


def test_attributes_are_what_a_client_mounts(templates: dict[str, Template]) -> None:
    outputs = templates["storage"].to_json()["Outputs"]
    [logical_id] = templates["storage"].find_resources("AWS::FSx::FileSystem")
    assert outputs["FileSystemId"]["Value"] == {"Ref": logical_id}
    assert outputs["MountName"]["Value"] == {"Fn::GetAtt": [logical_id, "LustreMountName"]}
    assert json.dumps(outputs["DnsName"]["Value"]).count(".fsx.") == 1


@pytest.mark.parametrize(
    "family",
    [family for family in families() if not family.efa_enabled],
    ids=lambda family: f"{family.price_item}",
)
def test_the_l2_of_aws_cdk_accepts_each_smallest_and_next_size(stack: Stack, family: Any) -> None:
    vpc = ec2.Vpc(stack, "Vpc", max_azs=1)
    for capacity in list(family.capacities_gib(15_000))[:4]:
        fsx.LustreFileSystem(
            stack,
            f"Accepted{capacity}",
            vpc=vpc,
            vpc_subnet=vpc.private_subnets[0],
            storage_capacity_gib=capacity,
            storage_type=fsx.StorageType[family.storage_type],
            file_system_type_version=fsx.FileSystemTypeVersion.V_2_15,
            lustre_configuration=fsx.LustreConfiguration(
                deployment_type=fsx.LustreDeploymentType[family.deployment_type],
                per_unit_storage_throughput=family.per_unit_storage_throughput,
            ),
        )


@pytest.mark.parametrize("target", ["10 s", "30 s", "5 min", "1 h"])
def test_f52_what_is_planned_can_be_built(stack: Stack, guide: Workload, target: str) -> None:
    document = guide.model_dump(mode="json", exclude_none=True) | {"epoch": {"target": target}}
    choice: Choice | None = plan(Workload.model_validate(document)).choice
    assert choice is not None
    template_of(stack, size=choice).resource_count_is("AWS::FSx::FileSystem", 1)
