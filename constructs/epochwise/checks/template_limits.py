"""Rules about a template as a whole, whatever it deploys."""

from collections.abc import Iterator, Mapping

from epochwise.catalog.cloudformation import (
    MAX_MAPPINGS,
    MAX_OUTPUTS,
    MAX_PARAMETERS,
    MAX_RESOURCES,
    MAX_TEMPLATE_BYTES,
)
from epochwise.checks.finding import Finding, Level

LIMITS: Mapping[str, int] = {
    "bytes": MAX_TEMPLATE_BYTES,
    "Resources": MAX_RESOURCES,
    "Parameters": MAX_PARAMETERS,
    "Outputs": MAX_OUTPUTS,
    "Mappings": MAX_MAPPINGS,
}
"""What is counted of a template, and the most that CloudFormation takes of it."""


def template_over_limit(name: str, counts: Mapping[str, int]) -> Iterator[Finding]:
    """Refuse a template that CloudFormation does not take.

    Source: CloudFormation User Guide, cloudformation-limits.
    """
    for what, most in LIMITS.items():
        if counts.get(what, 0) > most:
            yield Finding(
                "TEMPLATE_OVER_LIMIT",
                Level.ERROR,
                f"{name} has {counts[what]} {what}, and CloudFormation takes {most}",
                "declare fewer rules or a smaller max_nodes, or deploy parts of it apart",
            )
