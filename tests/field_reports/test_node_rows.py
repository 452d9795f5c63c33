"""What people who launch EC2 nodes with EFA ran into, and what is true of this library; each test names its row."""

import json
from typing import Any

import pytest
from aws_cdk import CfnParameter, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from aws_cdk.assertions import Annotations, Match, Template
from cfnlint import api
from cfnlint.config import ManualArgs

from epochwise.cdk.node_launch_template import NodeLaunchTemplate
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import EFA, build

RESERVATION = "cr-0123456789abcdef0"


@pytest.fixture
def network(stack: Stack) -> TrainingNetwork:
    return TrainingNetwork(stack, "Network", nodes=4, instance_type="p5.48xlarge")


def launched(stack: Stack, network: TrainingNetwork, **settings: Any) -> dict[str, Any]:
    NodeLaunchTemplate(stack, "Nodes", network=network, **({"instance_type": "p5.48xlarge"} | settings))
    [resource] = Template.from_stack(stack).find_resources("AWS::EC2::LaunchTemplate").values()
    return dict(resource["Properties"]["LaunchTemplateData"])


@pytest.mark.parametrize(
    ("instance_type", "cards", "first"),
    [
        ("p5.48xlarge", list(range(32)), "efa"),
        ("ml.p4d.24xlarge", [0, 1, 2, 3], "efa"),
        ("c7gn.16xlarge", [0], "efa"),
        ("i7ie.48xlarge", [0], "efa"),
        ("p6-b300.48xlarge", list(range(17)), "interface"),
        ("p6e-gb200.36xlarge", [0, 1, 5, 9, 13], "interface"),
        ("m7i.large", [0], "interface"),
    ],
)
def test_f31_every_card_with_efa_has_an_interface_in_the_networks_subnet_and_groups(
    stack: Stack, network: TrainingNetwork, instance_type: str, cards: list[int], first: str
) -> None:
    """CDK's launch template drops network interfaces and knows no EFA; most cards of a node then stay idle."""
    interfaces = launched(stack, network, instance_type=instance_type)["NetworkInterfaces"]
    assert [each["NetworkCardIndex"] for each in interfaces] == cards
    assert [each["DeviceIndex"] for each in interfaces] == [0] + [1] * (len(cards) - 1)
    assert [each["InterfaceType"] for each in interfaces] == [first] + ["efa-only"] * (len(cards) - 1)
    [group] = network.security_groups
    for each in interfaces:
        assert each["SubnetId"] == stack.resolve(network.private_subnet.subnet_id)
        assert each["Groups"] == [stack.resolve(group.security_group_id)]
        assert "AssociatePublicIpAddress" not in each


def test_f31_nodes_are_in_one_cluster_placement_group(stack: Stack, network: TrainingNetwork) -> None:
    """The placement group was lost on the way to the instances."""
    placement = launched(stack, network)["Placement"]
    template = Template.from_stack(stack)
    [group] = template.find_resources("AWS::EC2::PlacementGroup", {"Properties": {"Strategy": "cluster"}})
    assert placement == {"GroupName": {"Ref": group}}


def test_f31_a_template_with_all_of_it_is_legal(stack: Stack, network: TrainingNetwork) -> None:
    """What mounts a file system over EFA starts from one template."""
    storage = build(stack, vpc=network.vpc, subnet=network.private_subnet, **EFA)
    storage.connections.allow_default_port_from(network)
    role = iam.Role(stack, "Role", assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"))
    data = launched(
        stack,
        network,
        image=ec2.MachineImage.latest_amazon_linux2023(),
        user_data=storage.user_data(efa=True, instance_type="p5.48xlarge"),
        instance_profile=iam.InstanceProfile(stack, "Profile", role=role),
        capacity_reservation_id=RESERVATION,
        capacity_block=True,
    )
    assert data["MetadataOptions"] == {"HttpTokens": "required"}
    assert data["InstanceMarketOptions"] == {"MarketType": "capacity-block"}
    text = json.dumps(Template.from_stack(stack).to_json())
    assert [str(match) for match in api.lint(text, config=ManualArgs())] == []


def test_f31_a_type_without_efa_is_warned_about_and_one_that_is_not_there_refused(
    stack: Stack, network: TrainingNetwork
) -> None:
    """Who asks for EFA where there is none hears of it before a job hangs."""
    launched(stack, network, instance_type="m7i.large")
    Annotations.from_stack(stack).has_warning("/test/Nodes", Match.string_like_regexp("INSTANCE_TYPE_WITHOUT_EFA"))
    with pytest.raises(ValueError, match=r"got 'p5\.49xlarge'; nearest: .*\[INSTANCE_TYPE_UNKNOWN\]"):
        NodeLaunchTemplate(stack, "Other", network=network, instance_type="p5.49xlarge")
    assert stack.node.try_find_child("Other") is None


def test_f33_nodes_are_launched_into_a_reservation_that_is_named(stack: Stack, network: TrainingNetwork) -> None:
    """There was no way to name a targeted reservation; whether it fits, only a look at the account tells."""
    data = launched(stack, network, capacity_reservation_id=RESERVATION)
    assert data["CapacityReservationSpecification"] == {
        "CapacityReservationTarget": {"CapacityReservationId": RESERVATION}
    }
    assert "InstanceMarketOptions" not in data
    ask = f"describe-capacity-reservations --capacity-reservation-ids {RESERVATION}"
    Annotations.from_stack(stack).has_warning("/test/Nodes", Match.string_like_regexp(ask))


def test_f33_a_reservation_that_only_the_deploy_knows_is_passed_on(stack: Stack, network: TrainingNetwork) -> None:
    """An id from a parameter is judged by nobody before the deploy."""
    given = CfnParameter(stack, "Reservation").value_as_string
    data = launched(stack, network, capacity_reservation_id=given, capacity_block=True)
    target = data["CapacityReservationSpecification"]["CapacityReservationTarget"]
    assert target == {"CapacityReservationId": {"Ref": "Reservation"}}


@pytest.mark.parametrize(
    ("settings", "finding"),
    [
        ({"capacity_reservation_id": "my-reservation"}, "got 'my-reservation'; .*CAPACITY_RESERVATION_ID_INVALID"),
        ({"capacity_block": True}, "got None; .*CAPACITY_BLOCK_WITHOUT_ID"),
    ],
)
def test_f33_a_reservation_that_cannot_be_is_refused(
    stack: Stack, network: TrainingNetwork, settings: dict[str, Any], finding: str
) -> None:
    """A name is no id, and a Capacity Block has one."""
    with pytest.raises(ValueError, match=finding):
        NodeLaunchTemplate(stack, "Nodes", network=network, instance_type="p5.48xlarge", **settings)


def test_f32_a_managed_node_group_of_eks_takes_the_template_and_names_the_networks_subnet(
    stack: Stack, network: TrainingNetwork
) -> None:
    """EFA for managed node groups was asked for; their templates must not name a subnet or an instance profile."""
    storage = build(stack, vpc=network.vpc, subnet=network.private_subnet, **EFA)
    user_data = ec2.MultipartUserData()
    user_data.add_user_data_part(ec2.UserData.for_linux(), ec2.MultipartBody.SHELL_SCRIPT, True)
    storage.add_to_user_data(user_data, efa=True, instance_type="p5.48xlarge")
    nodes = NodeLaunchTemplate(
        stack, "Nodes", network=network, instance_type="p5.48xlarge", user_data=user_data, node_group=True
    )
    eks.CfnNodegroup(
        stack,
        "NodeGroup",
        cluster_name="training",
        node_role="arn:aws:iam::123456789012:role/nodes",
        subnets=[network.private_subnet.subnet_id],
        launch_template=eks.CfnNodegroup.LaunchTemplateSpecificationProperty(
            id=nodes.launch_template_id, version=nodes.latest_version
        ),
    )
    template = Template.from_stack(stack)
    [resource] = template.find_resources("AWS::EC2::LaunchTemplate").values()
    data = resource["Properties"]["LaunchTemplateData"]
    assert [each["InterfaceType"] for each in data["NetworkInterfaces"]] == ["efa"] + ["efa-only"] * 31
    assert not [each for each in data["NetworkInterfaces"] if "SubnetId" in each or not each["Groups"]]
    assert "IamInstanceProfile" not in data
    assert "mount-lustre-fsx" in json.dumps(data["UserData"])
    assert [str(match) for match in api.lint(json.dumps(template.to_json()), config=ManualArgs())] == []


def test_f32_what_eks_does_by_itself_is_refused_for_a_node_group(stack: Stack, network: TrainingNetwork) -> None:
    """EKS adds a part to user data unless the image is named, and makes the instance profile of the node role."""
    profile = iam.InstanceProfile.from_instance_profile_name(stack, "Profile", "nodes")
    own: list[tuple[dict[str, Any], str]] = [
        ({"user_data": ec2.UserData.for_linux()}, "NODE_GROUP_USER_DATA_NOT_MULTIPART"),
        ({"instance_profile": profile}, "NODE_GROUP_HAS_OWN_PROFILE"),
    ]
    for settings, finding in own:
        with pytest.raises(ValueError, match=finding):
            NodeLaunchTemplate(stack, "Own", network=network, instance_type="p5.48xlarge", node_group=True, **settings)
    image = ec2.MachineImage.latest_amazon_linux2023()
    assert "UserData" in launched(stack, network, user_data=ec2.UserData.for_linux(), image=image, node_group=True)
