"""On how many nodes of which type a job may run, and what of its request depends on that."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from epochwise.checks.finding import Level
from epochwise.checks.launch import shapes_text
from epochwise.checks.running_job import instance_type_never_allowed
from epochwise.checks.training import training_findings
from epochwise.workload import Workload

Request = dict[str, Any]
"""A CreateTrainingJob request."""
_COUNTED = ("InstanceType", "InstanceCount")


@dataclass(frozen=True)
class Shape:
    """A number of nodes of one instance type."""

    nodes: int
    instance_type: str

    def __str__(self) -> str:
        """Write it as the state machine compares it.

        >>> str(Shape(4, "ml.p4d.24xlarge"))
        '4 ml.p4d.24xlarge'
        """
        return f"{self.nodes} {self.instance_type}"


@dataclass(frozen=True)
class JobShapes:
    """The shapes that pass the checks, grouped by what the request says differently for them.

    What depends on the shape, such as the hyperparameter sagemaker_instance_type, is found by making the whole request
    for each shape and comparing, so that this module knows nothing of it.
    """

    declared: Shape
    request: Request
    """The request for the declared shape."""
    fixed: Request
    """What is the same for all shapes, without the name, the hyperparameters, the environment and the resources."""
    variants: tuple[tuple[Mapping[str, Any], tuple[Shape, ...]], ...]
    """The rest of the request, and the shapes it is for; hyperparameters without the job's name."""

    @property
    def varying(self) -> tuple[str, ...]:
        """Members of the request that are taken from the variant."""
        return tuple(self.variants[0][0])

    @property
    def counts(self) -> dict[str, str]:
        """Instance type to its numbers of nodes, written as ranges."""
        by_type: dict[str, list[int]] = {}
        for _, shapes in self.variants:
            for shape in shapes:
                by_type.setdefault(shape.instance_type, []).append(shape.nodes)
        return {name: _ranges(sorted(counts)) for name, counts in by_type.items()}

    @property
    def allowed(self) -> str:
        """Say which shapes there are, for a message."""
        return shapes_text(self.counts)


def job_shapes(
    workload: Workload, make_request: Callable[[Workload], Request], *, max_nodes: int, instance_types: Sequence[str]
) -> JobShapes:
    """Return every allowed shape of a workload's job: 1 to `max_nodes` of its own type and of `instance_types`.

    Raises:
        ValueError: a type on which no number of nodes passes the checks.
    """
    declared = Shape(workload.cluster.nodes, workload.cluster.instance_type)
    requests: dict[Shape, Request] = {}
    for name in dict.fromkeys((declared.instance_type, *instance_types)):
        refused: dict[str, None] = {}
        for nodes in range(1, max_nodes + 1):
            other = reshaped(workload, Shape(nodes, name))
            errors = [str(finding) for finding in training_findings(other) if finding.level is Level.ERROR]
            refused |= dict.fromkeys(errors)
            if not errors:
                requests[Shape(nodes, name)] = make_request(other)
        if not any(shape.instance_type == name for shape in requests):
            raise ValueError(str(instance_type_never_allowed(name, refused)))
    whole = requests[declared]
    names = list(dict.fromkeys(key for request in requests.values() for key in request if key != "TrainingJobName"))
    of_shape = {"HyperParameters", "Environment", "ResourceConfig"}
    fixed = {
        key: whole[key]
        for key in names
        if key not in of_shape and all(request.get(key) == whole.get(key) for request in requests.values())
    }
    groups: dict[str, tuple[Mapping[str, Any], list[Shape]]] = {}
    for shape, request in requests.items():
        rest = {key: request.get(key, {}) for key in names if key not in fixed}
        rest["HyperParameters"] = {
            key: value for key, value in request["HyperParameters"].items() if key != "sagemaker_job_name"
        }
        rest["Environment"] = request.get("Environment", {})
        rest["ResourceConfig"] = {key: value for key, value in request["ResourceConfig"].items() if key not in _COUNTED}
        groups.setdefault(json.dumps(rest, sort_keys=True), (rest, []))[1].append(shape)
    return JobShapes(declared, whole, fixed, tuple((rest, tuple(shapes)) for rest, shapes in groups.values()))


def reshaped(workload: Workload, shape: Shape) -> Workload:
    """Return a workload with another cluster."""
    cluster = workload.cluster.model_copy(update={"nodes": shape.nodes, "instance_type": shape.instance_type})
    return workload.model_copy(update={"cluster": cluster})


def _ranges(counts: list[int]) -> str:
    """Write sorted counts shortly.

    >>> _ranges([1, 2, 3, 5])
    '1 to 3 or 5'
    """
    runs: list[list[int]] = []
    for count in counts:
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    return " or ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
