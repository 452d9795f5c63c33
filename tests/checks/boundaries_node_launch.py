"""Boundaries of what is said about how EC2 nodes are launched."""

from functools import partial

from epochwise.checks import node_launch
from epochwise.checks.subnet import AddressBudget
from tests.checks.boundaries import Row

_id = node_launch.capacity_reservation_id_invalid
_block = node_launch.capacity_block_without_id
_unseen = node_launch.capacity_reservation_not_visible
_placed = node_launch.instance_type_not_clustered
_profile = node_launch.node_group_has_own_profile
_windows = node_launch.node_user_data_of_windows
_multipart = node_launch.node_group_user_data_not_multipart
_other = partial(node_launch.nodes_of_other_type, AddressBudget(40, "m7i.large", 3))

ROWS = (
    Row("CAPACITY_RESERVATION_ID_INVALID", partial(_id, "cr-0123456"), "got 'cr-0123456'"),
    Row("CAPACITY_RESERVATION_ID_INVALID", partial(_id, "0123456789abcdef0"), "got '0123456789abcdef0'"),
    Row("CAPACITY_RESERVATION_ID_INVALID", partial(_id, "cr-0123456789abcdef0"), None),
    Row("CAPACITY_RESERVATION_ID_INVALID", partial(_id, None), None),
    Row("CAPACITY_BLOCK_WITHOUT_ID", partial(_block, None, capacity_block=True), "got None"),
    Row("CAPACITY_BLOCK_WITHOUT_ID", partial(_block, None, capacity_block=False), None),
    Row("CAPACITY_BLOCK_WITHOUT_ID", partial(_block, "cr-01234567", capacity_block=True), None),
    Row("CAPACITY_RESERVATION_NOT_VISIBLE", partial(_unseen, "cr-01234567", "p5.48xlarge"), "cr-01234567 is for p5"),
    Row("CAPACITY_RESERVATION_NOT_VISIBLE", partial(_unseen, None, "p5.48xlarge"), None),
    Row("INSTANCE_TYPE_NOT_CLUSTERED", partial(_placed, "t3.large"), "got t3.large"),
    Row("INSTANCE_TYPE_NOT_CLUSTERED", partial(_placed, "m7i-flex.large"), "got m7i-flex.large"),
    Row("INSTANCE_TYPE_NOT_CLUSTERED", partial(_placed, "m7i.large"), None),
    Row("INSTANCE_TYPE_NOT_CLUSTERED", partial(_placed, "ml.p5.48xlarge"), None),
    Row("NODES_OF_OTHER_TYPE", partial(_other, "p5.48xlarge", 25), "40 nodes of p5.48xlarge at 33 each"),
    Row("NODES_OF_OTHER_TYPE", partial(_other, "m7i.large", 25), None),
    Row("NODES_OF_OTHER_TYPE", partial(_other, "p5.48xlarge", None), None),
    Row("NODE_GROUP_HAS_OWN_PROFILE", partial(_profile, instance_profile=True), "got one"),
    Row("NODE_GROUP_HAS_OWN_PROFILE", partial(_profile, instance_profile=False), None),
    Row("NODE_GROUP_USER_DATA_NOT_MULTIPART", partial(_multipart, user_data=True, multipart=False), "another format"),
    Row("NODE_GROUP_USER_DATA_NOT_MULTIPART", partial(_multipart, user_data=True, multipart=True), None),
    Row("NODE_USER_DATA_OF_WINDOWS", partial(_windows, powershell=True), "got a script of Windows"),
    Row("NODE_USER_DATA_OF_WINDOWS", partial(_windows, powershell=False), None),
    Row("NODE_GROUP_USER_DATA_NOT_MULTIPART", partial(_multipart, user_data=False, multipart=False), None),
)
