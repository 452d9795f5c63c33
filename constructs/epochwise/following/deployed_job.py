"""What a template says of a training job: enough to start it, and to say what it was planned for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from epochwise.workload import Workload, WorkloadError

METADATA_KEY = "epochwise:job"
"""In the Metadata of the job's state machine."""
_MACHINE = "AWS::StepFunctions::StateMachine"


class UnreadableJobError(ValueError):
    """A summary of a job that this version does not understand."""


@dataclass(frozen=True)
class DeployedJob:
    """A workload's job as it is deployed."""

    workload: Workload
    shapes: Mapping[str, str]
    """Instance type to the numbers of nodes that an execution may ask for, such as `1 to 3 or 5`."""
    demand_mbps: float | None = None
    """MB/s that training must read from the file servers to keep its epoch target."""
    ceiling_mbps: float | None = None
    """MB/s that the file system and its clients deliver at most."""
    given: tuple[str, ...] = ()
    """Keys of an execution's input for which the deploy chose another default than the workload declares."""

    def as_metadata(self) -> dict[str, Any]:
        """Return it for a template, where cfn-lint takes no fractions: numbers are text, the workload is JSON."""
        rates = {"demand_mbps": self.demand_mbps, "ceiling_mbps": self.ceiling_mbps}
        return {
            "workload": json.dumps(declared(self.workload), sort_keys=True, separators=(",", ":")),
            "shapes": dict(self.shapes),
            **({"given": list(self.given)} if self.given else {}),
            **{name: f"{rate:.1f}" for name, rate in rates.items() if rate is not None},
        }

    @classmethod
    def from_metadata(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_metadata` wrote.

        Raises:
            UnreadableJobError: another version wrote it.
        """
        try:
            rates = {name: float(document[name]) for name in ("demand_mbps", "ceiling_mbps") if name in document}
            workload = Workload.from_mapping(json.loads(document["workload"]), source="the deployed workload")
            given = tuple(document.get("given", ()))
            return cls(workload, dict(document["shapes"]), **rates, given=given)
        except WorkloadError as error:
            raise UnreadableJobError(f"another version deployed it: {error.mistakes[0]}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise UnreadableJobError(f"another version deployed it: {type(error).__name__} {error}") from None


def declared(workload: Workload) -> dict[str, Any]:
    """Return what a workload declares beyond the defaults, JSON-ready."""
    return workload.model_dump(mode="json", exclude_defaults=True)


def jobs_in(template: Mapping[str, Any]) -> dict[str, DeployedJob]:
    """Return the jobs of a template by the logical ids of their state machines.

    Raises:
        UnreadableJobError: this version does not understand one of them.
    """
    found = {}
    for logical_id, resource in (template.get("Resources") or {}).items():
        metadata = resource.get("Metadata") if isinstance(resource, Mapping) else None
        if isinstance(metadata, Mapping) and METADATA_KEY in metadata and resource.get("Type") == _MACHINE:
            found[str(logical_id)] = DeployedJob.from_metadata(metadata[METADATA_KEY])
    return found
