"""Remarks about the interface endpoints of a training network. One rule, one function, one id."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from epochwise.checks.finding import Finding, Level

PORTS = range(1, 65_536)
"""Ports of TCP."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)*")


@dataclass(frozen=True, slots=True)
class WantedEndpoint:
    """An interface endpoint that is asked for, or that the app makes elsewhere."""

    name: str
    """What it is called for a person."""
    service: str
    """The service as EC2 compares it: equal for what is one service."""
    private_dns: bool
    """Whether the service's own name leads to it."""
    port: int | None = 443
    """None where it is no whole number, or one that only the deploy knows."""
    construct_id: str = ""
    """Id of its construct."""


def interface_endpoint_findings(
    wanted: Sequence[WantedEndpoint], *, standing: Iterable[WantedEndpoint] = (), vpc: str = ""
) -> Iterator[Finding]:
    """Yield every remark about endpoints, `standing` being those that the app makes in the VPC already."""
    refused = [
        finding
        for each in wanted
        for finding in (*interface_endpoint_name_invalid(each.name), *interface_endpoint_port_invalid(each))
    ]
    yield from refused
    if refused:
        return
    others = list(standing)
    for place, each in enumerate(wanted):
        yield from interface_endpoints_alike(each, wanted[:place])
        yield from interface_endpoint_standing(each, others, vpc)


def interface_endpoint_name_invalid(name: str) -> Iterator[Finding]:
    """A service has a name of its own, of words between dots; a token is none, for the endpoint is named after it.

    A Region within a name may be a token.

    Source: EC2 API, CreateVpcEndpoint ServiceName; VPC PrivateLink Guide, aws-services-privatelink-support.
    """
    if not _NAME.fullmatch(name):
        got = "a token, which only the deploy knows" if "${Token[" in name else f"{name!r:.80}"
        yield Finding(
            "INTERFACE_ENDPOINT_NAME_INVALID",
            Level.ERROR,
            f"interface_endpoints must name services by letters, digits, - and _ between dots, got {got}",
            "pass one of ec2.InterfaceVpcEndpointAwsService, or a name like com.amazonaws.us-east-1.sts",
        )


def interface_endpoint_port_invalid(endpoint: WantedEndpoint) -> Iterator[Finding]:
    """A service listens on a port of TCP, which is known when the app runs, since rules are named after it.

    Source: EC2 API, AuthorizeSecurityGroupIngress FromPort.
    """
    if endpoint.port not in PORTS:
        got = "one that only the deploy knows" if endpoint.port is None else endpoint.port
        yield Finding(
            "INTERFACE_ENDPOINT_PORT_INVALID",
            Level.ERROR,
            f"the port of {endpoint.name} in interface_endpoints must be {PORTS[0]} to {PORTS[-1]}, got {got}",
            "pass the port that the service listens on; leave it out for 443",
        )


def interface_endpoints_alike(endpoint: WantedEndpoint, before: Collection[WantedEndpoint]) -> Iterator[Finding]:
    """Endpoints of one list are of different services, and their names differ in letters or digits.

    Source: VPC PrivateLink Guide, create-interface-endpoint: the private name of a service leads to one endpoint.
    """
    for other in before:
        same_service = endpoint.service == other.service and endpoint.private_dns and other.private_dns
        if same_service or endpoint.construct_id == other.construct_id:
            yield Finding(
                "INTERFACE_ENDPOINTS_ALIKE",
                Level.ERROR,
                f"interface_endpoints must be of different services, got {other.name} and {endpoint.name}",
                f"leave {endpoint.name} out",
            )
            return


def interface_endpoint_standing(
    endpoint: WantedEndpoint, standing: Collection[WantedEndpoint], vpc: str
) -> Iterator[Finding]:
    """A VPC has one endpoint of a service with its private name; EC2 refuses the second.

    Source: VPC PrivateLink Guide, create-interface-endpoint (conflicting DNS domain).
    """
    for other in standing:
        if endpoint.private_dns and other.private_dns and endpoint.service == other.service:
            yield Finding(
                "INTERFACE_ENDPOINT_STANDING",
                Level.ERROR,
                f"interface_endpoints names {endpoint.name}, of which vpc {vpc} has one with private DNS already: "
                f"{other.name}",
                f"leave {endpoint.name} out, and let the nodes' group in there on its port",
            )
            return
