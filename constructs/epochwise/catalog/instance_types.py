"""Instance types: processors, memory, accelerators and network, by EC2's name."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from epochwise.catalog.data_file import load
from epochwise.catalog.units import mbps_from_gbps

SAGEMAKER_PREFIX = "ml."


@dataclass(frozen=True)
class InstanceType:
    """One instance type. Source: EC2 DescribeInstanceTypes as recorded in `data/instance_types.json`."""

    name: str
    """EC2's name, such as p4d.24xlarge."""
    vcpu: int
    memory_gib: float
    accelerators: int
    accelerator: str | None
    ena_gbps: float
    """Baseline of one network card, which is what a TCP client of Lustre gets."""
    network_cards: int
    efa_interfaces: int
    """0 where the type has no EFA."""
    efa_gbps: float
    local_nvme_gb: int
    sagemaker_training: bool
    """Whether SageMaker's CreateTrainingJob knows the type, as ml.<name>."""
    encryption_in_transit: bool
    """Whether the hardware encrypts traffic between instances."""

    @property
    def ena_mbps(self) -> float:
        """MB/s over ENA."""
        return mbps_from_gbps(self.ena_gbps)

    @property
    def efa_mbps(self) -> float:
        """MB/s over all EFA cards together."""
        return mbps_from_gbps(self.efa_gbps)

    @property
    def nccl_efa_interfaces(self) -> int:
        """EFA interfaces that NCCL can use: none without accelerators, and none of AWS's own, which have no NCCL."""
        return self.efa_interfaces if self.accelerators and not self.family.startswith("trn") else 0

    @property
    def family(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]


@cache
def instance_type(name: str) -> InstanceType | None:
    """Return the type of that name, with or without SageMaker's `ml.`, or None when there is none."""
    ec2_name = name.removeprefix(SAGEMAKER_PREFIX)
    row = load("instance_types")["rows"].get(ec2_name)
    return None if row is None else InstanceType(ec2_name, *row)


def similar_instance_types(name: str, *, sagemaker: bool, limit: int = 3) -> list[str]:
    """Return names near a mistyped one, best first, in the spelling that the platform uses."""
    rows = load("instance_types")["rows"]
    sagemaker_column = load("instance_types")["columns"].index("sagemaker_training")
    known = [key for key, row in rows.items() if row[sagemaker_column] or not sagemaker]
    prefix = SAGEMAKER_PREFIX if sagemaker else ""
    return [prefix + near for near in get_close_matches(name.removeprefix(SAGEMAKER_PREFIX), known, n=limit)]
