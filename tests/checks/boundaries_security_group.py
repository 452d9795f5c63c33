"""Boundaries of what is said about security groups."""

from types import SimpleNamespace

from epochwise.checks import security_group as groups
from tests.checks.boundaries import Row

ROWS = (
    Row("SECURITY_GROUPS_OUT_OF_RANGE", lambda: groups.security_groups_out_of_range(0), "got 0"),
    Row("SECURITY_GROUPS_OUT_OF_RANGE", lambda: groups.security_groups_out_of_range(1), None),
    Row("SECURITY_GROUPS_OUT_OF_RANGE", lambda: groups.security_groups_out_of_range(5), None),
    Row("SECURITY_GROUPS_OUT_OF_RANGE", lambda: groups.security_groups_out_of_range(6), "got 6"),
    Row("SECURITY_GROUPS_WITHOUT_VPC", lambda: groups.security_groups_without_vpc(1), "got 1"),
    Row("SECURITY_GROUPS_WITHOUT_VPC", lambda: groups.security_groups_without_vpc(0), None),
    Row("EFA_GROUP_NOT_VISIBLE", lambda: groups.efa_group_not_visible("sg-1", created_here=False), "sg-1"),
    Row("EFA_GROUP_NOT_VISIBLE", lambda: groups.efa_group_not_visible("App/Group", created_here=True), None),
    Row(
        "EFA_PEER_NOT_A_GROUP", lambda: groups.efa_peer_not_a_group(SimpleNamespace(unique_id="10.0.0.0/16")), "10.0.0"
    ),
    Row("EFA_PEER_NOT_A_GROUP", lambda: groups.efa_peer_not_a_group("sg-1"), "got str"),
    Row("EFA_PEER_NOT_A_GROUP", lambda: groups.efa_peer_not_a_group(SimpleNamespace(security_group_id="sg-1")), None),
    Row("EFA_PEER_NOT_WRITABLE", lambda: groups.efa_peer_not_writable("sg-1", written=False), "sg-1"),
    Row("EFA_PEER_NOT_WRITABLE", lambda: groups.efa_peer_not_writable("sg-1", written=True), None),
)
