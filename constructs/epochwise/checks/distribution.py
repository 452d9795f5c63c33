"""Rules about how the nodes of a job work together."""

import json

from epochwise.catalog.training_job import MAX_HYPERPARAMETER_LENGTH
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level


def distribution_none_many_nodes(job: DeclaredJob) -> Finding | None:
    """Warn when several nodes are declared and nothing joins them.

    Without a launcher the toolkit starts the script once on every node, and each trains a model of its own unless the
    script joins them itself. Source: sagemaker-training 5.1.4.
    """
    nodes = job.workload.cluster.nodes
    if job.training.distribution != "none" or nodes == 1:
        return None
    return Finding(
        "DISTRIBUTION_NONE_MANY_NODES",
        Level.WARNING,
        f"training.distribution is none and cluster.nodes is {nodes}: the script starts once on each node, and "
        f"unless it joins them itself {nodes} models are trained side by side",
        "set training.distribution to torchrun, smddp or mpi, or cluster.nodes to 1",
    )


def distribution_needs_entry_point(job: DeclaredJob) -> Finding | None:
    """Tell that a launcher runs a script, and none is named.

    The launcher is started by the toolkit in AWS's images for the script in sagemaker_program; an image with its own
    entry point is free to ignore it. Source: sagemaker-training 5.1.4.
    """
    if job.training.distribution == "none" or job.training.entry_point is not None:
        return None
    return Finding(
        "DISTRIBUTION_NEEDS_ENTRY_POINT",
        Level.INFO,
        f"training.distribution is {job.training.distribution} and training.entry_point is absent: the image's own "
        "entry point has to start the processes of each node",
        "name training.entry_point and training.source, or set training.distribution to none",
    )


def mpi_options_unused(job: DeclaredJob) -> Finding | None:
    """Warn about options of mpirun where it is not what starts the processes.

    torchrun takes none of them, and SMDDP starts one process per GPU whatever is asked for. Source: sagemaker-training
    5.1.4.
    """
    distribution = job.training.distribution
    unused = [
        f"training.{key}"
        for key, given, heeded in (
            ("custom_mpi_options", bool(job.training.custom_mpi_options), distribution in {"smddp", "mpi"}),
            ("processes_per_host", job.training.processes_per_host is not None, distribution == "mpi"),
        )
        if given and not heeded
    ]
    if not unused:
        return None
    return Finding(
        "MPI_OPTIONS_UNUSED",
        Level.WARNING,
        f"{' and '.join(unused)} {'is' if len(unused) == 1 else 'are'} declared, and training.distribution is "
        f"{distribution}, which takes no heed",
        f"remove {' and '.join(unused)}, or set training.distribution to mpi",
    )


def processes_above_cpus(job: DeclaredJob) -> Finding | None:
    """Refuse more processes on a node than it has CPUs, of which some would only wait for others.

    Source: EC2 DescribeInstanceTypes, VCpuInfo.
    """
    processes, instance = job.training.processes_per_host, job.workload.cluster.instance
    if processes is None or processes <= instance.vcpu:
        return None
    return Finding(
        "PROCESSES_ABOVE_CPUS",
        Level.ERROR,
        f"training.processes_per_host must be 1 to {instance.vcpu}, the CPUs of a "
        f"{job.workload.cluster.instance_type}, got {processes}",
        f"set training.processes_per_host to {max(1, instance.accelerators)}, one per accelerator, or leave it out"
        if instance.accelerators
        else f"set training.processes_per_host to {instance.vcpu} or less",
    )


def custom_mpi_options_length(job: DeclaredJob) -> Finding | None:
    """Refuse options that are too long once encoded as JSON. Source: botocore 1.44.8."""
    length = len(json.dumps(job.training.custom_mpi_options))
    if length <= MAX_HYPERPARAMETER_LENGTH:
        return None
    return Finding(
        "CUSTOM_MPI_OPTIONS_LENGTH",
        Level.ERROR,
        f"training.custom_mpi_options takes {length} characters as JSON; SageMaker takes {MAX_HYPERPARAMETER_LENGTH}",
        "set variables in training.environment, which mpirun hands on with -x NAME alone",
    )
