"""On how many nodes of which type a job may run, and what of its request depends on that."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from epochwise.checks.finding import Level
from epochwise.checks.launch import shapes_text
from epochwise.checks.refusal import refuse_errors
from epochwise.checks.running_job import instance_type_never_allowed
from epochwise.checks.training import training_findings
from epochwise.workload import Workload

Request = dict[str, Any]
"""A CreateTrainingJob request."""
MERGED = ("HyperParameters", "Environment", "ResourceConfig")
"""Members of the request that are put together from what all shapes share, what one brings, and the execution's own."""
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
    """What is the same for all shapes, without the name and what is merged."""
    shared: Mapping[str, Mapping[str, Any]]
    """Of what is merged, that which is the same for all shapes; hyperparameters without the job's name."""
    variants: tuple[tuple[Mapping[str, Any], tuple[Shape, ...]], ...]
    """The rest of the request, and the shapes it is for."""

    @property
    def varying(self) -> tuple[str, ...]:
        """Members of the request that are taken whole from the variant."""
        return tuple(key for key in self.variants[0][0] if key not in MERGED)

    def up_to(self, nodes: int) -> Self:
        """Return the shapes of so many nodes at most."""
        kept = ((rest, tuple(shape for shape in shapes if shape.nodes <= nodes)) for rest, shapes in self.variants)
        return replace(self, variants=tuple((rest, shapes) for rest, shapes in kept if shapes))

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
            found = [finding for finding in training_findings(other) if finding.level is Level.ERROR]
            errors = [f"{finding.message} [{finding.id}]" for finding in found]
            refused |= dict.fromkeys(errors)
            if not errors:
                requests[Shape(nodes, name)] = make_request(other)
        if not any(shape.instance_type == name for shape in requests):
            refuse_errors([instance_type_never_allowed(name, refused)])
    whole = requests[declared]
    names = list(dict.fromkeys(key for request in requests.values() for key in request if key != "TrainingJobName"))
    fixed = {
        key: whole[key]
        for key in names
        if key not in MERGED and all(request.get(key) == whole.get(key) for request in requests.values())
    }
    mergeable = {
        shape: {key: _without_own(request.get(key, {})) for key in MERGED} for shape, request in requests.items()
    }
    shared = {key: _members_of_all(parts[key] for parts in mergeable.values()) for key in MERGED}
    groups: dict[str, tuple[Mapping[str, Any], list[Shape]]] = {}
    for shape, request in requests.items():
        rest = {key: request.get(key, {}) for key in names if key not in fixed and key not in MERGED}
        rest |= {
            key: {name: value for name, value in part.items() if name not in shared[key]}
            for key, part in mergeable[shape].items()
        }
        groups.setdefault(json.dumps(rest, sort_keys=True), (rest, []))[1].append(shape)
    return JobShapes(declared, whole, fixed, shared, tuple((rest, tuple(shapes)) for rest, shapes in groups.values()))


def _without_own(part: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what each execution sets itself."""
    return {key: value for key, value in part.items() if key not in (*_COUNTED, "sagemaker_job_name")}


def _members_of_all(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the members that all of some mappings have, with the same value.

    >>> _members_of_all([{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "c": 4}])
    {'a': 1}
    """
    first, *others = parts
    return {key: value for key, value in first.items() if all(key in part and part[key] == value for part in others)}


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
