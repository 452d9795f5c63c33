"""Rules about encryption between nodes, and about containers without a network."""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level


def encryption_one_node(job: DeclaredJob) -> Finding | None:
    """Warn that encryption between containers has nothing to encrypt on one node.

    Source: SageMaker Developer Guide, train-encrypt.
    """
    if not job.training.inter_container_encryption or job.workload.cluster.nodes > 1:
        return None
    return Finding(
        "ENCRYPTION_ONE_NODE",
        Level.WARNING,
        "training.inter_container_encryption is true and cluster.nodes is 1, so there is no traffic between nodes",
        "remove training.inter_container_encryption",
    )


def encryption_with_efa(job: DeclaredJob) -> Finding | None:
    """Warn that what SageMaker's encryption does to EFA is documented nowhere, and that it costs time.

    The guide asks for UDP 500 and IP protocol 50 between the nodes, which EFA's own traffic does not use: whether it is
    covered is unverified. Source: SageMaker Developer Guide, train-encrypt.
    """
    cluster = job.workload.cluster
    if not job.training.inter_container_encryption or cluster.nodes == 1 or not cluster.instance.efa_interfaces:
        return None
    hardware = (
        "its hardware encrypts traffic between instances anyway"
        if cluster.instance.encryption_in_transit
        else "its hardware does not encrypt traffic between instances"
    )
    return Finding(
        "ENCRYPTION_WITH_EFA",
        Level.WARNING,
        f"training.inter_container_encryption slows distributed training, and whether it covers EFA, which a "
        f"{cluster.instance_type} has, is documented nowhere; {hardware}",
        "do not count on it for EFA traffic; leave it out unless a policy asks for it",
    )


def network_isolation_file_system(job: DeclaredJob) -> Finding | None:
    """Warn that network isolation next to a file system is untried.

    The host makes the mount, not the container, so it should work; AWS says nothing about it: unverified.
    """
    if not job.training.network_isolation:
        return None
    return Finding(
        "NETWORK_ISOLATION_FILE_SYSTEM",
        Level.WARNING,
        "training.network_isolation is true: that the file system is mounted all the same is unverified, and "
        "containers reach neither S3 nor any other service",
        "try one short job first, or remove training.network_isolation",
    )
