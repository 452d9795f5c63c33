"""Rules about what may be asked of a running job: how executions may change it, and what stops it."""

from collections.abc import Iterable, Iterator, Sequence

from epochwise.catalog.instance_types import instance_type, similar_instance_types
from epochwise.checks.finding import Finding, Level
from epochwise.workload import Workload

MAX_SHAPES = 2000
"""Pairs of node count and instance type that are judged; whether their definition has room is judged by its size."""
MAX_DEFINITION_BYTES = 800_000
"""Of the definition as a template's text; what else its template holds has the rest of the 1 MB (assumed share)."""
MAX_CONFIGURATION = 3800
"""Characters of the evaluator's configuration, which leaves room for the variable's name and for ids (assumed)."""


def running_job_findings(
    workload: Workload, *, max_nodes: int, instance_types: Sequence[str], stop_on: Sequence[str]
) -> list[Finding]:
    """Return what is wrong with the freedom that executions are given."""
    found = [
        max_nodes_below_declared(workload, max_nodes),
        *(instance_type_not_in_sagemaker(name) for name in instance_types),
        too_many_shapes(max_nodes, instance_types),
        stop_on_not_watched(workload, stop_on),
    ]
    return [finding for finding in found if finding is not None]


def max_nodes_below_declared(workload: Workload, max_nodes: int) -> Finding | None:
    """Refuse a limit that the declared job itself exceeds."""
    declared = workload.cluster.nodes
    if max_nodes >= declared:
        return None
    return Finding(
        "MAX_NODES_BELOW_DECLARED",
        Level.ERROR,
        f"max_nodes is {max_nodes} and cluster.nodes is {declared}; executions may ask for 1 to max_nodes",
        f"set max_nodes to {declared} or more, or leave it out",
    )


def instance_type_not_in_sagemaker(name: str) -> Finding | None:
    """Refuse an instance type that SageMaker does not train on. Source: botocore 1.44.8, TrainingInstanceType."""
    found = instance_type(name)
    if name.startswith("ml.") and found is not None and found.sagemaker_training:
        return None
    near = similar_instance_types(name, sagemaker=True) or ["ml.p4d.24xlarge"]
    return Finding(
        "INSTANCE_TYPE_NOT_IN_SAGEMAKER",
        Level.ERROR,
        f"instance_types holds {name!r:.60}, and SageMaker trains on types such as {', '.join(near)}",
        f"write {near[0]}, or leave it out",
    )


def instance_type_never_allowed(name: str, reasons: Iterable[str]) -> Finding:
    """Refuse an instance type on which no number of nodes passes the checks of a job."""
    return Finding(
        "INSTANCE_TYPE_NEVER_ALLOWED",
        Level.ERROR,
        f"instance_types holds {name!r}, on which no number of nodes passes: {'; '.join(reasons)}",
        "leave it out, or change what is declared",
    )


def too_many_shapes(max_nodes: int, instance_types: Sequence[str]) -> Finding | None:
    """Refuse more pairs of node count and type than are judged one by one in reasonable time."""
    pairs = max_nodes * (1 + len(set(instance_types)))
    if pairs <= MAX_SHAPES:
        return None
    return Finding(
        "TOO_MANY_SHAPES",
        Level.ERROR,
        f"max_nodes {max_nodes} and {1 + len(set(instance_types))} instance types make {pairs} pairs; {MAX_SHAPES} fit",
        f"set max_nodes to {MAX_SHAPES // (1 + len(set(instance_types)))} or less, or name fewer instance_types",
    )


def definition_too_large(size: int, *, max_nodes: int, fitting: int) -> Iterator[Finding]:
    """Refuse shapes whose definition does not fit into a template, which has less room than Step Functions.

    Each quote of a definition takes two characters or more there. Source: CloudFormation User Guide, quotas: a
    template takes 1 MB; Step Functions Developer Guide, quotas: a definition takes 1 MB.

    Args:
        size: bytes of the definition in the template, what only the deploy knows estimated.
        max_nodes: most nodes of any shape.
        fitting: most nodes with which it fits; 0 where it does with none.
    """
    if size > MAX_DEFINITION_BYTES:
        yield Finding(
            "DEFINITION_TOO_LARGE",
            Level.ERROR,
            f"the state machine's definition for 1 to {max_nodes} nodes takes about {size} bytes of the template; "
            f"{MAX_DEFINITION_BYTES} fit",
            f"set max_nodes to {fitting} or less, name fewer instance_types, or leave out training.batch, which "
            "differs with every number of nodes"
            if fitting
            else "move long hyperparameters and variables into a file next to the training script",
        )


def stop_on_not_watched(workload: Workload, stop_on: Sequence[str]) -> Finding | None:
    """Refuse to wait for a rule that nobody evaluates."""
    names = workload.watch.names if workload.watch.using else ()
    unknown = [repr(name) for name in stop_on if name not in names]
    if not unknown:
        return None
    return Finding(
        "STOP_ON_NOT_WATCHED",
        Level.ERROR,
        f"stop_on holds {', '.join(unknown)}, and the rules that are evaluated are {', '.join(names) or 'none'}",
        "declare it in watch.rules, or leave it out of stop_on",
    )


def evaluator_configuration_too_long(length: int, instance_types: Sequence[str]) -> Finding | None:
    """Refuse a configuration that does not fit into a function's environment.

    Source: Lambda Developer Guide, quotas: 4 KB for all variables together, names included.
    """
    if length <= MAX_CONFIGURATION:
        return None
    return Finding(
        "EVALUATOR_CONFIGURATION_TOO_LONG",
        Level.ERROR,
        f"the configuration of the function that evaluates rules takes {length} characters with "
        f"{len(instance_types)} further instance_types; {MAX_CONFIGURATION} fit",
        "name fewer instance_types",
    )
