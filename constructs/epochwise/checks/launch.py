"""Rules about what an execution of a deployed job asks for."""

import re
from collections.abc import Mapping

from epochwise.checks.finding import Finding, Level
from epochwise.checks.training_image import image_repository
from epochwise.declaration.mistake import shown

CHANGEABLE = "training.image, training.hyperparameters, training.batch, cluster.nodes and cluster.instance_type"
_EXECUTION_NAME = re.compile(r"[0-9A-Za-z_-]{1,80}")
_JOB_NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
LONGEST_JOB_NAME = 63
_SHOWN = 6


def launch_needs_deploy(changes: Mapping[str, tuple[object, object]]) -> Finding | None:
    """Refuse what no execution of the deployed job can change.

    Args:
        changes: dotted key of the workload file to what is deployed and what is declared; None for what is absent.
    """
    if not changes:
        return None
    told = [
        f"{key} is {_said(here)} here and {_said(deployed)} deployed"
        for key, (deployed, here) in list(changes.items())[:_SHOWN]
    ]
    more = f", and {len(changes) - _SHOWN} more keys differ" if len(changes) > _SHOWN else ""
    return Finding(
        "LAUNCH_NEEDS_DEPLOY",
        Level.ERROR,
        f"{', '.join(told)}{more}; an execution changes {CHANGEABLE} only",
        "deploy this file first, or declare what is deployed",
    )


def launch_shape_not_deployed(
    nodes: int, instance_type: str, shapes: Mapping[str, str], *, asker: str = "cluster"
) -> Finding | None:
    """Refuse nodes that the deployed state machine would refuse.

    Args:
        nodes: number of nodes.
        instance_type: their type.
        shapes: instance type to the numbers that are deployed, such as `1 to 3 or 5`.
        asker: where they are asked for.
    """
    if instance_type in shapes and _is_among(nodes, shapes[instance_type]):
        return None
    return Finding(
        "LAUNCH_SHAPE_NOT_DEPLOYED",
        Level.ERROR,
        f"{asker} asks for {nodes} {instance_type}, and the deployed job takes {shapes_text(shapes)}",
        "ask for one of these, or deploy the job with a larger max_nodes or further instance_types",
    )


def launch_image_not_deployed(image: str, deployed: str, *, asker: str = "training.image") -> Finding | None:
    """Refuse an image that the deployed job has no right to pull.

    The job's role may read one repository in ECR; any tag or digest of it will do.

    Args:
        image: what is asked for.
        deployed: what is declared where the job was deployed.
        asker: where it is asked for.
    """
    repository = image_repository(deployed)
    if image == deployed or (repository is not None and image.startswith((f"{repository}:", f"{repository}@"))):
        return None
    return Finding(
        "LAUNCH_IMAGE_NOT_DEPLOYED",
        Level.ERROR,
        f"{asker} is {image}, and the deployed job takes {repository or deployed}"
        f"{' with any tag or digest' if repository else ' only'}",
        "take an image of that repository, or deploy another training.image first",
    )


def execution_name_invalid(name: str) -> Finding | None:
    """Refuse a name that Step Functions does not take, or cannot log.

    Source: Step Functions API Reference, StartExecution: 1 to 80 characters; names with others than letters, digits, -
    and _ are not logged.
    """
    if _EXECUTION_NAME.fullmatch(name):
        return None
    return Finding(
        "EXECUTION_NAME_INVALID",
        Level.ERROR,
        f"--name must be 1 to 80 letters, digits, - and _, got {shown(name)}",
        "leave it out for a name that follows from what is asked for",
    )


def job_name_invalid(name: str, workload_name: str) -> Finding | None:
    """Refuse a name that the deployed job does not give.

    It begins with the workload's name, which is what the state machine may create. Source: botocore 1.44.8,
    TrainingJobName.
    """
    if name.startswith(f"{workload_name}-") and _JOB_NAME.fullmatch(name) and len(name) <= LONGEST_JOB_NAME:
        return None
    return Finding(
        "JOB_NAME_INVALID",
        Level.ERROR,
        f"--job-name must begin with {workload_name}-, hold at most {LONGEST_JOB_NAME} letters, digits and hyphens, "
        f"and not end with a hyphen, got {shown(name)}",
        f"write {workload_name}-1 or the like, or leave it out for a name that follows from the execution",
    )


def shapes_text(shapes: Mapping[str, str]) -> str:
    """Say which numbers of which type there are.

    >>> shapes_text({"ml.p4d.24xlarge": "1 to 4", "ml.p5.48xlarge": "2"})
    '1 to 4 ml.p4d.24xlarge, 2 ml.p5.48xlarge'
    """
    return ", ".join(f"{counts} {name}" for name, counts in shapes.items())


def _is_among(number: int, counts: str) -> bool:
    """Tell whether ranges as they are written hold a number.

    >>> [_is_among(number, "1 to 3 or 5") for number in (0, 1, 3, 4, 5, 6)]
    [False, True, True, False, True, False]
    """
    ends = (run.split(" to ") for run in counts.split(" or "))
    return any(int(end[0]) <= number <= int(end[-1]) for end in ends)


def _said(value: object) -> str:
    """Render a value, or that there is none."""
    return "not declared" if value is None else shown(value)
