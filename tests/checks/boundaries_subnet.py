"""Boundaries of what is said about a subnet, new or given."""

from epochwise.checks import given_subnet as given
from epochwise.checks import subnet
from epochwise.checks.given_subnet import SeenSubnet, SubnetKind
from epochwise.checks.subnet import AddressBudget
from epochwise.checks.vpc import SeenVpc
from tests.checks.boundaries import Row

IMPORTED, CREATED = SeenSubnet("subnet-1", visible=False), SeenSubnet("App/Subnet", visible=True)
ISOLATED = SeenSubnet("App/Subnet", visible=True, kind=SubnetKind.ISOLATED)
PUBLIC = SeenSubnet("App/Subnet", visible=True, kind=SubnetKind.PUBLIC)
ELSEWHERE = SeenSubnet("App/Other", visible=True, of_other_vpc=True)
VPC, VPC_WITH_S3 = SeenVpc("App/Vpc", visible=True), SeenVpc("App/Vpc", visible=True, s3_endpoint=True)

ROWS = (
    Row("FILE_SYSTEM_SERVERS_NEGATIVE", lambda: subnet.file_system_servers_negative(-1), "got -1"),
    Row("FILE_SYSTEM_SERVERS_NEGATIVE", lambda: subnet.file_system_servers_negative(0), None),
    Row(
        "GIVEN_SUBNET_TOO_SMALL",
        lambda: subnet.given_subnet_too_small(AddressBudget(2, "ml.p4d.24xlarge", 2), "subnet-1", 28),
        "need 12",
    ),
    Row(
        "GIVEN_SUBNET_TOO_SMALL",
        lambda: subnet.given_subnet_too_small(AddressBudget(2, "ml.p4d.24xlarge", 1), "subnet-1", 28),
        None,
    ),
    # a /16 has 65531 addresses: 13106 nodes at 5 each and one file server
    Row(
        "NODES_ABOVE_ANY_SUBNET",
        lambda: subnet.nodes_above_any_subnet(AddressBudget(13_106, "ml.p4d.24xlarge", 2)),
        "need 65532",
    ),
    Row(
        "NODES_ABOVE_ANY_SUBNET",
        lambda: subnet.nodes_above_any_subnet(AddressBudget(10**6, "ml.p4d.24xlarge", 1)),
        "1000000 nodes",
    ),
    Row(
        "NODES_ABOVE_ANY_SUBNET",
        lambda: subnet.nodes_above_any_subnet(AddressBudget(13_106, "ml.p4d.24xlarge", 1)),
        None,
    ),
    Row(
        "SUBNET_FULL",
        lambda: subnet.subnet_full(AddressBudget(2, "ml.p4d.24xlarge", 1), "subnet-1", 10),
        "subnet-1 has 10 free addresses",
    ),
    Row("SUBNET_FULL", lambda: subnet.subnet_full(AddressBudget(2, "ml.p4d.24xlarge", 1), "subnet-1", 11), None),
    Row("SUBNETS_NOT_ONE", lambda: given.subnets_not_one(["a", "b"]), "got 2"),
    Row("SUBNETS_NOT_ONE", lambda: given.subnets_not_one([]), "got 0"),
    Row("SUBNETS_NOT_ONE", lambda: given.subnets_not_one(["a"]), None),
    Row("SUBNET_GIVEN_TWICE", lambda: given.subnet_given_twice(subnet=True, subnets=True), "got both"),
    Row("SUBNET_GIVEN_TWICE", lambda: given.subnet_given_twice(subnet=True, subnets=False), None),
    Row("SUBNET_WITHOUT_VPC", lambda: given.subnet_without_vpc("subnet-1"), "got subnet subnet-1"),
    Row("SUBNET_WITHOUT_VPC", lambda: given.subnet_without_vpc(None), None),
    Row("SUBNET_OF_OTHER_VPC", lambda: given.subnet_of_other_vpc(ELSEWHERE, "App/Vpc"), "got App/Other"),
    Row("SUBNET_OF_OTHER_VPC", lambda: given.subnet_of_other_vpc(CREATED, "App/Vpc"), None),
    Row("NO_PRIVATE_SUBNET", lambda: given.no_private_subnet("App/Vpc", 0), "App/Vpc"),
    Row("NO_PRIVATE_SUBNET", lambda: given.no_private_subnet("App/Vpc", 1), None),
    Row("SUBNET_NOT_CHOSEN", lambda: given.subnet_not_chosen(["a", "b"]), "2 private subnets"),
    Row("SUBNET_NOT_CHOSEN", lambda: given.subnet_not_chosen(["a"]), None),
    Row("SUBNET_IS_PUBLIC", lambda: given.subnet_is_public(PUBLIC), "App/Subnet"),
    Row("SUBNET_IS_PUBLIC", lambda: given.subnet_is_public(ISOLATED), None),
    Row("SUBNET_NOT_VISIBLE", lambda: given.subnet_not_visible(IMPORTED, 23), "23 free addresses"),
    Row("SUBNET_NOT_VISIBLE", lambda: given.subnet_not_visible(CREATED, 23), None),
    Row("ROUTES_NOT_VISIBLE", lambda: given.routes_not_visible(IMPORTED, VPC), "subnet-1"),
    Row("ROUTES_NOT_VISIBLE", lambda: given.routes_not_visible(CREATED, VPC), None),
    Row("NO_WAY_TO_S3", lambda: given.no_way_to_s3(ISOLATED, VPC), "App/Vpc"),
    Row("NO_WAY_TO_S3", lambda: given.no_way_to_s3(ISOLATED, VPC_WITH_S3), None),
    Row("NO_WAY_TO_S3", lambda: given.no_way_to_s3(CREATED, VPC), None),
)
