"""A job beside the network and the file system that it is given: what does not fit, and what connects them."""

import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Annotations, Match, Template

from epochwise import TrainingFileSystem, Workload, plan
from tests.cdk.jobs import changed, file_system_in, job_in, network_in, warned
from tests.cdk.rules import repeated_rules, rules_of

GROUPS = {"EfaSecurityGroup": "nodes", "FileSystemSecurityGroup": "servers"}
BETWEEN = {
    (direction, group, peer, "tcp", *ports)
    for direction in ("Ingress", "Egress")
    for group, peer in (("nodes", "servers"), ("servers", "nodes"))
    for ports in ((988, 988), (1018, 1023))
}
SOURCE = "s3://example-training-data/guide/"


@pytest.fixture
def unlinked(guide: Workload) -> Workload:
    """The guide with data that is copied instead of linked."""
    return changed(guide, dataset={"size": "100 GB"})


def test_the_nodes_are_made_clients_of_a_file_system_that_does_not_let_them_in(
    stack: Stack, unlinked: Workload
) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    assert not file_system.lets_in(network.efa_security_group)
    job_in(stack, unlinked, network, file_system)
    assert rules_of(Template.from_stack(stack), GROUPS) >= BETWEEN
    assert warned(stack) == set()


def test_nodes_that_are_clients_already_get_no_rule_twice(stack: Stack, unlinked: Workload) -> None:
    network = network_in(stack)
    job_in(stack, unlinked, network, file_system_in(stack, network, client_security_groups=network.security_groups))
    template = Template.from_stack(stack)
    assert rules_of(template, GROUPS) >= BETWEEN
    assert repeated_rules(template) == []


def test_rules_that_a_user_made_between_nodes_and_servers_are_left_alone(stack: Stack, unlinked: Workload) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    file_system.connections.allow_default_port_from(network.connections)
    job_in(stack, unlinked, network, file_system)
    template = Template.from_stack(stack)
    assert ("Ingress", "servers", "nodes", "tcp", 988, 988) in rules_of(template, GROUPS)
    assert repeated_rules(template) == []


def test_one_group_of_several_is_enough_since_every_node_has_all(stack: Stack, unlinked: Workload) -> None:
    vpc = ec2.Vpc(stack, "Vpc", max_azs=1)
    groups = [ec2.SecurityGroup(stack, name, vpc=vpc) for name in ("First", "Second")]
    network = network_in(stack, vpc=vpc, security_groups=groups)
    file_system = file_system_in(stack, network, client_security_groups=groups[1:])
    job_in(stack, unlinked, network, file_system)
    assert not file_system.lets_in(groups[0])


IMPORTED: dict[str, Any] = {
    "file_system_id": "fs-0123456789abcdef0",
    "dns_name": "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
    "mount_name": "abcdefgh",
}


@pytest.mark.parametrize("let_in", [True, False])
def test_an_imported_file_system_is_read_and_only_remarked_upon(stack: Stack, guide: Workload, let_in: bool) -> None:
    network = network_in(stack)
    servers = ec2.SecurityGroup.from_security_group_id(stack, "Servers", "sg-0servers")
    file_system = TrainingFileSystem.from_attributes(stack, "Theirs", security_groups=[servers], **IMPORTED)
    if let_in:
        file_system.allow_client(network.efa_security_group)
    job_in(stack, guide, network, file_system, file_system_path="/abcdefgh/train")
    unseen = set() if let_in else {"FILE_SYSTEM_CLIENTS_UNSEEN"}
    assert warned(stack) == {"FILE_SYSTEM_PATH_HAS_MOUNT_NAME"} | unseen
    text = json.dumps(Template.from_stack(stack).find_resources("AWS::StepFunctions::StateMachine"))
    assert "/abcdefgh/abcdefgh/train" in text
    assert IMPORTED["file_system_id"] in text


def test_a_file_system_of_another_vpc_is_refused(stack: Stack, guide: Workload) -> None:
    network = network_in(stack)
    other = ec2.Vpc(stack, "Other", max_azs=1)
    theirs = file_system_in(stack, network, vpc=other, subnet=other.private_subnets[0])
    with pytest.raises(
        ValueError, match=r"in vpc test/Other, and network in vpc test/Network.*FILE_SYSTEM_OF_OTHER_VPC"
    ):
        job_in(stack, guide, network, theirs)
    assert stack.node.try_find_child("Job") is None


@pytest.mark.parametrize(("vpc_id", "refused"), [("vpc-1", False), ("vpc-2", True)])
def test_imported_vpcs_are_told_apart_by_their_ids(
    stack: Stack, unlinked: Workload, vpc_id: str, refused: bool
) -> None:
    def imported(name: str, vpc_id: str) -> ec2.IVpc:
        return ec2.Vpc.from_vpc_attributes(stack, name, vpc_id=vpc_id, availability_zones=["us-east-1a"])

    subnet = ec2.Subnet.from_subnet_attributes(stack, "Subnet", subnet_id="subnet-1", availability_zone="us-east-1a")
    network = network_in(stack, vpc=imported("One", "vpc-1"), subnet=subnet)
    file_system = file_system_in(stack, network, vpc=imported("Two", vpc_id))
    if refused:
        with pytest.raises(ValueError, match="FILE_SYSTEM_OF_OTHER_VPC"):
            job_in(stack, unlinked, network, file_system)
    else:
        job_in(stack, unlinked, network, file_system)
        assert warned(stack) == set()


@pytest.mark.parametrize(
    ("zone", "ids"),
    [("us-east-1a", set()), ("us-east-1b", {"FILE_SYSTEM_IN_OTHER_SUBNET"}), (None, {"FILE_SYSTEM_IN_OTHER_SUBNET"})],
)
def test_a_file_system_in_another_zone_is_warned_about(
    stack: Stack, unlinked: Workload, zone: str | None, ids: set[str]
) -> None:
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Vpc", vpc_id="vpc-1", availability_zones=["us-east-1a"])

    def subnet(name: str, zone: str | None) -> ec2.ISubnet:
        return ec2.Subnet.from_subnet_attributes(stack, name, subnet_id=f"subnet-{name}", availability_zone=zone)

    network = network_in(stack, vpc=vpc, subnet=subnet("nodes", "us-east-1a"))
    job_in(stack, unlinked, network, file_system_in(stack, network, subnet=subnet("servers", zone)))
    assert warned(stack) == ids


def test_a_network_for_other_nodes_is_warned_about_and_one_that_cannot_hold_them_is_refused(
    stack: Stack, unlinked: Workload
) -> None:
    network = network_in(stack, nodes=2, subnet_prefix_length=26, file_system_servers=3)
    file_system = file_system_in(stack, network)
    # 59 addresses: 3 for file servers, 5 for each node
    with pytest.raises(ValueError, match=r"/26 has 59 addresses, 12 nodes of ml\.p4d\.24xlarge at 5 each and 3 file"):
        job_in(stack, unlinked, network, file_system, max_nodes=12)
    torchrun = changed(unlinked, training={"distribution": "torchrun"})
    with pytest.raises(ValueError, match=r"4 nodes of ml\.p5\.48xlarge at 33 each.*GIVEN_SUBNET_TOO_SMALL"):
        job_in(stack, torchrun, network, file_system, instance_types=["ml.p5.48xlarge"])
    job_in(stack, unlinked, network, file_system, max_nodes=11)
    assert warned(stack) == {"NETWORK_FOR_OTHER_NODES"}


@pytest.mark.parametrize(
    ("size", "ids"),
    [({}, {"PLAN_OF_OTHER_FILE_SYSTEM"}), ({"deployment_type": None, "storage_capacity_gib": None}, set())],
)
def test_a_file_system_that_was_not_planned_is_told_to_who_watches_its_ceiling(
    stack: Stack, unlinked: Workload, size: dict[str, Any], ids: set[str]
) -> None:
    workload = changed(unlinked, watch={"rules": ["StorageBottleneck"], "using": ["cloudwatch"]})
    network = network_in(stack)
    if size:
        size |= {"size": plan(workload).choice}
    job_in(stack, workload, network, file_system_in(stack, network, **size))
    assert warned(stack) == ids


@pytest.mark.parametrize(
    ("rule", "ids"), [("StorageBottleneck", {"STORAGE_CEILING_UNKNOWN"}), ("CpuBottleneck", set())]
)
def test_a_plan_without_a_file_system_is_told_to_who_watches_its_ceiling(
    stack: Stack, unlinked: Workload, rule: str, ids: set[str]
) -> None:
    workload = changed(unlinked, epoch={"target": 0.1}, watch={"rules": [rule], "using": ["cloudwatch"]})
    network = network_in(stack)
    job_in(stack, workload, network, file_system_in(stack, network))
    assert warned(stack) == ids


def test_a_dataset_that_is_not_linked_is_told_once_the_app_is_whole(stack: Stack, guide: Workload) -> None:
    network = network_in(stack)
    job_in(stack, guide, network, file_system_in(stack, network))
    assert warned(stack) == {"DATASET_NOT_LINKED"}


@pytest.mark.parametrize(("folder", "ids"), [("/", set()), ("/guide", {"DATASET_ELSEWHERE"})])
def test_a_link_that_comes_after_the_job_counts(stack: Stack, guide: Workload, folder: str, ids: set[str]) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    job_in(stack, guide, network, file_system)
    bucket = s3.Bucket.from_bucket_name(stack, "Data", "example-training-data")
    file_system.link_bucket(bucket, prefix="guide", file_system_path=folder)
    assert warned(stack) == ids


@pytest.mark.parametrize(("path", "ids"), [("/data/guide", set()), ("/data/other", {"DATASET_ELSEWHERE"})])
def test_the_rest_of_the_dataset_below_the_links_prefix_is_a_folder(
    stack: Stack, guide: Workload, path: str, ids: set[str]
) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    file_system.link_bucket(
        s3.Bucket.from_bucket_name(stack, "Data", "example-training-data"), file_system_path="/data"
    )
    job_in(stack, guide, network, file_system, file_system_path=path)
    assert warned(stack) == ids


def test_the_reference_apps_job_has_nothing_to_be_said_about_its_place(guide_stacks: dict[str, Stack]) -> None:
    annotations = Annotations.from_stack(guide_stacks["training"])
    found = annotations.find_warning("*", Match.any_value())
    assert {str(each.entry.data).rpartition("::")[2].rstrip("]") for each in found} == {"DEBUGGER_CLOSED"}
