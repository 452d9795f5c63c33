"""What an execution is given so that the deployed job runs as a workload file declares it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from epochwise.catalog.training_toolkit import is_toolkit_hyperparameter
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.checks.launch import (
    job_name_invalid,
    launch_image_not_deployed,
    launch_needs_deploy,
    launch_shape_not_deployed,
)
from epochwise.checks.training import training_findings
from epochwise.following.deployed_job import DeployedJob, declared
from epochwise.training.hyperparameters import hyperparameters
from epochwise.workload import Workload

_CHANGEABLE = ("training.image", "training.hyperparameters", "training.batch", "cluster.nodes", "cluster.instance_type")


@dataclass(frozen=True)
class Asked:
    """What an execution is given, and what speaks against it."""

    input: Mapping[str, Any]
    """Only what differs from what is deployed, in the keys of the state machine."""
    findings: tuple[Finding, ...]
    """Errors: with any of them nothing is started."""

    @property
    def text(self) -> str:
        """The input as it is sent, the same whenever the same is asked for."""
        return json.dumps(self.input, sort_keys=True, separators=(",", ":"))


def asked(deployed: DeployedJob, workload: Workload, *, job_name: str | None = None) -> Asked:
    """Return what has a deployed job run as a workload declares.

    Args:
        deployed: what the template says of the job.
        workload: what is declared now; it must have a job in SageMaker.
        job_name: name of the training job, instead of one that follows from the execution.
    """
    here, there = DeclaredJob.of(workload), DeclaredJob.of(deployed.workload)
    assert here is not None  # noqa: S101 - the caller refuses a workload without a job
    assert there is not None  # noqa: S101 - no template has a state machine without one
    changes = dict(_changes(deployed.workload, workload))
    cluster = workload.cluster
    found: list[Finding | None] = [
        *(finding for finding in training_findings(workload) if finding.level is Level.ERROR),
        launch_shape_not_deployed(cluster.nodes, cluster.instance_type, deployed.shapes),
        launch_image_not_deployed(here.training.image, there.training.image),
        None if job_name is None else job_name_invalid(job_name, deployed.workload.name),
    ]
    given: dict[str, Any] = {}
    if not changes:
        new, dropped = _hyperparameters(deployed.workload, workload)
        changes |= {f"training.hyperparameters.{key}": (value, None) for key, value in dropped.items()}
        given = {
            "hyperparameters": new or None,
            "image": _if_other(here.training.image, None if "image" in deployed.given else there.training.image),
            "nodes": _if_other(cluster.nodes, None if "nodes" in deployed.given else deployed.workload.cluster.nodes),
            "instance_type": _if_other(cluster.instance_type, deployed.workload.cluster.instance_type),
            "job_name_suffix": None if job_name is None else job_name.removeprefix(f"{workload.name}-"),
        }
    found.append(launch_needs_deploy(changes))
    return Asked(
        {key: value for key, value in given.items() if value is not None},
        tuple(finding for finding in found if finding is not None),
    )


def execution_name(deployed: DeployedJob, asked_for: Asked) -> str:
    """Return a name that follows from the workload and from what is asked for.

    Whoever asks for the same twice, say after a broken connection, names the same execution, of which Step Functions
    starts no second one.
    """
    content = json.dumps([declared(deployed.workload), asked_for.input], sort_keys=True)
    return f"{deployed.workload.name}-{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def job_name_of(workload_name: str, execution_arn: str, given: Mapping[str, Any]) -> str:
    """Return the name that the state machine gives the job of an execution.

    >>> job_name_of("guide", "arn:aws:states:us-east-1:123456789012:execution:machine:one", {"job_name_suffix": "1"})
    'guide-1'
    """
    suffix = given.get("job_name_suffix")
    return f"{workload_name}-{suffix or hashlib.md5(execution_arn.encode(), usedforsecurity=False).hexdigest()}"


def _changes(deployed: Workload, here: Workload) -> Iterator[tuple[str, tuple[object, object]]]:
    """Yield each key that differs and that no execution changes, with what is deployed and what is declared."""
    old, new = (dict(_leaves(workload.model_dump(mode="json"))) for workload in (deployed, here))
    for key in dict.fromkeys((*old, *new)):
        changeable = any(key == name or key.startswith(f"{name}.") for name in _CHANGEABLE)
        if old.get(key) != new.get(key) and not changeable:
            yield key, (old.get(key), new.get(key))


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted keys of a document with their values; empty sections have none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def _hyperparameters(deployed: Workload, here: Workload) -> tuple[dict[str, str], dict[str, str]]:
    """Return the hyperparameters that an execution must be given, and those that it cannot take away.

    The state machine adds to those that are deployed for the nodes that are asked for, and takes none away.
    """
    on_these = deployed.model_copy(update={"cluster": here.cluster})
    old, new = (
        {
            key: value
            for key, value in hyperparameters(job, job_name="", region="").items()
            if not is_toolkit_hyperparameter(key)
        }
        for job in (DeclaredJob.of(on_these), DeclaredJob.of(here))
        if job is not None
    )
    return (
        {key: value for key, value in new.items() if old.get(key) != value},
        {key: value for key, value in old.items() if key not in new},
    )


def _if_other(here: Any, deployed: Any) -> Any:
    """Return a value where it differs from what is deployed."""
    return None if here == deployed else here
