"""Rules about the volumes of the nodes.

Types with local NVMe encrypt it by hardware, take no key, and have the size that they have.
"""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level


def volume_key_on_local_nvme(job: DeclaredJob) -> Finding | None:
    """Refuse a volume key on types with local NVMe. Source: botocore 1.44.8, ResourceConfig."""
    instance = job.workload.cluster.instance
    if job.training.volume_kms_key is None or not instance.local_nvme_gb:
        return None
    return Finding(
        "VOLUME_KEY_ON_LOCAL_NVME",
        Level.ERROR,
        f"training.volume_kms_key is {job.training.volume_kms_key}, and the {instance.local_nvme_gb} GB of local NVMe "
        f"of a {job.workload.cluster.instance_type} are encrypted by its hardware, which takes no key",
        "remove training.volume_kms_key",
    )


def volume_size_on_local_nvme(job: DeclaredJob) -> Finding | None:
    """Warn that a volume size is ignored on types with local NVMe. Source: botocore 1.44.8, ResourceConfig."""
    instance = job.workload.cluster.instance
    if job.training.volume_size_gb is None or not instance.local_nvme_gb:
        return None
    return Finding(
        "VOLUME_SIZE_ON_LOCAL_NVME",
        Level.WARNING,
        f"training.volume_size_gb is {job.training.volume_size_gb}, and a {job.workload.cluster.instance_type} has "
        f"{instance.local_nvme_gb} GB of local NVMe instead of a volume, whatever is asked for",
        "remove training.volume_size_gb",
    )
