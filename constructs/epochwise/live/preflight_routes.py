"""Whether a subnet that exists leads to S3, without which jobs hang."""

from typing import Any

from epochwise.checks.given_subnet import SeenSubnet, SubnetKind, no_way_to_s3, subnet_is_public
from epochwise.checks.preflight import Preflight, Verdict, judged
from epochwise.checks.vpc import SeenVpc
from epochwise.live.by_hand import aws_command, filters
from epochwise.live.given_network import has_subnet, subnet_of, vpc_filter
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import CannotTellError, Subject

_EVERYWHERE = "0.0.0.0/0"


def subnet_kind(routes: list[dict[str, Any]]) -> SubnetKind:
    """Tell from its routes what kind a subnet is."""
    out = [each for each in routes if each.get("DestinationCidrBlock") == _EVERYWHERE and each.get("State") == "active"]
    if not out:
        return SubnetKind.ISOLATED
    return SubnetKind.PUBLIC if str(out[0].get("GatewayId", "")).startswith("igw-") else SubnetKind.PRIVATE


def _routes(subject: Subject) -> Preflight:
    """Look for a way out, or a gateway endpoint of S3, in the routes of the subnet.

    Nodes of a training job have no public address, so that an internet gateway is no way out for them.
    """
    subnet = subnet_of(subject)
    name, vpc = str(subnet["SubnetId"]), str(subnet["VpcId"])
    table = _route_table(subject, name, vpc)
    kind = subnet_kind(table.get("Routes", []))
    endpoint = _has_s3_endpoint(subject, vpc, str(table["RouteTableId"]))
    out = kind is SubnetKind.PRIVATE or (kind is SubnetKind.PUBLIC and not subject.workload.runs_in_sagemaker)
    reached = SeenSubnet(name, visible=True, kind=SubnetKind.PRIVATE if out else SubnetKind.ISOLATED)
    closed = list(no_way_to_s3(reached, SeenVpc(vpc, visible=True, s3_endpoint=endpoint)))
    public = [] if out else list(subnet_is_public(SeenSubnet(name, visible=True, kind=kind)))
    s3 = "S3's gateway endpoint" if endpoint else "no endpoint of S3"
    said = f"subnet {name} is {kind} and has {s3}"
    return judged("routes", said, [*closed, *public], warnings=Verdict.FAIL if closed else Verdict.PASS)


def _route_table(subject: Subject, subnet: str, vpc: str) -> dict[str, Any]:
    """Return the route table of a subnet: its own, or else its VPC's main one."""
    for chosen in (
        {"association.subnet-id": subnet},
        {"vpc-id": vpc, "association.main": "true"},
    ):
        found = subject.account.listed(
            "ec2",
            "describe_route_tables",
            "RouteTables",
            Filters=[{"Name": key, "Values": [value]} for key, value in chosen.items()],
        )
        if found:
            return found[0]
    raise CannotTellError(f"subnet {subnet} has no route table that can be seen")


def _has_s3_endpoint(subject: Subject, vpc: str, route_table: str) -> bool:
    """Tell whether a gateway endpoint of S3 is in a route table."""
    found = subject.account.listed(
        "ec2", "describe_vpc_endpoints", "VpcEndpoints", Filters=[{"Name": "vpc-id", "Values": [vpc]}]
    )
    return any(
        route_table in each.get("RouteTableIds", [])
        for each in found
        if str(each["ServiceName"]).endswith(".s3") and str(each.get("State", "available")).lower() == "available"
    )


def _by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to look at the routes, those of the VPC's main table too, and at the endpoints."""
    region, query = subject.region, "RouteTables[].Routes"
    of_subnet = filters(association__subnet_id=str(subject.named.subnet))
    of_main = [vpc_filter(subject), *filters(association__main="true")]
    return (
        aws_command("ec2", "describe-route-tables", region=region, filters=of_subnet, query=query),
        aws_command("ec2", "describe-route-tables", region=region, filters=of_main, query=query),
        aws_command(
            "ec2",
            "describe-vpc-endpoints",
            region=region,
            filters=[vpc_filter(subject)],
            query="VpcEndpoints[].[ServiceName,State,RouteTableIds]",
        ),
    )


CHECKS = (Check("routes", _routes, _by_hand, has_subnet),)
