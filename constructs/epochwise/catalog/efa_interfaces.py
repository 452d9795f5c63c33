"""Which network interfaces an EC2 node starts with, so that all of its EFA cards are in use.

Source: EC2 User Guide, efa-acc-inst-types: EFA with ENA on card 0, EFA-only on the device 1 of every other card.
"""

from dataclasses import dataclass
from enum import StrEnum

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types import InstanceType


class InterfaceKind(StrEnum):
    """What an interface is, in EC2's words."""

    ENA = "interface"
    EFA = "efa"
    """Both at once."""
    EFA_ONLY = "efa-only"
    """EFA without an address of its own; never the first interface."""


@dataclass(frozen=True, slots=True)
class NodeInterface:
    """One interface of a node."""

    network_card: int
    device: int
    kind: InterfaceKind


def node_interfaces(instance: InstanceType) -> list[NodeInterface]:
    """Return the interfaces of a node: the first one for addresses, and one with EFA on each card that has it.

    >>> from epochwise.catalog.instance_types import instance_type
    >>> [str(each.kind) for each in node_interfaces(instance_type("p4d.24xlarge"))]
    ['efa', 'efa-only', 'efa-only', 'efa-only']
    >>> [(each.network_card, str(each.kind)) for each in node_interfaces(instance_type("p6e-gb200.36xlarge"))][:2]
    [(0, 'interface'), (1, 'efa-only')]
    >>> [str(each.kind) for each in node_interfaces(instance_type("m7i.large"))]
    ['interface']
    """
    cards = efa_cards(instance)
    first = NodeInterface(0, 0, InterfaceKind.EFA if 0 in cards else InterfaceKind.ENA)
    return [first, *(NodeInterface(card, 1, InterfaceKind.EFA_ONLY) for card in cards if card)]


def efa_cards(instance: InstanceType) -> list[int]:
    """Return the network cards of a type that have EFA: the first ones, unless the catalog names others."""
    named: list[int] | None = load("instance_types")["efa_cards"].get(instance.name)
    return list(range(instance.efa_interfaces)) if named is None else list(named)
