"""Interface endpoints of training networks: their ports, their names, and one of each service in a VPC."""

from typing import Any

import pytest
from aws_cdk import Aws, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import imported_vpc

AWS = ec2.InterfaceVpcEndpointAwsService
OTHER = ec2.InterfaceVpcEndpointService
OWN = "com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0"


def network(
    stack: Stack, *services: ec2.IInterfaceVpcEndpointService, vpc: ec2.IVpc | None = None, name: str = "Network"
) -> TrainingNetwork:
    found: Any = vpc or stack.node.try_find_child("Vpc") or imported_vpc(stack)
    return TrainingNetwork(
        stack, name, vpc=found, nodes=4, instance_type="ml.p4d.24xlarge", interface_endpoints=list(services)
    )


def test_an_endpoint_is_open_on_its_services_port_and_private_where_the_service_has_a_name(stack: Stack) -> None:
    made = network(stack, AWS.STS, OTHER(OWN, 8443), OTHER(f"com.amazonaws.{Aws.REGION}.bedrock"))
    template = Template.from_stack(stack)
    private = {
        str(each["Properties"]["ServiceName"]): each["Properties"]["PrivateDnsEnabled"]
        for each in template.find_resources("AWS::EC2::VPCEndpoint").values()
    }
    assert [private[name] for name in private if ".sts" in name] == [True]
    assert private[OWN] is False
    opened = {
        (each["Properties"]["FromPort"], each["Properties"]["ToPort"])
        for each in template.find_resources("AWS::EC2::SecurityGroupIngress").values()
        if each["Properties"]["Description"].startswith("Service endpoints")
    }
    assert opened == {(443, 443), (8443, 8443)}
    ids = {child.node.id for child in made.node.children}
    assert {"Sts", "ComAmazonawsBedrock", "ComAmazonawsVpceUsEast1VpceSvc0123456789abcdef0"} <= ids


@pytest.mark.parametrize(
    ("services", "says"),
    [
        ([OTHER("")], "got ''; .*INTERFACE_ENDPOINT_NAME_INVALID"),
        ([OTHER("--")], "got '--'; .*INTERFACE_ENDPOINT_NAME_INVALID"),
        ([OTHER(Aws.REGION)], "got a token, .*INTERFACE_ENDPOINT_NAME_INVALID"),
        ([OTHER(OWN, 70_000)], "1 to 65535, got 70000; .*INTERFACE_ENDPOINT_PORT_INVALID"),
        ([OTHER(OWN, Token.as_number({"Ref": "Port"}))], "got one that only .*INTERFACE_ENDPOINT_PORT_INVALID"),
        ([OTHER("a.b"), OTHER("a-b")], r"got a\.b and a-b; leave a-b out .*INTERFACE_ENDPOINTS_ALIKE"),
    ],
)
def test_a_service_that_cannot_be_reached_by_an_endpoint_is_refused(
    stack: Stack, services: list[ec2.IInterfaceVpcEndpointService], says: str
) -> None:
    imported_vpc(stack)
    with pytest.raises(ValueError, match=says):
        network(stack, *services)
    assert stack.node.try_find_child("Network") is None


def test_a_service_that_is_called_like_a_part_of_the_network_gets_an_id_beside_it(stack: Stack) -> None:
    made = network(stack, AWS("endpoint-security-group"))
    assert made.node.try_find_child("EndpointSecurityGroupEndpoint") is not None


def test_a_second_private_endpoint_of_a_service_in_a_vpc_is_refused_whoever_made_the_first(stack: Stack) -> None:
    network(stack, AWS.STS)
    later = Stack(stack.node.root, "later")  # type: ignore[arg-type]
    for where in (stack, later):
        says = r"names sts, of which vpc vpc-\w+ has one with private DNS already: test/Network/Sts; .*_STANDING\]"
        with pytest.raises(ValueError, match=says):
            network(where, AWS.STS, name="Second")
        network(where, AWS.ECR if where is stack else AWS.CLOUDWATCH_LOGS, name="Second")
    created = ec2.Vpc(stack, "Created", max_azs=1)
    created.add_interface_endpoint("Mine", service=AWS.STS)
    with pytest.raises(ValueError, match=r"already: test/Created/Mine; "):
        network(stack, AWS.STS, vpc=created, name="Third")
    network(stack, OTHER(OWN), vpc=created, name="Third")
    network(stack, OTHER(OWN), vpc=created, name="Fourth")
