"""Security groups of a file system that is created or that others own, given or made, changeable or not."""

from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Annotations, Match, Template

from epochwise.cdk.imported_file_system import ImportedTrainingFileSystem
from epochwise.cdk.training_file_system import TrainingFileSystem
from tests.cdk.file_systems import EFA, FILE_SYSTEM, PERSISTENT_2, SCRATCH_2, build, imported_vpc
from tests.cdk.rules import rules_of

SERVERS, CLIENTS = "sg-0123456789abcdef0", "sg-0fedcba9876543210"
NAMES = {SERVERS: "servers", CLIENTS: "clients"}
ATTRIBUTES: dict[str, Any] = {
    "file_system_id": "fs-0123456789abcdef0",
    "dns_name": "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
    "mount_name": "abcdefgh",
}


def group(stack: Stack, group_id: str, *, mutable: bool = True, construct_id: str = "") -> ec2.ISecurityGroup:
    return ec2.SecurityGroup.from_security_group_id(stack, construct_id or group_id, group_id, mutable=mutable)


def pairs(*directions: tuple[str, str], owners: set[str] | None = None) -> set[Any]:
    """Return the rules of Lustre from each source to each target, of the groups that can be changed."""
    owners = owners or {"servers", "clients"}
    return {
        rule
        for source, target in directions
        for first, last in ((988, 988), (1018, 1023))
        for rule in (
            ("Egress", source, target, "tcp", first, last),
            ("Ingress", target, source, "tcp", first, last),
        )
        if rule[1] in owners
    }


BOTH_WAYS = [("servers", "clients"), ("clients", "servers")]


def test_given_groups_get_the_rules_of_the_servers_and_no_other_group_is_made(stack: Stack) -> None:
    build(stack, **SCRATCH_2, security_groups=[group(stack, SERVERS)], client_security_groups=[group(stack, CLIENTS)])
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::SecurityGroup", 0)
    template.has_resource_properties(FILE_SYSTEM, {"SecurityGroupIds": [SERVERS]})
    assert rules_of(template, NAMES) == pairs(("servers", "servers"), *BOTH_WAYS)
    assert not Annotations.from_stack(stack).find_warning("*", Match.any_value())


def test_the_first_group_that_can_be_changed_gets_the_rules(stack: Stack) -> None:
    closed = group(stack, "sg-00000000000000000", mutable=False)
    build(stack, **SCRATCH_2, security_groups=[closed, group(stack, SERVERS)])
    assert rules_of(Template.from_stack(stack), NAMES) == pairs(("servers", "servers"))


def test_groups_that_cannot_be_changed_get_no_rules_and_a_warning(stack: Stack) -> None:
    build(
        stack,
        **SCRATCH_2,
        security_groups=[group(stack, SERVERS, mutable=False)],
        client_security_groups=[group(stack, CLIENTS)],
    )
    assert rules_of(Template.from_stack(stack), NAMES) == pairs(*BOTH_WAYS, owners={"clients"})
    assert Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("SERVER_RULES_UNSEEN"))


def test_a_client_that_cannot_be_changed_is_let_in_and_its_side_warned_about(stack: Stack) -> None:
    build(stack, **SCRATCH_2, client_security_groups=[group(stack, CLIENTS, mutable=False)])
    names = {"FileSystemSecurityGroup": "servers", CLIENTS: "clients"}
    rules = rules_of(Template.from_stack(stack), names)
    assert rules == pairs(("servers", "servers"), *BOTH_WAYS, owners={"servers"})
    assert Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("CLIENT_RULES_UNSEEN"))


def test_a_group_that_is_imported_twice_is_one_client(stack: Stack) -> None:
    file_system = build(stack, **EFA, client_security_groups=[group(stack, CLIENTS)])
    before = len(stack.node.find_all())
    file_system.allow_client(group(stack, CLIENTS, construct_id="Again"))
    assert len(stack.node.find_all()) == before + 1


def test_the_servers_own_group_is_no_client_of_its_own(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    before = len(stack.node.find_all())
    file_system.allow_client(file_system.security_group)
    assert len(stack.node.find_all()) == before


def test_f8_rules_through_connections_come_before_the_file_system_too(stack: Stack) -> None:
    file_system = build(stack, **SCRATCH_2)
    file_system.connections.allow_from(group(stack, CLIENTS), ec2.Port.tcp(1017))
    template = Template.from_stack(stack)
    added = template.find_resources(
        "AWS::EC2::SecurityGroupIngress", {"Properties": {"SourceSecurityGroupId": CLIENTS, "FromPort": 1017}}
    )
    [resource] = template.find_resources(FILE_SYSTEM).values()
    assert len(added) == 1
    assert set(added) <= set(resource["DependsOn"])


@pytest.mark.parametrize(("settings", "protocol"), [(SCRATCH_2, "tcp"), (EFA, "-1")], ids=["Lustre", "EFA"])
def test_connections_open_what_the_file_system_needs(stack: Stack, settings: dict[str, Any], protocol: str) -> None:
    build(stack, **settings).connections.allow_default_port_from(group(stack, CLIENTS))
    Template.from_stack(stack).has_resource_properties(
        "AWS::EC2::SecurityGroupIngress", {"SourceSecurityGroupId": CLIENTS, "IpProtocol": protocol}
    )


class TestImported:
    def build(self, stack: Stack, *, efa: bool = False, mutable: bool = True) -> ImportedTrainingFileSystem:
        servers = [group(stack, SERVERS, mutable=mutable)]
        return TrainingFileSystem.from_attributes(
            stack, "FileSystem", **ATTRIBUTES, security_groups=servers, efa_enabled=efa
        )

    def test_is_what_was_given_and_no_resource(self, stack: Stack) -> None:
        file_system = self.build(stack)
        assert (file_system.file_system_id, file_system.mount_name) == ("fs-0123456789abcdef0", "abcdefgh")
        assert not file_system.efa_enabled
        assert Template.from_stack(stack).to_json().get("Resources", {}) == {}

    @pytest.mark.parametrize(("mutable", "owners"), [(True, {"servers", "clients"}), (False, {"clients"})])
    def test_gets_rules_where_its_groups_can_be_changed(self, stack: Stack, mutable: bool, owners: set[str]) -> None:
        self.build(stack, mutable=mutable).allow_client(group(stack, CLIENTS))
        assert rules_of(Template.from_stack(stack), NAMES) == pairs(*BOTH_WAYS, owners=owners)

    def test_f16_lets_clients_in_on_all_ports_for_efa(self, stack: Stack) -> None:
        file_system = self.build(stack, efa=True)
        file_system.allow_client(group(stack, CLIENTS))
        file_system.allow_client(group(stack, CLIENTS, construct_id="Again"))
        rules = rules_of(Template.from_stack(stack), NAMES)
        assert rules == {
            (direction, *sides, "-1", None, None) for direction in ("Egress", "Ingress") for sides in BOTH_WAYS
        }

    @pytest.mark.parametrize(
        ("attribute", "value", "finding"),
        [
            ("file_system_id", "fs-0123456", "FILE_SYSTEM_ID_INVALID"),
            ("file_system_id", "fs-01234567", "HOST_OF_OTHER_FILE_SYSTEM"),
            ("file_system_id", "${Token[FileSystem.1]}", None),
            ("file_system_id", "fs-0123456789ABCDEF0", "FILE_SYSTEM_ID_INVALID"),
            ("mount_name", "", "MOUNT_NAME_INVALID"),
            ("mount_name", "fsx", None),
            ("mount_name", "/fsx", "MOUNT_NAME_INVALID"),
            ("mount_name", "abcdefghi", "MOUNT_NAME_INVALID"),
            ("dns_name", "fs.example", "DNS_NAME_INVALID"),
            ("dns_name", "10.0.0.7", None),
            ("dns_name", "lustre.example.com", None),
            (
                "dns_name",
                "fs-01234567.fsx.us-east-1.amazonaws.com",
                "must be that of fs-0123456789abcdef0, got the one",
            ),
            ("dns_name", "fs-01234567.fsx.us-east-1.amazonaws.com/fsx", "DNS_NAME_INVALID"),
            ("efa_enabled", "yes", "SETTING_OF_WRONG_KIND"),
            ("security_groups", [], "FILE_SYSTEM_GROUPS_OUT_OF_RANGE"),
            ("security_groups", [SERVERS], "CONSTRUCT_OF_WRONG_KIND"),
        ],
    )
    def test_attributes_are_checked_by_their_patterns(
        self, stack: Stack, attribute: str, value: Any, finding: str | None
    ) -> None:
        given = ATTRIBUTES | {"security_groups": [group(stack, SERVERS)]} | {attribute: value}
        if finding is None:
            TrainingFileSystem.from_attributes(stack, "FileSystem", **given)
            return
        with pytest.raises(ValueError, match=finding):
            TrainingFileSystem.from_attributes(stack, "FileSystem", **given)


def test_a_retained_one_keeps_the_rules_that_are_added_later(stack: Stack) -> None:
    file_system = build(stack, **PERSISTENT_2)
    file_system.allow_client(ec2.SecurityGroup(stack, "Late", vpc=imported_vpc(stack, "OtherVpc")))
    rules = [
        rule
        for direction in ("Ingress", "Egress")
        for rule in Template.from_stack(stack).find_resources(f"AWS::EC2::SecurityGroup{direction}").values()
    ]
    assert len(rules) == 12
    assert {rule["DeletionPolicy"] for rule in rules} == {"Retain"}


@pytest.mark.parametrize(("settings", "policy"), [(PERSISTENT_2, "Retain"), (SCRATCH_2, None)])
def test_f11_a_retained_file_system_keeps_a_given_group_and_rules_that_others_made(
    stack: Stack, settings: dict[str, Any], policy: str | None
) -> None:
    vpc = imported_vpc(stack)
    servers, clients = (
        ec2.SecurityGroup(stack, name, vpc=vpc, allow_all_outbound=False) for name in ("Servers", "Clients")
    )
    servers.connections.allow_internally(ec2.Port.all_traffic())
    servers.connections.allow_from(clients, ec2.Port.all_traffic())
    build(stack, security_groups=[servers], client_security_groups=[clients], **settings)
    resources = Template.from_stack(stack).to_json()["Resources"]
    theirs = {
        name: resource.get("DeletionPolicy")
        for name, resource in resources.items()
        if "Servers" in name and resource["Type"].startswith("AWS::EC2::SecurityGroup")
    }
    assert len(theirs) >= 4
    assert set(theirs.values()) == {policy}


def test_f11_a_group_shared_with_a_scratch_file_system_keeps_its_rules_for_the_retained_one(stack: Stack) -> None:
    shared = ec2.SecurityGroup(stack, "Shared", vpc=imported_vpc(stack), allow_all_outbound=False)
    for construct_id, settings in (("Scratch", SCRATCH_2), ("Kept", PERSISTENT_2)):
        build(stack, construct_id, security_groups=[shared], **settings)
    rules = {
        **Template.from_stack(stack).find_resources("AWS::EC2::SecurityGroupIngress"),
        **Template.from_stack(stack).find_resources("AWS::EC2::SecurityGroupEgress"),
    }
    assert rules
    assert {rule["DeletionPolicy"] for rule in rules.values()} == {"Retain"}
