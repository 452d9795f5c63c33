"""The rule about preprocessing on the nodes' CPUs."""

from epochwise.catalog.assumptions import COLLECTIVE_VCPUS_PER_ACCELERATOR
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.declaration.quantity_text import seconds_text


def preprocessing_vcpus(job: DeclaredJob) -> int:
    """Return the vCPUs of one node that preprocessing may use: all but those that SMDDP takes (assumed)."""
    instance = job.workload.cluster.instance
    taken = COLLECTIVE_VCPUS_PER_ACCELERATOR.get(job.training.distribution, 0)
    return max(1, instance.vcpu - taken * instance.accelerators)


def preprocessing_s(job: DeclaredJob) -> float | None:
    """Return the seconds that preprocessing one epoch takes on all nodes; None where it is not declared."""
    samples = job.workload.dataset.sample_count
    if job.training.preprocessing is None or samples is None:
        return None
    return samples * job.training.preprocessing / (job.workload.cluster.nodes * preprocessing_vcpus(job))


def preprocessing_above_target(job: DeclaredJob) -> Finding | None:
    """Warn when preprocessing alone takes longer than an epoch may, whatever the file system.

    Source: SageMaker Developer Guide, data-parallel-configuration.
    """
    takes_s, limit_s = preprocessing_s(job), job.workload.epoch.limit_s
    if takes_s is None or takes_s <= limit_s:
        return None
    assumed = ", those that SMDDP takes left out (assumed)" if job.training.distribution == "smddp" else ""
    return Finding(
        "PREPROCESSING_ABOVE_TARGET",
        Level.WARNING,
        f"preprocessing takes {seconds_text(takes_s)} an epoch on {preprocessing_vcpus(job)} vCPUs of each of "
        f"{job.workload.cluster.nodes} nodes{assumed}; an epoch may take {seconds_text(limit_s)}",
        "move preprocessing to the GPU or ahead of training; a faster file system does not shorten it",
    )
