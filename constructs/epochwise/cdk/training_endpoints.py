"""Endpoints by which a training network reaches S3 and, where it has no NAT gateway, other services."""

import re
from collections.abc import Iterable, Mapping, Sequence

from aws_cdk import Aws
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct

from epochwise.catalog.network_ports import HTTPS
from epochwise.cdk.security_group_rules import add_rule, is_created_here

INTERFACE_ENDPOINTS: tuple[ec2.IInterfaceVpcEndpointService, ...] = (
    ec2.InterfaceVpcEndpointAwsService.SAGEMAKER_API,
    ec2.InterfaceVpcEndpointAwsService.ECR,
    ec2.InterfaceVpcEndpointAwsService.ECR_DOCKER,
    ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
    ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_MONITORING,
    ec2.InterfaceVpcEndpointAwsService.STS,
)
"""What training code may call, when no NAT gateway leads out: `checks.vpc.DEFAULT_ENDPOINTS`."""
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


def add_interface_endpoints(
    scope: Construct,
    *,
    vpc: ec2.IVpc,
    subnet: ec2.ISubnet,
    services: Mapping[str, ec2.IInterfaceVpcEndpointService],
    clients: Sequence[ec2.ISecurityGroup],
) -> dict[str, ec2.InterfaceVpcEndpoint]:
    """Create interface endpoints in the subnet, open to the clients' groups on TCP 443 and to nobody else.

    A client's group that the app creates gets the way out as well; an imported one is left as it is.
    """
    group = ec2.SecurityGroup(
        scope,
        "EndpointSecurityGroup",
        vpc=vpc,
        description="Interface endpoints: HTTPS from the training nodes",
        allow_all_outbound=False,
        disable_inline_rules=True,
    )
    for index, client in enumerate(clients):
        for owner, other, outwards in ((client, group, True), (group, client, False)):
            if not outwards or is_created_here(client):
                add_rule(
                    scope,
                    f"Endpoint{index + 1 if index else ''}",
                    owner_id=owner.security_group_id,
                    other_id=other.security_group_id,
                    ports=HTTPS,
                    outwards=outwards,
                    description="Service endpoints from the training nodes",
                )
    return {
        name: ec2.InterfaceVpcEndpoint(
            scope,
            _construct_id(name),
            vpc=vpc,
            service=service,
            subnets=ec2.SubnetSelection(subnets=[subnet]),
            security_groups=[group],
            open=False,
            private_dns_enabled=True,
        )
        for name, service in services.items()
    }


def _construct_id(service_name: str) -> str:
    """Return the id of a service's endpoint, which stays the same whatever else is in the list.

    >>> _construct_id("sagemaker.api"), _construct_id("ecr.dkr"), _construct_id("logs")
    ('SageMakerApi', 'EcrDocker', 'Logs')
    """
    words = "".join(part.capitalize() for part in re.split(r"[^a-z0-9]+", service_name.lower()))
    return _CONSTRUCT_IDS.get(service_name, words)
