"""Whether the VPC, the subnet and the groups that a file system is given belong together, as far as the app sees."""

from collections.abc import Iterable, Iterator

from aws_cdk import aws_ec2 as ec2

from epochwise.cdk.existing_vpc import name_of_vpc, see_subnet
from epochwise.cdk.same_vpc import client_vpc_findings, groups_of_other_vpcs, known_vpc
from epochwise.checks.finding import Finding, Level
from epochwise.checks.given_subnet import subnet_is_public, subnet_of_other_vpc


def place_findings(
    vpc: ec2.IVpc, subnet: ec2.ISubnet, *, servers: Iterable[ec2.ISecurityGroup], clients: Iterable[ec2.ISecurityGroup]
) -> Iterator[Finding]:
    """Yield every remark; warnings about clients are said where they are let in."""
    seen = see_subnet(subnet, vpc)
    yield from subnet_of_other_vpc(seen, name_of_vpc(vpc))
    yield from subnet_is_public(seen)
    yield from groups_of_other_vpcs("security_groups", servers, vpc)
    for client in clients:
        for finding in client_vpc_findings(client, known_vpc(vpc.vpc_id)):
            if finding.level is Level.ERROR:
                yield finding
