"""The rule about preprocessing on the nodes' CPUs."""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.declaration.quantity_text import seconds_text
from epochwise.workload.preprocessing import preprocessing_s, preprocessing_vcpus


def preprocessing_above_target(job: DeclaredJob) -> Finding | None:
    """Warn when preprocessing alone takes longer than an epoch may, whatever the file system.

    Source: SageMaker Developer Guide, data-parallel-configuration.
    """
    takes_s, limit_s = preprocessing_s(job.workload), job.workload.epoch.limit_s
    if takes_s is None or takes_s <= limit_s:
        return None
    assumed = ", those that SMDDP takes left out (assumed)" if job.training.distribution == "smddp" else ""
    return Finding(
        "PREPROCESSING_ABOVE_TARGET",
        Level.WARNING,
        f"preprocessing takes {seconds_text(takes_s)} an epoch on {preprocessing_vcpus(job.workload)} vCPUs of each of "
        f"{job.workload.cluster.nodes} nodes{assumed}; an epoch may take {seconds_text(limit_s)}",
        "move preprocessing to the GPU or ahead of training; a faster file system does not shorten it",
    )
