"""Boundaries of what is said about zones that offer a type."""

from functools import partial

from epochwise.checks import zone_offerings as zones
from tests.checks.boundaries import Row

IN_REGION = partial(zones.instance_type_not_in_region, "p4d.24xlarge", "us-east-1")
IN_ZONE = partial(zones.instance_type_not_in_zone, "p4d.24xlarge")
SUBNET = partial(zones.subnet_in_another_zone, "subnet-1", ["us-east-1a", "use1-az1"])

ROWS = (
    Row("INSTANCE_TYPE_NOT_IN_REGION", partial(IN_REGION, []), "us-east-1 offers p4d.24xlarge"),
    Row("INSTANCE_TYPE_NOT_IN_REGION", partial(IN_REGION, ["us-east-1a"]), None),
    Row("INSTANCE_TYPE_NOT_IN_ZONE", partial(IN_ZONE, "us-east-1e", ["us-east-1a"]), "us-east-1e does not offer"),
    Row("INSTANCE_TYPE_NOT_IN_ZONE", partial(IN_ZONE, "us-east-1a", ["us-east-1a"]), None),
    Row("INSTANCE_TYPE_NOT_IN_ZONE", partial(IN_ZONE, None, ["us-east-1a"]), None),
    Row("SUBNET_IN_ANOTHER_ZONE", partial(SUBNET, "us-east-1b"), "subnet-1 is in us-east-1a"),
    Row("SUBNET_IN_ANOTHER_ZONE", partial(SUBNET, "use1-az1"), None),
    Row("SUBNET_IN_ANOTHER_ZONE", partial(SUBNET, None), None),
)
