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
TOOLKIT_PREFIX = "sagemaker_"
"""Begins the hyperparameters that steer the toolkit, all of which the request sets. Source: sagemaker 2.257.7."""


def is_toolkit_hyperparameter(name: str) -> bool:
    """Tell a hyperparameter that steers the toolkit from the user's own.

    >>> is_toolkit_hyperparameter("sagemaker_program"), is_toolkit_hyperparameter("lr")
    (True, False)
    """
    return name.startswith(TOOLKIT_PREFIX)
