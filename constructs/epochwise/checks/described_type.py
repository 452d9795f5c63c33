"""Rules about what EC2 says of an instance type, against what the catalog has."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.catalog.instance_types import InstanceType
from epochwise.checks.finding import Finding, Level


@dataclass(frozen=True)
class DescribedType:
    """One instance type as EC2's DescribeInstanceTypes has it."""

    vcpu: int
    memory_gib: float
    accelerators: int
    network_cards: int
    efa_interfaces: int
    """0 where the type has no EFA."""

    def differences(self, row: InstanceType) -> list[str]:
        """Return each figure that the catalog has otherwise."""
        words = {
            "vcpu": "vCPUs",
            "memory_gib": "GiB of memory",
            "accelerators": "accelerators",
            "network_cards": "network cards",
            "efa_interfaces": "EFA interfaces",
        }
        return [
            f"{getattr(self, name):g} {unit} where the catalog has {getattr(row, name):g}"
            for name, unit in words.items()
            # the catalog rounds to MiB
            if abs(getattr(self, name) - getattr(row, name)) > 0.001
        ]


def instance_type_differs(row: InstanceType, described: DescribedType) -> Iterator[Finding]:
    """What the plan counts with is what EC2 has. Source: EC2 API, DescribeInstanceTypes."""
    different = described.differences(row)
    if different:
        yield Finding(
            "INSTANCE_TYPE_DIFFERS",
            Level.WARNING,
            f"{row.name} has {', '.join(different)}, on which the plan rests",
            "take EC2's figures for the truth, and look for a newer epochwise whose catalog has them",
        )


def efa_not_described(row: InstanceType, described: DescribedType, *, relied_on: bool) -> Iterator[Finding]:
    """Nodes that are to talk over EFA, or to mount over it, are of a type that has it.

    Source: EC2 API, DescribeInstanceTypes, NetworkInfo; EC2 User Guide, efa.
    """
    if relied_on and not described.efa_interfaces:
        yield Finding(
            "EFA_NOT_DESCRIBED",
            Level.ERROR,
            f"EC2 says that {row.name} has no EFA, and it is relied on",
            "choose a cluster.instance_type with EFA, or leave file_system.efa_enabled out",
        )
