"""Endpoints by which a training network reaches S3 and, where it has no NAT gateway, other services."""

import re
from collections.abc import Iterable, Mapping, Sequence

from aws_cdk import Aws, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct

from epochwise.catalog.network_ports import HTTPS, Ports
from epochwise.cdk.same_vpc import known_vpc
from epochwise.cdk.security_group_rules import add_rule, is_created_here
from epochwise.checks.interface_endpoint import WantedEndpoint

INTERFACE_ENDPOINTS: tuple[ec2.IInterfaceVpcEndpointService, ...] = (
    ec2.InterfaceVpcEndpointAwsService.SAGEMAKER_API,
    ec2.InterfaceVpcEndpointAwsService.ECR,
    ec2.InterfaceVpcEndpointAwsService.ECR_DOCKER,
    ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
    ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_MONITORING,
    ec2.InterfaceVpcEndpointAwsService.STS,
)
"""What training code may call, when no NAT gateway leads out: `checks.vpc.DEFAULT_ENDPOINTS`."""
_TOKEN = re.compile(r"\$\{Token\[[^]]*\]\}")
_CONSTRUCT_IDS = {
    "sagemaker.api": "SageMakerApi",
    "ecr.dkr": "EcrDocker",
}


def add_s3_endpoint(vpc: ec2.Vpc) -> ec2.GatewayVpcEndpoint:
    """Add the gateway endpoint of S3, open to the account's own principals and to two places that all may read.

    Buckets are not named: a network does not know which ones its jobs will use, and the job's role names them. What
    the endpoint keeps out is foreign credentials and S3's administration. Without credentials it serves the layers of
    ECR's images and Amazon Linux's packages; add a statement for other open data.

    Source: VPC User Guide, vpc-endpoints-s3; ECR User Guide, vpc-endpoints (bucket of image layers).
    """
    endpoint = vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
    endpoint.add_to_policy(
        iam.PolicyStatement(
            sid="OwnPrincipals",
            principals=[iam.AnyPrincipal()],
            actions=[
                "s3:AbortMultipartUpload",
                "s3:DeleteObject",
                "s3:GetBucketLocation",
                "s3:GetObject*",
                "s3:ListBucket*",
                "s3:ListMultipartUploadParts",
                "s3:PutObject*",
            ],
            resources=["*"],
            conditions={"StringEquals": {"aws:PrincipalAccount": Aws.ACCOUNT_ID}},
        )
    )
    endpoint.add_to_policy(
        iam.PolicyStatement(
            sid="ImageLayersAndPackages",
            principals=[iam.AnyPrincipal()],
            actions=["s3:GetObject"],
            resources=[
                f"arn:{Aws.PARTITION}:s3:::{bucket}/*"
                for bucket in (
                    f"prod-{Aws.REGION}-starport-layer-bucket",
                    f"amazonlinux-2-repos-{Aws.REGION}",
                    f"al2023-repos-{Aws.REGION}-de612dc2",
                )
            ],
        )
    )
    return endpoint


def by_name(
    services: Iterable[ec2.IInterfaceVpcEndpointService],
) -> dict[str, ec2.IInterfaceVpcEndpointService]:
    """Return services once each, by what they are called for a person: sts, without Region and domain around it."""
    return {
        service.short_name if isinstance(service, ec2.InterfaceVpcEndpointAwsService) else service.name: service
        for service in services
    }


def wanted_endpoints(
    services: Mapping[str, ec2.IInterfaceVpcEndpointService], scope: Construct
) -> list[WantedEndpoint]:
    """Return endpoints as the checks see them."""
    return [
        WantedEndpoint(
            # a Region that only the deploy knows is left out of the name
            name=_without_tokens(name) or name,
            service=_resolved(service.name, scope),
            private_dns=_is_private(service),
            port=_port(service),
            construct_id=_construct_id(name),
        )
        for name, service in services.items()
    ]


def standing_endpoints(vpc: ec2.IVpc) -> list[WantedEndpoint]:
    """Return the interface endpoints that the app makes in a VPC so far, each by its place in the app."""
    home = known_vpc(vpc.vpc_id)
    if home is None:
        return []
    return [
        WantedEndpoint(
            name=each.node.path.removesuffix("/Resource"),
            service=_resolved(each.service_name, each),
            private_dns=each.private_dns_enabled is True,
        )
        for each in vpc.node.root.node.find_all()
        if isinstance(each, ec2.CfnVPCEndpoint)
        and each.vpc_endpoint_type == "Interface"
        and known_vpc(each.vpc_id) == home
    ]


def add_interface_endpoints(
    scope: Construct,
    *,
    vpc: ec2.IVpc,
    subnet: ec2.ISubnet,
    services: Mapping[str, ec2.IInterfaceVpcEndpointService],
    clients: Sequence[ec2.ISecurityGroup],
) -> dict[str, ec2.InterfaceVpcEndpoint]:
    """Create interface endpoints in the subnet, open to the clients' groups on their services' ports alone.

    A client's group that the app creates gets the way out as well; an imported one is left as it is. A service's own
    name leads to its endpoint where the service has one: AWS's have, those of others unless they say so have not.
    """
    group = ec2.SecurityGroup(
        scope,
        "EndpointSecurityGroup",
        vpc=vpc,
        description="Interface endpoints: HTTPS from the training nodes",
        allow_all_outbound=False,
        disable_inline_rules=True,
    )
    opened = [_opened(port) for port in sorted({_port(service) or 0 for service in services.values()})]
    for index, client in enumerate(clients):
        for owner, other, outwards in ((client, group, True), (group, client, False)):
            if not outwards or is_created_here(client):
                for ports in opened:
                    add_rule(
                        scope,
                        f"Endpoint{index + 1 if index else ''}",
                        owner_id=owner.security_group_id,
                        other_id=other.security_group_id,
                        ports=ports,
                        outwards=outwards,
                        description="Service endpoints from the training nodes",
                    )
    return {
        name: ec2.InterfaceVpcEndpoint(
            scope,
            _free_id(scope, _construct_id(name)),
            vpc=vpc,
            service=service,
            subnets=ec2.SubnetSelection(subnets=[subnet]),
            security_groups=[group],
            open=False,
            private_dns_enabled=_is_private(service),
        )
        for name, service in services.items()
    }


def _opened(port: int) -> Ports:
    """Return the port of a service as a rule opens it."""
    return HTTPS if port == HTTPS.from_port else Ports(f"Tcp{port}", "tcp", port, port)


def _port(service: ec2.IInterfaceVpcEndpointService) -> int | None:
    """Return the port of a service, None where it is no whole number that is known when the app runs."""
    port: object = service.port
    return int(port) if isinstance(port, int | float) and float(port).is_integer() and abs(port) < 2**31 else None


def _is_private(service: ec2.IInterfaceVpcEndpointService) -> bool:
    """Tell whether the service's own name is to lead to its endpoint; a service that says nothing has such a name."""
    return service.private_dns_default is not False


def _without_tokens(name: str) -> str:
    """Return a name without what only the deploy knows of it.

    >>> _without_tokens("com.amazonaws.${Token[AWS.Region.4]}.sts"), _without_tokens("${Token[AWS.Region.4]}")
    ('com.amazonaws.sts', '')
    """
    return re.sub(r"\.{2,}", ".", _TOKEN.sub("", name)).strip(".") if _TOKEN.search(name) else name


def _resolved(name: str | None, scope: Construct) -> str:
    """Return a service's name as the template has it, so that names with the same references are the same."""
    return str(Stack.of(scope).resolve(name))


def _free_id(scope: Construct, construct_id: str) -> str:
    """Return the id of an endpoint, with a word more where a construct of the network has that id."""
    return construct_id if scope.node.try_find_child(construct_id) is None else f"{construct_id}Endpoint"


def _construct_id(service_name: str) -> str:
    """Return the id of a service's endpoint, which stays the same whatever else is in the list.

    >>> _construct_id("sagemaker.api"), _construct_id("ecr.dkr"), _construct_id("logs")
    ('SageMakerApi', 'EcrDocker', 'Logs')
    """
    known = _without_tokens(service_name)
    words = "".join(part.capitalize() for part in re.split(r"[^a-z0-9]+", known.lower()))
    return _CONSTRUCT_IDS.get(known, words)
