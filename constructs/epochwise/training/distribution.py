"""How the nodes of a job find each other: hyperparameters that pick the launcher, and variables for EFA."""

from collections.abc import Mapping
from typing import Any

from epochwise.catalog.instance_types import InstanceType
from epochwise.catalog.training_toolkit import EFA_NCCL_TYPES, EFA_RDMA_TYPES, RDMA_FAMILIES
from epochwise.checks.declared_job import DeclaredJob


def distribution_hyperparameters(job: DeclaredJob) -> Mapping[str, Any]:
    """Return the hyperparameters that tell the toolkit in the image which launcher to start, not yet encoded.

    `training.custom_mpi_options` are appended to mpirun under smddp and mpi, as they are given. Source: sagemaker
    2.257.7, which sends exactly these keys.
    """
    cluster = job.workload.cluster
    match job.training.distribution:
        case "smddp":
            return {
                "sagemaker_distributed_dataparallel_enabled": True,
                "sagemaker_instance_type": cluster.instance_type,
                "sagemaker_distributed_dataparallel_custom_mpi_options": job.training.custom_mpi_options,
            }
        case "torchrun":
            return {"sagemaker_torch_distributed_enabled": True, "sagemaker_instance_type": cluster.instance_type}
        case "mpi":
            return {
                "sagemaker_mpi_enabled": True,
                "sagemaker_mpi_num_of_processes_per_host": job.processes_per_node,
                "sagemaker_mpi_custom_mpi_options": job.training.custom_mpi_options,
            }
        case "none":
            return {}


def nccl_environment(job: DeclaredJob) -> dict[str, str]:
    """Return the variable that makes NCCL write what it goes over, where a rule reads that in the log.

    Source: aws-samples/awsome-distributed-ai, EFA cheat sheet: NCCL_DEBUG=INFO for checks.
    """
    return {"NCCL_DEBUG": "INFO"} if job.judges_nccl and job.nccl_over_efa else {}


def efa_environment(instance: InstanceType, nodes: int) -> dict[str, str]:
    """Return the variables that make NCCL use EFA, where the toolkit in the image would leave them out.

    The toolkit sets them itself, but only for types in two lists; a type that is missing there can fall back to TCP
    without a word. Here they are set for types with EFA and accelerators that not every version of the lists has, on
    several nodes; types without accelerators have no use for NCCL. With recent libfabric and aws-ofi-nccl neither
    variable is needed, and neither does harm; RDMAV_* do, and are never set. Whether SageMaker shows the EFA devices of
    each of these types to the container is unverified. Source: sagemaker-training 5.1.4;
    aws-samples/awsome-distributed-ai, EFA cheat sheet.
    """
    if nodes < 2 or not instance.efa_interfaces or not instance.accelerators:
        return {}
    variables: dict[str, str] = {}
    if instance.name not in EFA_NCCL_TYPES:
        variables["FI_PROVIDER"] = "efa"
    if instance.name not in EFA_RDMA_TYPES and instance.family in RDMA_FAMILIES:
        variables["FI_EFA_USE_DEVICE_RDMA"] = "1"
    return variables
