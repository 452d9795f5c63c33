"""Boundaries of what is said about things of different VPCs."""

from functools import partial

from epochwise.checks import same_vpc
from epochwise.checks.same_vpc import KnownVpc
from tests.checks.boundaries import Row

HERE, BESIDE = KnownVpc("App/Vpc", created_here=True), KnownVpc("App/Other", created_here=True)
IMPORTED, ELSEWHERE = KnownVpc("vpc-1", created_here=False), KnownVpc("vpc-2", created_here=False)
_server = partial(same_vpc.security_group_of_other_vpc, "security_groups", "App/Group")
_peer = partial(same_vpc.efa_peer_of_other_vpc, "App/Group")
_client = partial(same_vpc.client_of_other_vpc, "App/Group")
_peered = partial(same_vpc.client_of_peered_vpc, "App/Group")

ROWS = (
    Row("SECURITY_GROUP_OF_OTHER_VPC", partial(_server, BESIDE, HERE), "got App/Group of App/Other"),
    Row("SECURITY_GROUP_OF_OTHER_VPC", partial(_server, ELSEWHERE, IMPORTED), "got App/Group of vpc-2"),
    Row("SECURITY_GROUP_OF_OTHER_VPC", partial(_server, HERE, HERE), None),
    Row("SECURITY_GROUP_OF_OTHER_VPC", partial(_server, None, HERE), None),
    Row("SECURITY_GROUP_OF_OTHER_VPC", partial(_server, IMPORTED, HERE), None),
    Row("EFA_PEER_OF_OTHER_VPC", partial(_peer, BESIDE, HERE), "got App/Group of App/Other"),
    Row("EFA_PEER_OF_OTHER_VPC", partial(_peer, HERE, HERE), None),
    Row("EFA_PEER_OF_OTHER_VPC", partial(_peer, HERE, IMPORTED), None),
    Row("CLIENT_OF_OTHER_VPC", partial(_client, BESIDE, HERE, joined=False), "got App/Group of App/Other"),
    Row("CLIENT_OF_OTHER_VPC", partial(_client, BESIDE, HERE, joined=True), None),
    Row("CLIENT_OF_OTHER_VPC", partial(_client, ELSEWHERE, IMPORTED, joined=False), None),
    Row("CLIENT_OF_PEERED_VPC", partial(_peered, ELSEWHERE, IMPORTED, joined=False), "App/Group is of vpc vpc-2"),
    Row("CLIENT_OF_PEERED_VPC", partial(_peered, BESIDE, HERE, joined=True), "App/Group is of vpc App/Other"),
    Row("CLIENT_OF_PEERED_VPC", partial(_peered, BESIDE, HERE, joined=False), None),
    Row("CLIENT_OF_PEERED_VPC", partial(_peered, IMPORTED, IMPORTED, joined=False), None),
)
