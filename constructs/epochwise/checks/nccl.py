"""Rules about the watch rule that reads in the log what NCCL goes over."""

import shlex
from collections.abc import Mapping

from epochwise.catalog.watch_rule_names import NCCL_RULE_NAME
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_VARIABLE = "NCCL_DEBUG"
_TELLING = ("INFO", "TRACE")
"""Values under which NCCL writes what it goes over."""
_FILE, _SUBSYSTEMS = "NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS"
_IN_THE_LOG = ("", "/dev/stdout", "/dev/stderr")
"""Files that end up in the job's log."""
_READ_SUBSYSTEMS = {"INIT", "NET"}
"""Subsystems that write what NCCL goes over."""
_LAUNCHED_BY_MPI = ("smddp", "mpi")


def nccl_rule_without_efa(job: DeclaredJob) -> Finding | None:
    """Warn when the rule about NCCL watches nodes between which there is no EFA for it to use.

    Source: EC2 DescribeInstanceTypes, EfaInfo; NCCL serves NVIDIA's accelerators only (from memory, unverified).
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

    What mpirun passes on goes before the environment, and the last of several goes before the others. Source:
    aws-samples/awsome-distributed-ai, EFA cheat sheet: NCCL_DEBUG=INFO for checks; NCCL User Guide, Environment
    Variables, NCCL_DEBUG_FILE and NCCL_DEBUG_SUBSYS (the guide from memory, unverified).
    """
    if not job.judges_nccl or not job.nccl_over_efa:
        return None
    declared = {key: ("training.environment", value) for key, value in job.training.environment.items()}
    if job.training.distribution in _LAUNCHED_BY_MPI:
        passed = passed_by_mpi(job.training.custom_mpi_options)
        declared |= {key: ("training.custom_mpi_options", value) for key, value in passed.items()}
    quiet = [f"{where} sets {key}={value}" for key, (where, value) in declared.items() if _hides(key, value)]
    if not quiet:
        return None
    return Finding(
        "NCCL_LOG_HIDDEN",
        Level.WARNING,
        f"watch.rules holds {NCCL_RULE_NAME}, which reads what NCCL logs at {_VARIABLE}=INFO, and "
        + " and ".join(quiet),
        f"leave {_VARIABLE} out, which then is INFO, and {_FILE} and {_SUBSYSTEMS} too",
    )


def passed_by_mpi(options: str) -> Mapping[str, str]:
    """Return the variables that mpirun's options set for every process; of several values the last.

    >>> passed_by_mpi("-v -x NCCL_DEBUG=INFO -x 'NCCL_DEBUG=WARN' -xFI_PROVIDER=efa -x PATH")
    {'NCCL_DEBUG': 'WARN', 'FI_PROVIDER': 'efa'}
    """
    try:
        words = shlex.split(options)
    except ValueError:
        # a quotation that does not end
        words = options.replace('"', "").replace("'", "").split()
    settings: list[str] = []
    for place, word in enumerate(words):
        if word in {"-x", "--x"}:
            settings += words[place + 1 : place + 2]
        elif word.startswith("-x"):
            settings.append(word.removeprefix("-x"))
    return {key: value for key, equals, value in (each.partition("=") for each in settings) if equals}


def _hides(key: str, value: str) -> bool:
    """Tell whether a variable keeps the lines that are read out of the job's log.

    >>> [_hides("NCCL_DEBUG_SUBSYS", value) for value in ("COLL", "init,coll", "ALL", "^COLL", "^INIT,NET", "^ALL")]
    [True, False, False, False, True, True]
    """
    if key == _VARIABLE:
        return value.upper() not in _TELLING
    if key == _FILE:
        return value not in _IN_THE_LOG
    if key != _SUBSYSTEMS or not value:
        return False
    named = {each.strip() for each in value.upper().removeprefix("^").split(",")}
    if value.startswith("^"):
        return "ALL" in named or named >= _READ_SUBSYSTEMS
    return "ALL" not in named and not named & _READ_SUBSYSTEMS
