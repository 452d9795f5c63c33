"""Boundaries of what is said about how EC2 nodes are launched."""

from functools import partial

from epochwise.checks import node_launch
from tests.checks.boundaries import Row

_id = node_launch.capacity_reservation_id_invalid
_block = node_launch.capacity_block_without_id
_unseen = node_launch.capacity_reservation_not_visible

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
)
