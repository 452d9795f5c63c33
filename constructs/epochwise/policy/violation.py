"""`Violation`: one of our findings about one resource of a template."""

from dataclasses import dataclass
from typing import Self

from epochwise.checks.finding import Finding
from epochwise.policy.app_resources import Resource


@dataclass(frozen=True)
class Violation:
    """What is wrong, and where."""

    template: str
    logical_id: str
    location: str
    """Within the resource, such as Properties/LustreConfiguration."""
    finding: Finding

    @classmethod
    def of(cls, resource: Resource, location: str, finding: Finding) -> Self:
        """Say that a finding is about a resource."""
        return cls(resource.template, resource.logical_id, location, finding)
