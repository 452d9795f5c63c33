"""What the toolkit inside AWS's training images knows about instance types with EFA."""

from epochwise.catalog.data_file import load

_TABLE = load("training_toolkit")

EFA_NCCL_TYPES: frozenset[str] = frozenset(_TABLE["efa_nccl_instances"]) - frozenset(
    _TABLE["recent_efa_nccl_instances"]
)
"""EC2 names of the types for which every version of the toolkit in use sets FI_PROVIDER=efa."""
EFA_RDMA_TYPES: frozenset[str] = frozenset(_TABLE["efa_rdma_instances"]) - frozenset(
    _TABLE["recent_efa_rdma_instances"]
)
"""EC2 names of the types for which every version of the toolkit in use sets FI_EFA_USE_DEVICE_RDMA=1."""
RDMA_FAMILIES: frozenset[str] = frozenset(_TABLE["rdma_families"])
"""Families whose EFA does RDMA read."""
