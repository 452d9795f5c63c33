"""Boundaries of what is said about interface endpoints."""

from collections.abc import Iterator
from functools import partial

from epochwise.checks.finding import Finding
from epochwise.checks.interface_endpoint import WantedEndpoint, interface_endpoint_findings
from tests.checks.boundaries import Row

_STS = WantedEndpoint("sts", "com.amazonaws.us-east-1.sts", private_dns=True, construct_id="Sts")
_THERE = WantedEndpoint("App/Sts", _STS.service, private_dns=True)
_LOGS = WantedEndpoint("logs", "com.amazonaws.us-east-1.logs", private_dns=True, construct_id="Logs")
_OF_DEPLOY = "${Token[AWS.Region.4]}"


def _named(name: str, *, port: int | None = 443) -> partial[Iterator[Finding]]:
    return partial(interface_endpoint_findings, [WantedEndpoint(name, name, private_dns=False, port=port)])


def _of_other_id(service: WantedEndpoint, *, private_dns: bool) -> WantedEndpoint:
    return WantedEndpoint("own", service.service, private_dns=private_dns, construct_id="Own")


ROWS = (
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named(""), "got ''"),
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named("a b"), "got 'a b'"),
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named("--"), "got '--'"),
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named(_OF_DEPLOY), "got a token"),
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named("com.amazonaws.us-east-1.sts"), None),
    Row("INTERFACE_ENDPOINT_NAME_INVALID", _named("sagemaker.runtime-fips"), None),
    Row("INTERFACE_ENDPOINT_PORT_INVALID", _named("own", port=0), "got 0"),
    Row("INTERFACE_ENDPOINT_PORT_INVALID", _named("own", port=65_536), "got 65536"),
    Row("INTERFACE_ENDPOINT_PORT_INVALID", _named("own", port=None), "got one that only the deploy knows"),
    Row("INTERFACE_ENDPOINT_PORT_INVALID", _named("own", port=1), None),
    Row("INTERFACE_ENDPOINT_PORT_INVALID", _named("own", port=65_535), None),
    Row("INTERFACE_ENDPOINTS_ALIKE", partial(interface_endpoint_findings, [_STS, _STS]), "got sts and sts"),
    Row(
        "INTERFACE_ENDPOINTS_ALIKE",
        partial(interface_endpoint_findings, [_STS, _of_other_id(_STS, private_dns=True)]),
        "got sts and own",
    ),
    Row(
        "INTERFACE_ENDPOINTS_ALIKE",
        partial(interface_endpoint_findings, [_STS, _of_other_id(_STS, private_dns=False)]),
        None,
    ),
    Row("INTERFACE_ENDPOINTS_ALIKE", partial(interface_endpoint_findings, [_STS, _LOGS]), None),
    Row(
        "INTERFACE_ENDPOINT_STANDING",
        partial(interface_endpoint_findings, [_STS], standing=[_THERE], vpc="vpc-1"),
        "names sts, of which vpc vpc-1 has one with private DNS already: App/Sts",
    ),
    Row("INTERFACE_ENDPOINT_STANDING", partial(interface_endpoint_findings, [_LOGS], standing=[_THERE]), None),
    Row(
        "INTERFACE_ENDPOINT_STANDING",
        partial(interface_endpoint_findings, [_of_other_id(_STS, private_dns=False)], standing=[_THERE]),
        None,
    ),
)
