"""Rules about the watch rule that reads in the log what NCCL goes over."""

import re

from epochwise.catalog.watch_rule_names import NCCL_RULE_NAME
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_VARIABLE = "NCCL_DEBUG"
_TELLING = ("INFO", "TRACE")
"""Values under which NCCL writes what it goes over."""
_PASSED_TO_MPI = re.compile(rf"-x\s+{_VARIABLE}=(?P<value>\S+)")


def nccl_rule_without_efa(job: DeclaredJob) -> Finding | None:
    """Warn when the rule about NCCL watches nodes between which there is no EFA for it to use.

    Source: EC2 DescribeInstanceTypes, EfaInfo; NCCL serves NVIDIA's accelerators only.
    """
    if not job.judges_nccl or job.nccl_over_efa:
        return None
    cluster = job.workload.cluster
    return Finding(
        "NCCL_RULE_WITHOUT_EFA",
        Level.WARNING,
        f"watch.rules holds {NCCL_RULE_NAME}, and NCCL has no EFA to use on {cluster.nodes} × {cluster.instance_type}, "
        "so it never fires",
        f"remove {NCCL_RULE_NAME} from watch.rules, or declare several nodes of a type with GPUs and EFA",
    )


def nccl_log_hidden(job: DeclaredJob) -> Finding | None:
    """Warn when NCCL is told not to write the lines that the rule about it reads.

    Source: aws-samples/awsome-distributed-ai, EFA cheat sheet: NCCL_DEBUG=INFO for checks.
    """
    if not job.judges_nccl or not job.nccl_over_efa:
        return None
    passed = _PASSED_TO_MPI.search(job.training.custom_mpi_options)
    declared = {
        f"training.environment.{_VARIABLE}": job.training.environment.get(_VARIABLE),
        "training.custom_mpi_options": None if passed is None else passed["value"],
    }
    quiet = {key: value for key, value in declared.items() if value is not None and value.upper() not in _TELLING}
    if not quiet:
        return None
    return Finding(
        "NCCL_LOG_HIDDEN",
        Level.WARNING,
        f"watch.rules holds {NCCL_RULE_NAME}, which reads what NCCL logs at {_VARIABLE}=INFO, and "
        + " and ".join(f"{key} sets {value}" for key, value in quiet.items()),
        f"leave {_VARIABLE} out, which then is INFO",
    )
