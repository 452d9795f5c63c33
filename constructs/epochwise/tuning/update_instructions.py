"""How a file system is updated in place: in the file that declares it, or by hand."""

import json
from collections.abc import Iterator
from shlex import quote
from typing import Any

from epochwise.catalog.replacement import LUSTRE
from epochwise.sizing.candidate import Candidate
from epochwise.tuning.in_place import UpdateStep


def update_instructions(file_system_id: str, candidate: Candidate, steps: tuple[UpdateStep, ...]) -> Iterator[str]:
    """Yield what to do, in order, to bring a file system to the size of a candidate.

    Args:
        file_system_id: FSx's id.
        candidate: what it becomes.
        steps: the updates that lead there.
    """
    if not steps:
        return
    yield (
        f"where a stack of yours made {file_system_id}, pin in the workload file {_pins(candidate)}, and deploy "
        "instead of what follows; check it with epochwise diff first"
    )
    for step in steps:
        yield f"{_said(step)}: {command(file_system_id, step)}; {step.note}"


def command(file_system_id: str, step: UpdateStep) -> str:
    """Return the command of the AWS CLI that makes an update."""
    name = step.property_name.rpartition(".")[2]
    if step.property_name.startswith(LUSTRE):
        setting = f"--lustre-configuration {_shorthand(name, step.new)}"
    else:
        setting = f"--storage-capacity {step.new}"
    return f"aws fsx update-file-system --file-system-id {file_system_id} {setting}"


def _said(step: UpdateStep) -> str:
    """Say what an update changes."""
    return f"{step.property_name.rpartition('.')[2]} from {_plain(step.old)} to {_plain(step.new)}"


def _plain(value: Any) -> str:
    """Render a value for a sentence.

    >>> _plain({"Mode": "USER_PROVISIONED", "Iops": 12000}), _plain(500)
    ('USER_PROVISIONED 12000', '500')
    """
    return " ".join(str(each) for each in value.values()) if isinstance(value, dict) else str(value)


def _shorthand(name: str, value: Any) -> str:
    """Render a setting in the AWS CLI's shorthand, safe from a shell.

    >>> _shorthand("A", {"Mode": "USER_PROVISIONED", "Iops": 12000}), _shorthand("B", 500)
    ("'A={Mode=USER_PROVISIONED,Iops=12000}'", 'B=500')
    """
    if not isinstance(value, dict):
        return f"{name}={value}"
    inside = ",".join(f"{key}={each}" for key, each in value.items())
    return quote(f"{name}={{{inside}}}")


def _pins(candidate: Candidate) -> str:
    """Return the pins that make the planner choose a candidate, as YAML in one line."""
    pins: dict[str, Any] = {"deployment_types": [str(candidate.deployment_type)]}
    for name in ("storage_capacity_gib", "per_unit_storage_throughput", "throughput_capacity_mbps"):
        if getattr(candidate, name) is not None:
            pins[name] = getattr(candidate, name)
    return "file_system: " + json.dumps(pins).replace('"', "")
