"""Boundaries of what is said about a Region."""

from functools import partial

from epochwise.checks.regional_service import environment_in_another_region, service_not_in_region
from tests.checks.boundaries import Row

ROWS = (
    Row("SERVICE_NOT_IN_REGION", partial(service_not_in_region, "us-east-1", ["fsx"]), "does not have fsx"),
    Row("SERVICE_NOT_IN_REGION", partial(service_not_in_region, "us-east-1", []), None),
    Row(
        "ENVIRONMENT_IN_ANOTHER_REGION",
        partial(environment_in_another_region, "us-east-1", "eu-west-1"),
        "Region is eu-west-1",
    ),
    Row("ENVIRONMENT_IN_ANOTHER_REGION", partial(environment_in_another_region, "us-east-1", "us-east-1"), None),
    Row("ENVIRONMENT_IN_ANOTHER_REGION", partial(environment_in_another_region, "us-east-1", None), None),
)
