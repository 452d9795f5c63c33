"""Boundaries of what is said about EC2's own figures of a type."""

from dataclasses import replace
from functools import partial

from epochwise.catalog.instance_types import InstanceType, instance_type
from epochwise.checks.described_type import DescribedType, efa_not_described, instance_type_differs
from tests.checks.boundaries import Row


def _row() -> InstanceType:
    row = instance_type("p4d.24xlarge")
    assert row is not None
    return row


P4D = _row()
SAME = DescribedType(vcpu=96, memory_gib=1152, accelerators=8, network_cards=4, efa_interfaces=4)
NONE = replace(SAME, efa_interfaces=0)

ROWS = (
    Row("INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, replace(SAME, vcpu=95)), "95 vCPUs where"),
    Row("INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, replace(SAME, memory_gib=1000)), "has 1152"),
    Row("INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, replace(SAME, accelerators=9)), "9 accelerators"),
    Row(
        "INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, replace(SAME, network_cards=1)), "1 network cards"
    ),
    Row("INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, NONE), "0 EFA interfaces"),
    Row("INSTANCE_TYPE_DIFFERS", partial(instance_type_differs, P4D, SAME), None),
    Row("EFA_NOT_DESCRIBED", partial(efa_not_described, P4D, NONE, relied_on=True), "p4d.24xlarge has no EFA"),
    Row("EFA_NOT_DESCRIBED", partial(efa_not_described, P4D, NONE, relied_on=False), None),
    Row("EFA_NOT_DESCRIBED", partial(efa_not_described, P4D, SAME, relied_on=True), None),
)
