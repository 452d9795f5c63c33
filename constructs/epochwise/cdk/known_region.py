"""The Region of a construct, where the app knows it, beside the one that a workload declares."""

from collections.abc import Iterator

from aws_cdk import Stack, Token
from constructs import IConstruct

from epochwise.checks.finding import Finding
from epochwise.checks.job_placement import workload_of_other_region


def known_region(construct: IConstruct) -> str | None:
    """Return the Region of a construct's stack, None when only the deploy knows it."""
    region = Stack.of(construct).region
    return None if Token.is_unresolved(region) else region


def workload_region_findings(scope: IConstruct, declared: str) -> Iterator[Finding]:
    """Yield what is wrong with a workload of a declared Region in a scope, where the scope knows its own."""
    region = known_region(scope)
    if region is not None:
        yield from workload_of_other_region(declared, region)
